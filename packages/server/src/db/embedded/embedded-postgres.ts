import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import pg from 'pg';
import { attachToCluster, type ClusterOptions, planCluster, startCluster } from './cluster.js';
import { makeDataFolder } from './data-folder.js';
import { type DatabaseRecord, readRecord, writeRecord } from './database-record.js';
import { withFolderLock } from './folder-lock.js';
import { checkPlace } from './outside-folder.js';
import { type Postmaster, runningPostmaster, runs, stopPostmaster } from './postmaster.js';
import { isRunning, ownMark } from './process-mark.js';

/** What to start, and how. */
export interface EmbeddedPostgresOptions {
  /** Everything the database stores lies here, or is found from here. Made when missing. */
  readonly dataDir: string;
  /** Whether what is committed survives a crash of the machine; true by default. */
  readonly durable?: boolean;
  /** Settings of PostgreSQL by name, for a start; where it runs already, it keeps those it has. */
  readonly settings?: Readonly<Record<string, string>>;
  /** For root: folders in which to keep what may not lie in the data folder. */
  readonly outsideFolders?: readonly string[];
}

/** A running database of a data folder, in use by this process until `stop`. */
export interface EmbeddedPostgres {
  readonly url: string;
  /** Where the cluster lies. */
  readonly dataPath: string;
  /** Leaves the database, and stops it where no other process uses it. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL of a data folder, or attaches to it where it runs already: started by
 * another process, or left behind by one that was killed. Processes that do this at the same time
 * get the same database; the last to leave stops it. One that ends without `stop` leaves too; one
 * that is killed leaves the database running, for the next to attach to.
 *
 * @example
 * const postgres = await startEmbeddedPostgres({ dataDir: '.data' });
 * const knex = createKnex(postgres.url);
 * // …
 * await knex.destroy();
 * await postgres.stop();
 *
 * @throws Error with the end of PostgreSQL's log when it cannot be started
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDir = await makeDataFolder(options.dataDir);
  const cluster: ClusterOptions = {
    dataDir,
    durable: options.durable ?? true,
    settings: options.settings ?? {},
    outsideFolders: options.outsideFolders,
  };
  return withFolderLock(dataDir, async () => {
    const record = readRecord(dataDir) ?? (await newRecord(cluster));
    await checkPlace(record.dataPath, dataDir);
    const running = await attachToCluster(record.dataPath);
    const postmaster = running ?? (await startCluster(record, cluster));
    try {
      return await enter(dataDir, { ...record, port: postmaster.port }, postmaster);
    } catch (error) {
      if (running === undefined) await stopPostmaster(record.dataPath, postmaster.pid);
      throw error;
    }
  });
}

async function newRecord(cluster: ClusterOptions): Promise<DatabaseRecord> {
  const record = await planCluster(cluster);
  if (existsSync(record.dataPath)) {
    throw new Error(
      `There is a database in ${record.dataPath}, but embedded-postgres.json with its password is missing beside it`,
    );
  }
  await writeRecord(cluster.dataDir, record);
  return record;
}

/** Enters this process among the users of the database. */
async function enter(
  dataDir: string,
  record: DatabaseRecord,
  postmaster: Postmaster,
): Promise<EmbeddedPostgres> {
  await ensureDatabase(record);
  const { dataPath } = record;
  const id = randomUUID();
  const others = record.users.filter(isRunning);
  await writeRecord(dataDir, { ...record, users: [...others, { id, ...ownMark() }] });

  const leaveAtExit = () => stopUnlessUsed(dataDir, postmaster);
  process.once('exit', leaveAtExit);
  let leaving: Promise<void> | undefined;
  return {
    url: urlOf(record, record.database),
    dataPath,
    stop() {
      process.off('exit', leaveAtExit);
      leaving ??= existsSync(dataDir)
        ? withFolderLock(dataDir, () => leave(dataDir, id))
        : stopPostmaster(dataPath, postmaster.pid);
      return leaving;
    },
  };
}

async function leave(dataDir: string, id: string): Promise<void> {
  const record = readRecord(dataDir);
  if (record === undefined) return;
  const users = record.users.filter((user) => user.id !== id && isRunning(user));
  if (users.length === 0) {
    const postmaster = await runningPostmaster(record.dataPath);
    if (postmaster !== undefined) await stopPostmaster(record.dataPath, postmaster.pid);
  }
  await writeRecord(dataDir, { ...record, users });
}

/** The way out of a process that ends without having stopped the database: nothing can be awaited. */
function stopUnlessUsed(dataDir: string, { pid }: Postmaster): void {
  try {
    const record = readRecord(dataDir);
    const used = record?.users.some((user) => user.pid !== process.pid && isRunning(user)) ?? false;
    if (record !== undefined && !used && runs(record.dataPath, pid)) process.kill(pid, 'SIGINT');
  } catch {
    // The next start attaches to what keeps running.
  }
}

async function ensureDatabase(record: DatabaseRecord): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(record, 'postgres') });
  await client.connect();
  try {
    const { database } = record;
    const found = await client.query('select from pg_database where datname = $1', [database]);
    if (found.rowCount === 0) {
      await client.query(`create database ${pg.escapeIdentifier(database)}`);
    }
  } finally {
    await client.end();
  }
}

function urlOf({ user, password, host, port }: DatabaseRecord, database: string): string {
  return `postgresql://${user}:${password}@${host}:${port}/${database}?sslmode=disable`;
}
