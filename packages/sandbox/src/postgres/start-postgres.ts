import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chown,
  mkdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { keptSecret } from '../data-folder.js';
import { findFreePort } from '../free-port.js';
import { lockFolder } from '../lock-folder.js';
import { type Account, accountFor } from './account.js';
import { packagedDistribution, usableBinaries } from './binaries.js';
import { outsidePlaces, passwordFile, placeFor } from './cluster-place.js';
import { withConnection } from './with-connection.js';

export interface PostgresOptions {
  /** The absolute path of an existing folder. */
  readonly dataDir: string;
  /** True to remove the cluster once the server has stopped, or if it could not start. */
  readonly isTemporary?: boolean;
  /** False if the data need not survive a crash of the machine, as in tests. */
  readonly isDurable?: boolean;
}

export interface RunningPostgres {
  url(database: string): string;
  /** Ends all sessions and stops the server. */
  stop(): Promise<void>;
}

/** The settings in `postgresql.conf`: TCP only, because the paths of sockets must be short. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Iterations protect a guessable password. That of a cluster is random, and they take a third of
  // the CPU time of a connection.
  scram_iterations: '1',
};
const notDurable = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  // Without replication, the server needs half the CPU time to copy databases.
  ...{ wal_level: 'minimal', max_wal_senders: '0' },
};

/** Timeouts in seconds. Recovery after a crash may take minutes. */
const startSeconds = 300;
const stopSeconds = 30;
const startAttempts = 60;
const retryMs = 250;

/**
 * Starts PostgreSQL (L-01) on a free port of the loopback address. The cluster is created if it is
 * missing. A server that a killed process left running is stopped.
 *
 * @throws Error in one sentence if another process uses the folder, otherwise with the log of
 *   PostgreSQL
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir, isTemporary = false, isDurable = !isTemporary } = options;
  const account = accountFor(await stat(dataDir));
  const unlock = await lockFolder(dataDir);
  let place = dataDir;
  let copies = dataDir;
  let started: Cluster | undefined;
  const close = async () => {
    try {
      if (started !== undefined) await stop(started);
      // Processes of a killed server may still be writing.
      for (const folder of isTemporary ? [place, copies] : []) {
        await rm(folder, { recursive: true, force: true, maxRetries: 10 });
      }
    } finally {
      await unlock();
    }
  };
  try {
    // Processes are recognised by their folder, which has no symbolic links in its name.
    place = await realpath(await placeFor(dataDir, account));
    const folder = join(place, 'postgres');
    const places = placesForPrograms(place, dataDir, account);
    const distribution = await packagedDistribution();
    const programs = await usableBinaries(account, places, distribution);
    if (programs !== distribution.folder) copies = dirname(programs);
    const cluster = { folder, bin: join(programs, 'bin'), account };
    if (existsSync(folder) && !existsSync(join(dataDir, passwordFile))) {
      throw new Error(
        `${folder} is a database, but ${passwordFile} with its password is missing in ${dataDir}`,
      );
    }
    const password = await keptSecret(dataDir, passwordFile);
    if (!existsSync(folder)) await initCluster(cluster, password, isDurable);
    await stopLeftover(cluster);
    started = cluster;
    const port = await start(cluster);
    return {
      url: (database) => `postgresql://adx:${password}@127.0.0.1:${port}/${database}`,
      stop: close,
    };
  } catch (error) {
    // Its own failure would hide the reason.
    await close().catch(() => {});
    throw error;
  }
}

export async function createDatabases(url: string, names: readonly string[]): Promise<void> {
  await withConnection(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
    const existing = rows.map(({ datname }) => datname);
    for (const name of names.filter((each) => !existing.includes(each))) {
      await client.query(`create database ${name}`);
    }
  });
}

interface Cluster {
  readonly folder: string;
  /** The folder of `pg_ctl`, `initdb` and `postgres`. */
  readonly bin: string;
  readonly account: Account | undefined;
}

/** Yields the folders for a copy of the programs, that of the cluster first. */
async function* placesForPrograms(place: string, dataDir: string, account: Account | undefined) {
  yield place;
  yield* outsidePlaces(dataDir, account);
}

