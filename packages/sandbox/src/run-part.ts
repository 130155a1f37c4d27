import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopRequested } from '@adx/server/stop-requested';
import { keptSecret, makeDataFolder } from './data-folder.js';
import { createDatabases, type PostgresOptions, startPostgres } from './postgres/start-postgres.js';
import type { Settings } from './settings-file.js';
import { startStorage } from './storage/storage-server.js';

/** A part of the sandbox that runs by itself (D-34). */
interface Part {
  /** The settings that point the service to it. */
  readonly settings: Settings;
  close(): Promise<void>;
}

interface RunOptions {
  readonly data: string;
  /** True for a folder of its own, which is removed at the end. */
  readonly temporary: boolean;
  /** True to print the settings as JSON. */
  readonly json: boolean;
}

/** Runs a part until the process is asked to stop, and prints its settings once it is ready. */
export async function runPart(
  { data, temporary, json }: RunOptions,
  start: (options: PostgresOptions) => Promise<Part>,
): Promise<void> {
  const folder = temporary ? join(tmpdir(), `adx-sandbox-${randomUUID()}`) : data;
  const stopped = stopRequested();
  try {
    const dataDir = await makeDataFolder(folder);
    const part = await start({ dataDir, isTemporary: temporary });
    const lines = Object.entries(part.settings).map(([name, value]) => `${name}=${value}\n`);
    process.stdout.write(json ? `${JSON.stringify(part.settings)}\n` : lines.join(''));
    // Waiting for a signal alone does not keep the process running.
    const timer = setInterval(() => {}, 3_600_000);
    await stopped;
    clearInterval(timer);
    await part.close();
  } finally {
    if (temporary) await rm(folder, { recursive: true, force: true });
  }
}

/** Starts PostgreSQL with the database of the service. */
export async function startDatabase(options: PostgresOptions): Promise<Part> {
  const postgres = await startPostgres(options);
  await orStop(postgres, createDatabases(postgres.url('postgres'), ['adx']));
  return { settings: { DATABASE_URL: postgres.url('adx') }, close: () => postgres.stop() };
}

/** Starts the object storage. Its objects are in the PostgreSQL of `DATABASE_URL`, or in one of its own. */
export async function startStorageWithDatabase(
  options: PostgresOptions,
  port: number,
): Promise<Part> {
  const given = process.env['DATABASE_URL'];
  const postgres = given ? undefined : await startPostgres(options);
  const databaseUrl = given ?? postgres?.url('postgres') ?? '';
  const storage = await orStop(postgres, startStorageIn(databaseUrl, options.dataDir, port));
  return {
    settings: storage.settings,
    async close() {
      await storage.close();
      await postgres?.stop();
    },
  };
}

async function startStorageIn(databaseServer: string, dataDir: string, port: number) {
  await createDatabases(databaseServer, ['adx_storage']);
  const databaseUrl = new URL(databaseServer);
  databaseUrl.pathname = '/adx_storage';
  const secret = await keptSecret(dataDir, 'sandbox-secret');
  return startStorage({ databaseUrl: databaseUrl.href, secret, port });
}

/** Stops PostgreSQL if the work fails; it would outlive this process. */
async function orStop<Result>(
  postgres: { stop(): Promise<void> } | undefined,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
}
