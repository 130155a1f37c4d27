import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { giveToOwnerOfFolder } from './database-record.js';
import { postgresEnvironment } from './postgres-environment.js';
import { type Postmaster, waitUntilReady } from './postmaster.js';
import type { Account } from './unprivileged-account.js';

/** What a postmaster is started with. */
export interface PostmasterOptions {
  readonly binaries: string;
  readonly dataPath: string;
  readonly account: Account | undefined;
  readonly port: number;
  /** Settings of PostgreSQL by name. */
  readonly settings: Readonly<Record<string, string>>;
  readonly logPath: string;
}

const LOG_TAIL = 2_000;

/** A postmaster that did not come up; the message ends with the end of its log. */
export class PostmasterError extends Error {
  /** What the postmaster logged in this attempt. */
  readonly log: string;

  constructor(reason: string, log: string) {
    super(`${reason}\n${log.slice(-LOG_TAIL).trim()}`);
    this.name = 'PostmasterError';
    this.log = log;
  }
}

/**
 * Starts the postmaster of a cluster that has none, in a session of its own: it outlives this
 * process unless it is stopped. Returns when it takes connections.
 *
 * @throws PostmasterError when it ends instead
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { dataPath, logPath } = options;
  await disownPidFile(dataPath);
  const log = openSync(logPath, 'a', 0o600);
  const logStart = fstatSync(log).size;
  const child = spawn(join(options.binaries, 'bin/postgres'), postmasterArguments(options), {
    ...options.account,
    cwd: '/',
    env: postgresEnvironment(),
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  let end: string | undefined;
  child.once('error', ({ message }) => {
    end = message;
  });
  child.once('exit', (code, signal) => {
    end = `it ended with ${signal ?? `code ${code}`}`;
  });
  await giveToOwnerOfFolder(logPath);
  const ready = await waitUntilReady(dataPath, () => end !== undefined);
  if (ready !== undefined) return ready;
  const logged = (await readFile(logPath)).subarray(logStart).toString('utf8');
  const reason = end ?? 'it takes too long';
  throw new PostmasterError(`PostgreSQL did not start in ${dataPath}: ${reason}`, logged);
}

function postmasterArguments({ dataPath, port, settings }: PostmasterOptions): string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    // TCP alone: the path of a socket may have 107 bytes at most, that of a data folder has more.
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...settings,
  };
  const assignments = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', dataPath, '-p', String(port), ...assignments];
}

/**
 * A `postmaster.pid` left by a crash can name a number that some other process has by now, and
 * PostgreSQL would refuse to start beside it. It takes the number of its parent for stale, and still
 * makes its other checks, which the removal of the file would switch off.
 */
async function disownPidFile(dataPath: string): Promise<void> {
  const file = join(dataPath, 'postmaster.pid');
  const left = await readFile(file, 'utf8').catch(() => undefined);
  if (left === undefined) return;
  // A crash in the moment of its creation leaves it empty.
  if (!/^-?\d/.test(left)) return rm(file);
  const ours = left.replace(/^-?\d+/, (number) => String(process.pid).padEnd(number.length));
  await writeFile(file, ours, { flag: 'r+' });
}