/** Creates a cluster, which gets its name only when it is complete. */
async function initCluster(
  { folder, bin, account }: Cluster,
  password: string,
  isDurable: boolean,
): Promise<void> {
  const unfinished = `${folder}.${randomUUID()}`;
  const newPassword = `${unfinished}.password`;
  const all = { ...settings, ...(isDurable ? {} : notDurable) };
  try {
    await mkdir(unfinished, { mode: 0o700 });
    await writeFile(newPassword, `${password}\n`, { mode: 0o600 });
    if (account !== undefined) {
      for (const path of [unfinished, newPassword]) await chown(path, account.uid, account.gid);
    }
    await run(join(bin, 'initdb'), account, dirname(folder), [
      ...[`--pgdata=${unfinished}`, `--pwfile=${newPassword}`, '--username=adx'],
      ...['--auth=scram-sha-256', '--encoding=UTF8', '--no-locale', '--no-instructions'],
      ...(isDurable ? [] : ['--no-sync']),
      ...Object.entries(all).map(([name, value]) => `--set=${name}=${value}`),
    ]);
    await rename(unfinished, folder);
  } finally {
    await rm(newPassword, { force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function start(cluster: Cluster): Promise<number> {
  const log = join(cluster.folder, 'server.log');
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    await rm(log, { force: true });
    try {
      await pgCtl(cluster, ['start', '--log=server.log', `--options=-p ${port}`], startSeconds);
      return port;
    } catch (error) {
      const logged = await readFile(log, 'utf8').catch(() => '');
      // Another program has taken the port, or backends of a killed server are still ending.
      const isTemporary = /could not bind|still in use/.test(logged);
      if (attempt === startAttempts || !isTemporary) {
        const reason = logged.slice(-2000) || String(error);
        const message = `PostgreSQL does not start in ${cluster.folder}:\n${reason}`;
        throw new Error(message, { cause: error });
      }
      await sleep(retryMs);
    }
  }
}

/** Stops a server that outlived its sandbox, and removes the PID file of one that was killed. */
async function stopLeftover(cluster: Cluster): Promise<void> {
  const [pid = '', directory = ''] = await readPidFile(cluster);
  if (await isServing(pid, directory, cluster)) await stop(cluster);
  // The number belongs to another process by now, or to the server of which this folder is a copy.
  // PostgreSQL would take either for a running server of this cluster.
  else await rm(pidFile(cluster), { force: true });
}

/** Returns true if a process is the server of the cluster: its working directory is the folder. */
async function isServing(pid: string, directory: string, { folder }: Cluster) {
  if (!/^\d+$/.test(pid)) return false;
  const working = await readlink(`/proc/${pid}/cwd`).catch(() => directory);
  if (working !== folder) return false;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() =>
    run('ps', undefined, '/', ['-ww', '-o', 'args=', '-p', pid]).catch(() => ''),
  );
  // The arguments follow after NUL in /proc, and after a blank in ps.
  return /\/postgres[\0 ]/.test(command);
}

async function stop(cluster: Cluster): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    try {
      await pgCtl(cluster, ['stop', `--mode=${mode}`], stopSeconds);
      return;
    } catch (error) {
      // It may have ended by itself, or have been killed.
      const [pid = '', directory = ''] = await readPidFile(cluster);
      if (!(await isServing(pid, directory, cluster))) return;
      if (mode === 'immediate') throw error;
    }
  }
}

async function readPidFile(cluster: Cluster): Promise<string[]> {
  const content = await readFile(pidFile(cluster), 'utf8').catch(() => '');
  return content === '' ? [] : content.split('\n');
}

function pidFile({ folder }: Cluster): string {
  return join(folder, 'postmaster.pid');
}

/** Runs `pg_ctl` in the folder of the cluster, so that no shell sees the path. */
function pgCtl(cluster: Cluster, parameters: string[], seconds: number): Promise<string> {
  const { bin, account, folder } = cluster;
  const all = [...parameters, '--pgdata=.', '--wait', `--timeout=${seconds}`, '--silent'];
  return run(join(bin, 'pg_ctl'), account, folder, all);
}

/** Runs a program in a process group of its own, so that Ctrl+C reaches only the sandbox. */
async function run(
  program: string,
  account: Account | undefined,
  cwd: string,
  parameters: readonly string[],
): Promise<string> {
  const child = spawn(program, parameters, {
    ...account,
    cwd,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('exit', resolve);
  });
  const [code, output, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new Error(`${program} failed:\n${output}${errors}`);
  return output;
}
