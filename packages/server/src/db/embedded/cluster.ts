import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { usableBinaries } from './binaries.js';
import type { DatabaseRecord } from './database-record.js';
import { freePort } from './free-port.js';
import { initCluster } from './init-cluster.js';
import { claimPlace, outsideFolder } from './outside-folder.js';
import {
  type Postmaster,
  runningPostmaster,
  runs,
  waitUntilGone,
  waitUntilReady,
} from './postmaster.js';
import { PostmasterError, startPostmaster } from './start-postmaster.js';
import { canEnter, databaseAccount } from './unprivileged-account.js';

/** How the cluster of a data folder is run. */
export interface ClusterOptions {
  /** Absolute path of the data folder. */
  readonly dataDir: string;
  readonly durable: boolean;
  readonly settings: Readonly<Record<string, string>>;
  /** Where root may put what its account cannot reach in the data folder; the system's by default. */
  readonly outsideFolders: readonly string[] | undefined;
}

/** What makes PostgreSQL fast where nothing has to survive a crash of the machine. */
const FORGETFUL = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const PORT_ATTEMPTS = 5;
const ORPHAN_RETRY_MS = 250;
const ORPHAN_ATTEMPTS = 60;
const LOG_LIMIT = 1_000_000;

/** The record of a database that a data folder shall have: where it will lie, and its password. */
export async function planCluster(options: ClusterOptions): Promise<DatabaseRecord> {
  const { dataDir } = options;
  const account = databaseAccount(await stat(dataDir));
  const dataPath =
    account === undefined || canEnter(account, dataDir)
      ? join(dataDir, 'postgres')
      : await claimPlace(await outsideFolder(account, options.outsideFolders), dataDir);
  return {
    dataPath,
    host: '127.0.0.1',
    port: 0,
    database: 'adx',
    user: 'adx',
    password: randomBytes(24).toString('base64url'),
    users: [],
  };
}

/** The postmaster of a cluster that runs already; waits for one that starts or stops. */
export async function attachToCluster(dataPath: string): Promise<Postmaster | undefined> {
  const found = await runningPostmaster(dataPath);
  if (found?.status === 'stopping') await waitUntilGone(dataPath, found.pid);
  if (found === undefined || found.status === 'stopping') return undefined;
  return waitUntilReady(dataPath, () => !runs(dataPath, found.pid));
}

/**
 * Starts a cluster that does not run, and makes it first where there is none yet.
 *
 * @throws Error with what PostgreSQL's programs said
 */
export async function startCluster(
  record: DatabaseRecord,
  options: ClusterOptions,
): Promise<Postmaster> {
  const { dataPath } = record;
  const { dataDir, durable } = options;
  const exists = existsSync(dataPath);
  const account = databaseAccount(await stat(exists ? dataPath : dataDir));
  const binaries = await usableBinaries(account, async () =>
    account === undefined ? dataDir : outsideFolder(account, options.outsideFolders),
  );
  if (!exists) await initCluster({ ...record, binaries, account, durable });
  return startPatiently(record.port, {
    binaries,
    dataPath,
    account,
    settings: { ...(durable ? {} : FORGETFUL), ...options.settings },
    logPath: await freshLog(dataDir),
  });
}

/** Starts a postmaster past what passes: a port taken meanwhile, backends that outlive a killed one. */
async function startPatiently(
  lastPort: number,
  options: Omit<Parameters<typeof startPostmaster>[0], 'port'>,
): Promise<Postmaster> {
  let port = lastPort;
  let takenPorts = 0;
  let orphans = 0;
  for (;;) {
    try {
      return await startPostmaster({ ...options, port: port || (await freePort()) });
    } catch (error) {
      if (!(error instanceof PostmasterError)) throw error;
      if (/could not bind/.test(error.log) && takenPorts < PORT_ATTEMPTS) {
        takenPorts += 1;
        port = 0;
      } else if (
        /shared memory block .* still in use/.test(error.log) &&
        orphans < ORPHAN_ATTEMPTS
      ) {
        orphans += 1;
        await sleep(ORPHAN_RETRY_MS);
      } else throw error;
    }
  }
}

/** The file that PostgreSQL logs to; a long one is put aside first, one such being kept. */
async function freshLog(dataDir: string): Promise<string> {
  const path = join(dataDir, 'embedded-postgres.log');
  const size = existsSync(path) ? (await stat(path)).size : 0;
  if (size > LOG_LIMIT) await rename(path, `${path}.1`);
  return path;
}
