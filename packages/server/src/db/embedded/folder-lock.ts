import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { giveToOwnerOfFolder } from './database-record.js';
import { isRunning, ownMark } from './process-mark.js';

const RELEASED = 'released';
const RETRY_MS = 20;
const PATIENCE_MS = 120_000;
/** A file that is still empty after so long was left by a process that died while writing it. */
const WRITING_MS = 10_000;

/**
 * Does some work while no other process does work under the lock of the same folder. A lock that a
 * killed process left behind is taken over.
 *
 * The lock is a row of files with rising numbers, of which the highest counts. Taking it means
 * creating the next one, which only one process can; a released file stays until a higher one
 * stands, so that numbers never start over and a slow process cannot take a lock twice.
 *
 * @param name - of the lock: work under locks of different names does not wait for each other
 * @throws Error naming the holder when the lock does not come free within two minutes
 */
export async function withFolderLock<Result>(
  folder: string,
  work: () => Promise<Result>,
  name = 'embedded-postgres',
): Promise<Result> {
  const file = await acquire(folder, `${name}.lock.`);
  try {
    return await work();
  } finally {
    await writeFile(file, RELEASED, { flag: 'r+' }).catch(ignoreMissing);
  }
}

async function acquire(folder: string, prefix: string): Promise<string> {
  const { pid, startMark } = ownMark();
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const highest = (await generations(folder, prefix)).at(-1) ?? 0;
    const holder = highest === 0 ? undefined : await holderOf(join(folder, `${prefix}${highest}`));
    if (holder !== undefined) {
      if (Date.now() > deadline) {
        throw new Error(`The folder ${folder} is locked by ${holder} for too long`);
      }
      await sleep(RETRY_MS);
      continue;
    }
    const own = highest + 1;
    const file = join(folder, `${prefix}${own}`);
    try {
      await writeFile(file, JSON.stringify({ pid, startMark }), { flag: 'wx' });
      await giveToOwnerOfFolder(file);
    } catch (error) {
      if (isError(error, 'EEXIST')) continue;
      throw error;
    }
    const all = await generations(folder, prefix);
    if (all.at(-1) !== own) {
      await rm(file, { force: true });
      continue;
    }
    const lower = all.slice(0, -1);
    await Promise.all(lower.map((n) => rm(join(folder, `${prefix}${n}`), { force: true })));
    return file;
  }
}

/** The numbers of the lock's files, rising. */
async function generations(folder: string, prefix: string): Promise<number[]> {
  return (await readdir(folder))
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .filter(Number.isSafeInteger)
    .sort((a, b) => a - b);
}

/** Who holds the lock of a file, in words; undefined where nobody does any more. */
async function holderOf(file: string): Promise<string | undefined> {
  try {
    const text = await readFile(file, 'utf8');
    if (text.startsWith(RELEASED)) return undefined;
    if (text === '') {
      const age = Date.now() - (await stat(file)).mtimeMs;
      return age < WRITING_MS ? 'a starting process' : undefined;
    }
    const { pid, startMark } = JSON.parse(text);
    return isRunning({ pid, startMark }) ? `process ${pid}` : undefined;
  } catch (error) {
    if (isError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function ignoreMissing(error: unknown): void {
  if (!isError(error, 'ENOENT')) throw error;
}

function isError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
