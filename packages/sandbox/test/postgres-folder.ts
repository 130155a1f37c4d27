import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { onTestFinished, vi } from 'vitest';
import { cachedBuild } from '../../../test/support/cached-build.js';
import { programPath } from '../../server/test/support/program-path.js';
import {
  type PostgresOptions,
  type RunningPostgres,
  startPostgres,
} from '../src/postgres/start-postgres.js';

/** True if the tests run as root, where PostgreSQL needs another account. */
export const isRoot = process.getuid?.() === 0;

type OnEnd = (remove: () => Promise<void>) => unknown;

/**
 * Creates a folder that every account can enter.
 *
 * @param onEnd - is given a function that removes it, with any server in it; by default that is
 *   done after the test
 */
export function newFolder(onEnd: OnEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'adx-sandbox-'));
  chmodSync(folder, 0o711);
  onEnd(async () => {
    for (const pid of serversBelow(folder)) process.kill(pid, 'SIGKILL');
    // A server that is ending may still add files.
    await vi.waitFor(() => rmSync(folder, { recursive: true, force: true }), { timeout: 120_000 });
  });
  return folder;
}

/**
 * Creates a data folder with a new cluster, by a copy: `initdb` takes a second of CPU time. It need
 * not survive a crash.
 *
 * @param onEnd - as for {@link newFolder}
 */
export async function newDataFolder(onEnd?: OnEnd): Promise<string> {
  const initialised = await cachedBuild({
    name: 'postgres',
    inputs: [
      ...['data-folder', 'free-port', 'lock-folder'].map((it) => `packages/sandbox/src/${it}.ts`),
      ...['package.json', 'src/postgres', 'test/initialise-postgres.ts'].map(
        (path) => `packages/sandbox/${path}`,
      ),
    ],
    // The account of PostgreSQL has to enter both folders.
    commands: `
      chmod 711 .
      mkdir -m 711 data
      node --conditions=adx-source --import tsx packages/sandbox/test/initialise-postgres.ts "$PWD/data"`,
    output: 'data',
  });
  const folder = newFolder(onEnd);
  // Keeps the owner, which PostgreSQL checks.
  execFileSync('cp', ['-a', `${initialised}/.`, folder]);
  return folder;
}

/** Starts PostgreSQL in this process. It is stopped after the test. */
export async function start(
  dataDir: string,
  options: Partial<PostgresOptions> = {},
): Promise<RunningPostgres> {
  const postgres = await startPostgres({ dataDir, isDurable: false, ...options });
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    await postgres.stop();
  };
  onTestFinished(stop);
  return { ...postgres, stop };
}

/** Starts PostgreSQL as `adx-sandbox database` does, in a process that the test can kill. */
export async function startProcess(dataDir: string) {
  const child = spawn(
    process.execPath,
    [programPath('adx-sandbox'), 'database', '--data', dataDir],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [line] = await once(createInterface(child.stdout), 'line');
  return {
    url: (database: string) => String(line).replace('DATABASE_URL=', '').replace(/adx$/, database),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Returns the first value of the first row of a query. */
export async function ask(postgres: Pick<RunningPostgres, 'url'>, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/**
 * Returns the process that serves a cluster, from PostgreSQL's PID file; undefined if there is
 * none.
 */
export function serverOf(cluster: string): number | undefined {
  const pidFile = join(cluster, 'postmaster.pid');
  const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : Number.NaN;
  return Number.isNaN(pid) || !isAlive(pid) ? undefined : pid;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Returns the processes of all servers in a folder and its subfolders. */
export function serversBelow(folder: string): number[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('postmaster.pid'))
    .flatMap((path) => serverOf(join(folder, path, '..')) ?? []);
}
