import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { z } from 'zod';
import { keptSecret, makeDataFolder, writePrivate } from './data-folder.js';
import { findFreePort } from './free-port.js';
import { createOperator, type Settings } from './operator.js';
import { startPostgres } from './postgres/start-postgres.js';
import { type ServerProcess, startServerProcess } from './server-process.js';
import { startStorage } from './storage/storage-server.js';

export interface SandboxOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly storagePort: number;
  /** Settings of the service that the caller's environment has, such as `SMTP_URL`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A service with its database and storage, on this machine. */
export interface RunningSandbox {
  readonly url: string;
  /** The settings that lead operator commands to this service. */
  readonly settings: Settings;
  readonly mailFolder: string;
  readonly logFile: string;
  /** Rejects if the service ends by itself. */
  readonly failed: Promise<never>;
  /** Starts the worker, which sends messages and reads uploads. */
  startWorker(): Promise<ServerProcess>;
  close(): Promise<void>;
}

const running = z.object({ pid: z.number(), settings: z.record(z.string(), z.string()) });

/** Settings of the caller that reach the service. Every other one is made here. */
const passedOn =
  /^(SMTP_URL$|MAIL_FROM$|MAIL_ATTEMPTS$|CORS_ORIGIN$|RATE_LIMIT_|LOG_LEVEL$|HELD_DELIVERY_DAYS$)/;

/** The file in which a running sandbox leaves its settings for commands. */
export function settingsFile(dataDir: string): string {
  return join(dataDir, 'sandbox.json');
}

/** The settings of the sandbox that runs on a data folder; undefined where none does. */
export async function readRunning(dataDir: string): Promise<Settings | undefined> {
  const text = await readFile(settingsFile(dataDir), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { pid, settings } = running.parse(JSON.parse(text));
  try {
    process.kill(pid, 0);
    return settings;
  } catch {
    return undefined;
  }
}

/**
 * Starts PostgreSQL, the storage and the service, and hands the service their addresses by the settings
 * that production uses.
 *
 * @throws Error in one sentence where another sandbox uses the data folder, or a port is taken
 */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const dataDir = await makeDataFolder(options.dataDir);
  const port = await findPort(options.port, '--port');
  const storagePort = await findPort(options.storagePort, '--storage-port');
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    const postgres = await startPostgres({ dataDir });
    closing.push(() => postgres.stop());
    await createDatabases(postgres.url('postgres'), ['adx', 'adx_storage']);
    const secret = await keptSecret(dataDir, 'sandbox-secret');
    const storage = await startStorage({
      databaseUrl: postgres.url('adx_storage'),
      secret,
      port: storagePort,
    });
    closing.push(() => storage.close());
    const url = `http://127.0.0.1:${port}`;
    const mailFolder = join(dataDir, 'mail');
    const settings = {
      ...Object.fromEntries(
        Object.entries(options.environment).flatMap(([name, value]) =>
          passedOn.test(name) && value ? [[name, value]] : [],
        ),
      ),
      ...storage.settings,
      DATABASE_URL: postgres.url('adx'),
      LINK_SECRET: await keptSecret(dataDir, 'link-secret'),
      PUBLIC_URL: url,
      PORT: String(port),
      ...docsSettings(),
      ...(options.environment['SMTP_URL'] ? {} : { MAIL_FOLDER: mailFolder }),
    };
    const logFile = join(dataDir, 'service.log');
    await createOperator(settings).run(['migrate']);
    const start = async (command: string, until: RegExp) => {
      const child = await startServerProcess(command, settings, logFile, until);
      closing.push(() => child.stop());
      return child;
    };
    const service = await start('serve', /listens on /);
    await writePrivate(settingsFile(dataDir), JSON.stringify({ pid: process.pid, settings }));
    closing.push(() => rm(settingsFile(dataDir), { force: true }));
    return {
      url,
      settings,
      mailFolder,
      logFile,
      failed: service.failed,
      startWorker: () => start('worker', /is running/),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** In the package of the sandbox the documentation is beside the program. */
function docsSettings(): Settings {
  const folder = fileURLToPath(new URL('docs', import.meta.url));
  return existsSync(folder) ? { DOCS_DIR: folder } : {};
}

async function findPort(wanted: number, option: string): Promise<number> {
  return findFreePort(wanted).catch((cause) => {
    throw new Error(`The port ${wanted} is taken: choose another by ${option}`, { cause });
  });
}

/** Creates those of the databases that are missing. */
export async function createDatabases(url: string, names: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
    const existing = rows.map(({ datname }) => datname);
    for (const name of names.filter((each) => !existing.includes(each))) {
      await client.query(`create database ${name}`);
    }
  } finally {
    await client.end();
  }
}
