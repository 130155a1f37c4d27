import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { z } from 'zod';
import { keptSecret, makeDataFolder, writePrivate } from './data-folder.js';
import type { Settings } from './operator.js';
import { startPostgres } from './postgres/start-postgres.js';
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
  /** Starts the worker, which sends messages and reads uploads. */
  startWorker(): Promise<void>;
  /** Rejects if one of its processes ends by itself. */
  readonly failed: Promise<never>;
  close(): Promise<void>;
}

const running = z.object({ pid: z.number(), settings: z.record(z.string(), z.string()) });

/** Settings of the caller that reach the service. Every other one is made here. */
const passedOn = /^(SMTP_URL|MAIL_|CORS_ORIGIN$|RATE_LIMIT_|LOG_LEVEL$|HELD_DELIVERY_DAYS$|HOST$)/;

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
 * @throws Error in one sentence where a sandbox runs on the data folder, or a port is taken
 */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const dataDir = await makeDataFolder(options.dataDir);
  if ((await readRunning(dataDir)) !== undefined) {
    throw new Error(`A sandbox runs on ${dataDir} already: stop it, or choose another by --data`);
  }
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
      ...{ databaseUrl: postgres.url('adx_storage'), secret, host: '127.0.0.1' },
      port: options.storagePort,
    });
    closing.push(() => storage.close());
    const url = `http://127.0.0.1:${options.port}`;
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
      PORT: String(options.port),
      ...(options.environment['SMTP_URL'] ? {} : { MAIL_FOLDER: mailFolder }),
    };
    const logFile = join(dataDir, 'service.log');
    const failures: Promise<never>[] = [];
    await runToEnd(['migrate'], settings, logFile);
    const start = async (command: string) => {
      const child = startProcess([command], settings, logFile);
      closing.push(() => stopProcess(child));
      failures.push(failureOf(child, command));
    };
    await start('serve');
    const failed = Promise.race(failures);
    failed.catch(() => {});
    await Promise.race([untilReady(url), failed]);
    await writePrivate(settingsFile(dataDir), JSON.stringify({ pid: process.pid, settings }));
    closing.push(() => rm(settingsFile(dataDir), { force: true }));
    return { url, settings, mailFolder, logFile, startWorker: () => start('worker'), failed, close };
  } catch (error) {
    await close();
    throw error;
  }
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

/** Starts an `adx-server` command as a process, whose output goes to the log file. */
function startProcess(parameters: readonly string[], settings: Settings, logFile: string): ChildProcess {
  const command = fileURLToPath(import.meta.resolve('@adx/server/command'));
  const child = spawn(process.execPath, [...process.execArgv, command, ...parameters], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    // Ctrl+C in a terminal is for the sandbox to handle.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(logFile, { flags: 'a', mode: 0o600 });
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  return child;
}

async function runToEnd(parameters: readonly string[], settings: Settings, logFile: string) {
  const child = startProcess(parameters, settings, logFile);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`adx-server ${parameters.join(' ')} failed: see ${logFile}`);
}

function failureOf(child: ChildProcess, command: string): Promise<never> {
  return new Promise((_, reject) => {
    child.once('exit', (code, signal) => {
      reject(new Error(`adx-server ${command} has ended (${signal ?? `code ${code}`})`));
    });
  });
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    await sleep(100);
  }
}
