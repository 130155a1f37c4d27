import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readIfPresent, writePrivate } from './data-folder.js';

/** The settings of the service by name, as its environment has them. */
export type Settings = Readonly<Record<string, string>>;

/** The settings of the service, with those that scenarios need. */
export const serviceSettings = z
  .object({
    DATABASE_URL: z.string(),
    SIGNING_KEY_SECRET: z.string(),
    PUBLIC_URL: z.string(),
    PORT: z.string(),
  })
  .catchall(z.string());

export type ServiceSettings = z.infer<typeof serviceSettings>;

/** Calls of the sandbox itself, which get no errors of scenarios: `/sandbox/service/v1/…`. */
export const ownCalls = '/sandbox/service';

const content = z.object({ pid: z.number(), settings: z.record(z.string(), z.string()) });

const fileOf = (dataDir: string) => join(dataDir, 'sandbox.json');

export async function saveSettings(dataDir: string, settings: Settings): Promise<void> {
  await writePrivate(fileOf(dataDir), JSON.stringify({ pid: process.pid, settings }));
}

/** Returns the settings of the running sandbox; undefined if none uses the data folder. */
export async function readSettings(dataDir: string): Promise<Settings | undefined> {
  const text = await readIfPresent(fileOf(dataDir));
  if (text === undefined) return undefined;
  const { pid, settings } = content.parse(JSON.parse(text));
  try {
    process.kill(pid, 0);
    return settings;
  } catch {
    return undefined;
  }
}

/** @throws Error in one sentence if no sandbox is running that uses the data folder */
export async function requireSettings(dataDir: string): Promise<Settings> {
  const settings = await readSettings(dataDir);
  if (settings !== undefined) return settings;
  throw new Error(
    `No sandbox is running on ${dataDir}: start one with \`adx-sandbox start\`, or name another folder with \`adx-sandbox --data <folder> <command>\``,
  );
}

export async function removeSettings(dataDir: string): Promise<void> {
  await rm(fileOf(dataDir), { force: true });
}
