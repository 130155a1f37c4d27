import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, expect, onTestFinished, vi } from 'vitest';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../../src/db/embedded/embedded-postgres.js';
import { programPath } from '../../support/program-path.js';

/** Whether the tests run as root, under whom PostgreSQL needs another account. */
export const asRoot = process.getuid?.() === 0;

/** A folder that any account may pass, gone after the test, and whatever PostgreSQL still runs below. */
export function newFolder(): string {
  const folder = passableFolder();
  onTestFinished(async () => {
    for (const pid of postmastersBelow(folder)) process.kill(pid, 'SIGKILL');
    await removeInUse(folder);
  });
  return folder;
}

/**
 * Makes data folders for the calling test file, each with a database in it that is stopped: copies of
 * one that is made once, which takes a fraction of the time.
 */
export function dataDirsForFile(): () => Promise<string> {
  let prepared: Promise<string> | undefined;
  afterAll(async () => {
    if (prepared !== undefined) rmSync(dirname(await prepared), { recursive: true });
  });
  return async () => {
    prepared ??= prepare();
    const dataDir = join(newFolder(), 'data');
    // Unlike Node's own copying it keeps the owner, on whom PostgreSQL insists.
    execFileSync('cp', ['-a', await prepared, dataDir]);
    return dataDir;
  };
}

async function prepare(): Promise<string> {
  const dataDir = join(passableFolder(), 'data');
  const { stop } = await startEmbeddedPostgres({ dataDir, durable: false });
  await stop();
  return dataDir;
}

function passableFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'adx-embedded-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** Removes a folder into which a server may still write: what it adds meanwhile is removed too. */
export function removeInUse(folder: string): Promise<void> {
  return vi.waitFor(() => rmSync(folder, { recursive: true, force: true }), { timeout: 120_000 });
}

/** Starts or attaches in this process; left after the test. */
export async function start(
  dataDir: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false, ...options });
  onTestFinished(() => postgres.stop());
  return postgres;
}

/** The first value of the first row of a query on its own connection. */
export async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** Another process that uses the database of a data folder. */
export interface DatabaseUser {
  /** Tells it what to do: `stop`, `exit` or `throw`; resolves when it has ended. */
  tell(command: 'stop' | 'exit' | 'throw'): Promise<void>;
  signal(name: NodeJS.Signals): Promise<void>;
}

/** Spawns a process that will use the database of a data folder. */
export function spawnUser(dataDir: string): ChildProcess {
  const child = spawn(process.execPath, [programPath('database-user'), dataDir], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Starts another process that uses the database; resolves when it does. */
export async function startUser(dataDir: string): Promise<DatabaseUser> {
  const child = spawnUser(dataDir);
  const ended = once(child, 'exit');
  if (child.stdout === null) throw new Error('no output');
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  if (line !== 'using') throw new Error(`the process ended early: ${line}`);
  return {
    async tell(command) {
      child.stdin?.write(`${command}\n`);
      await ended;
    },
    async signal(name) {
      child.kill(name);
      await ended;
    },
  };
}

/** The process that serves a database, after what PostgreSQL noted of itself; undefined for none. */
export function servingPid(dataPath: string): number | undefined {
  const file = join(dataPath, 'postmaster.pid');
  const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN;
  return Number.isNaN(pid) || !isAlive(pid) ? undefined : pid;
}

/** Waits until no process serves the database; fails when one still does after minutes. */
export async function untilStopped(dataPath: string): Promise<void> {
  await expect.poll(() => servingPid(dataPath)).toBeUndefined();
}

function postmastersBelow(folder: string): number[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('postmaster.pid'))
    .flatMap((path) => servingPid(join(folder, path, '..')) ?? []);
}

/** Whether a process has that number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
