import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { onTestFinished, vi } from 'vitest';
import {
  type PostgresOptions,
  type RunningPostgres,
  startPostgres,
} from '../src/postgres/start-postgres.js';

/** True if the tests run as root, under whom PostgreSQL needs another account. */
export const isRoot = process.getuid?.() === 0;

/** A folder that every account may pass. It goes with the test, and so does a server that still runs in it. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'adx-sandbox-'));
  chmodSync(folder, 0o711);
  onTestFinished(async () => {
    for (const pid of serversBelow(folder)) process.kill(pid, 'SIGKILL');
    // A server that is ending may add files meanwhile.
    await vi.waitFor(() => rmSync(folder, { recursive: true, force: true }), { timeout: 120_000 });
  });
  return folder;
}

/** Starts PostgreSQL in this process, until the test is done. */
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

/** The first value of the first row of a query. */
export async function ask(postgres: RunningPostgres, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** The process that serves a cluster, as PostgreSQL noted it; undefined where none does. */
export function serverOf(cluster: string): number | undefined {
  const mark = join(cluster, 'postmaster.pid');
  const pid = existsSync(mark) ? Number.parseInt(readFileSync(mark, 'utf8'), 10) : Number.NaN;
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

function serversBelow(folder: string): number[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('postmaster.pid'))
    .flatMap((path) => serverOf(join(folder, path, '..')) ?? []);
}
