import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopRequested } from '@adx/server/stop-requested';
import { keptSecret, makeDataFolder } from './data-folder.js';
import { explainPort } from './free-port.js';
import { createDatabases, type PostgresOptions, startPostgres } from './postgres/start-postgres.js';
import type { Settings } from './settings-file.js';
import { startStorage } from './storage/storage-server.js';

/**
 * A part of the sandbox that runs by itself (D-34), and the settings that point the service to it.
 */
interface Part {
  readonly settings: Settings;
  close(): Promise<void>;
}

export interface PartOptions {
  readonly data: string;
  readonly temporary: boolean;
  readonly json: boolean;
}

/**
 * Runs a part until the process is asked to stop, and prints its settings once it is ready. A
 * temporary part also ends when the other end of its standard input is closed, as by a test run
 * that was killed.
 */
export async function runPart(
  { data, temporary, json }: PartOptions,
  start: (options: PostgresOptions) => Promise<Part>,
): Promise<void> {
  const folder = temporary ? join(tmpdir(), `adx-sandbox-${randomUUID()}`) : data;
  const stopped = Promise.race([stopRequested(), ...(temporary ? [inputClosed()] : [])]);
  const removeTemporary = async () => {
    if (temporary) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  const dataDir = await makeDataFolder(folder);
  const part = await start({ dataDir, isTemporary: temporary }).catch(async (error: unknown) => {
    // A server that could not be stopped keeps its files.
    const isStopped = !existsSync(join(folder, 'postgres/postmaster.pid'));
    if (isStopped) await removeTemporary();
    else process.stderr.write(`PostgreSQL in ${folder} may still be running.\n`);
    throw error;
  });
  const lines = Object.entries(part.settings).map(([name, value]) => `${name}=${value}\n`);
  process.stdout.write(json ? `${JSON.stringify(part.settings)}\n` : lines.join(''));
  // Waiting for a signal alone does not keep the process running.
  const timer = setInterval(() => {}, 3_600_000);
  await stopped;
  clearInterval(timer);
  await part.close();
  await removeTemporary();
}

export async function startDatabase(options: PostgresOptions): Promise<Part> {
  const postgres = await startPostgres(options);
  await orStop(postgres, createDatabases(postgres.url('postgres'), ['adx']));
  return { settings: { DATABASE_URL: postgres.url('adx') }, close: () => postgres.stop() };
}

/** @param databaseServer - the PostgreSQL server that keeps the objects; by default its own */
export async function startStorageWithDatabase(
  options: PostgresOptions,
  port: number,
  databaseServer: string | undefined,
): Promise<Part> {
  const postgres = databaseServer === undefined ? await startPostgres(options) : undefined;
  const server = databaseServer ?? postgres?.url('postgres') ?? '';
  const storage = await orStop(postgres, startStorageIn(server, options.dataDir, port));
  return {
    settings: storage.settings,
    async close() {
      try {
        await storage.close();
      } finally {
        await postgres?.stop();
      }
    },
  };
}

async function startStorageIn(databaseServer: string, dataDir: string, port: number) {
  await createDatabases(databaseServer, ['adx_storage']);
  const databaseUrl = new URL(databaseServer);
  databaseUrl.pathname = '/adx_storage';
  const secret = await keptSecret(dataDir, 'sandbox-secret');
  return startStorage({ databaseUrl: databaseUrl.href, secret, port }).catch((error) => {
    throw explainPort(error, '--port');
  });
}

/** Stops PostgreSQL if the work fails; it would outlive this process. */
function orStop<Result>(
  postgres: { stop(): Promise<void> } | undefined,
  work: Promise<Result>,
): Promise<Result> {
  return work.catch(async (error: unknown) => {
    // A failure to stop it would hide the reason.
    await postgres?.stop().catch(() => {});
    throw error;
  });
}

/** Resolves when standard input ends, if it is a pipe: in the background it is often /dev/null. */
function inputClosed(): Promise<void> {
  const { stdin } = process;
  return new Promise((resolve) => {
    if (stdin instanceof Socket && !stdin.isTTY) stdin.once('close', resolve).resume().unref();
  });
}
