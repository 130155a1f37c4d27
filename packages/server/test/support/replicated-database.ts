import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { eventually } from '../../../../test/support/eventually.js';
import { freePort } from '../../../../test/support/free-port.js';
import type { TestDatabase } from './database.js';
import { sandboxPart } from './sandbox-parts.js';
import { migrateTo } from './template-database.js';

/** A PostgreSQL server of a test, which is under the same URL after each start. */
export interface TestServer {
  readonly url: string;
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  start(): Promise<void>;
  /** Stops it as an operator does, which ends all its connections. */
  stop(): Promise<void>;
  /** Stops or continues all its processes: it keeps its connections, but answers nothing. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
}

/** A database with the schema, and a server that follows it by streaming replication. */
export interface ReplicatedDatabase extends TestDatabase {
  readonly primary: TestServer;
  readonly replica: TestServer;
  /** Makes the replica a server that goes its own way, which it stays. */
  promote(): Promise<void>;
}

/** The programs of PostgreSQL, and the user that they run as, which is never root. */
interface Programs {
  readonly folder: string;
  readonly account: { readonly uid: number; readonly gid: number };
}

/** The server ends with this process, because its shell ends it when the pipe is closed. */
const untilClosed = '"$0" "$@" & cat > /dev/null; kill -INT $!; wait $!';
const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };

export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const programs = await findPrograms();
  const folder = await mkdtemp(join(tmpdir(), 'adx-replicated-'));
  await chown(folder, programs.account.uid, programs.account.gid);
  const [main, copy] = [join(folder, 'primary'), join(folder, 'replica')];
  await writeFile(join(folder, 'password'), 'secret-of-a-test\n');
  await run(programs, join(programs.folder, 'initdb'), [
    ...[`--pgdata=${main}`, '--username=adx', `--pwfile=${join(folder, 'password')}`],
    ...['--auth=scram-sha-256', '--encoding=UTF8', '--no-locale', '--no-sync'],
    ...['--set=fsync=off', '--set=unix_socket_directories=', '--set=listen_addresses=127.0.0.1'],
  ]);
  const primary = await serverIn(main, programs);
  await primary.start();
  await migrateTo(primary.url);
  await copyCluster(primary, main, copy, programs);
  const replica = await serverIn(copy, programs);
  await replica.start();
  return {
    ...{ url: primary.url, primary, replica },
    async promote() {
      await replica.query('select pg_promote()');
    },
    async release() {
      await replica.signal('SIGCONT');
      await replica.stop();
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns those of the server of all tests, which come with an npm package. */
async function findPrograms(): Promise<Programs> {
  const { url } = await sandboxPart('database');
  const [row] = await queryServer(
    url,
    `select setting as folder, current_setting('data_directory') as data
       from pg_config where name = 'BINDIR'`,
  );
  const { uid, gid } = await stat(String(row?.['data']));
  return { folder: String(row?.['folder']), account: { uid, gid } };
}

/** Copies a cluster while its server runs, and lets the copy follow it. */
async function copyCluster(
  primary: TestServer,
  from: string,
  to: string,
  programs: Programs,
): Promise<void> {
  // So that it keeps what a stopped replica has not read yet.
  await primary.query(`select pg_create_physical_replication_slot('replica', true)`);
  // The copy begins and ends in one session.
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  await client.query(`select pg_backup_start('replica', true)`);
  await run(programs, 'cp', ['-Rp', from, to]);
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
  await client.end();
  await rm(join(to, 'postmaster.pid'));
  for (const content of ['pg_wal', 'pg_replslot']) {
    await rm(join(to, content), { recursive: true });
    await mkdir(join(to, content), { mode: 0o700 });
    await chown(join(to, content), programs.account.uid, programs.account.gid);
  }
  await writeFile(join(to, 'backup_label'), rows[0].labelfile);
  await writeFile(join(to, 'standby.signal'), '');
  const { hostname, port, username, password } = new URL(primary.url);
  await appendFile(
    join(to, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'
     primary_slot_name = 'replica'\nwal_retrieve_retry_interval = 100\n`,
  );
  for (const file of ['backup_label', 'standby.signal']) {
    await chown(join(to, file), programs.account.uid, programs.account.gid);
  }
}

async function serverIn(folder: string, { folder: bin, account }: Programs): Promise<TestServer> {
  const port = await freePort();
  const url = `postgresql://adx:secret-of-a-test@127.0.0.1:${port}/postgres`;
  let stop: (() => Promise<void>) | undefined;
  const query = (sql: string) => queryServer(url, sql);
  return {
    url,
    query,
    async start() {
      const child = spawn(
        '/bin/sh',
        ['-c', untilClosed, join(bin, 'postgres'), '-D', folder, '-p', String(port)],
        { ...account, env, cwd: folder, stdio: ['pipe', 'ignore', 'ignore'], detached: true },
      );
      const ended = once(child, 'exit');
      stop = async () => {
        child.stdin?.end();
        await ended;
      };
      await eventually(() => query('select 1'));
    },
    async stop() {
      await stop?.();
      stop = undefined;
    },
    async signal(signal) {
      const [main = ''] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n');
      const children = await run({ account }, 'ps', ['-A', '-o', 'pid=,ppid=']);
      for (const [, pid, parent] of children.matchAll(/^ *(\d+) +(\d+)$/gm)) {
        if (pid === main || parent === main) kill(Number(pid), signal);
      }
    },
  };
}

/** Signals a process that may have ended meanwhile. */
function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (Object(error).code !== 'ESRCH') throw error;
  }
}

async function queryServer(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A server that stops ends the connection, which the query reports too.
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function run(
  { account }: Pick<Programs, 'account'>,
  program: string,
  parameters: readonly string[],
): Promise<string> {
  const child = spawn(program, parameters, { ...account, env, cwd: '/' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} failed:\n${output}`);
  return output;
}
