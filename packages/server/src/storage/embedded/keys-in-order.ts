import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { keyOfName, unescapeKey } from './object-path.js';

/** Where in a bucket a list begins. */
export interface KeyRange {
  readonly prefix: string;
  /** Only keys behind this one; all for the empty one. */
  readonly startAfter: string;
}

/** An object, or a folder of objects, with its key up to there. */
interface Entry {
  readonly path: string;
  /** In bytes; that of a folder ends in a slash, and begins the keys of all that lies in it. */
  readonly key: Buffer;
  readonly isFolder: boolean;
}

/**
 * The keys below the folder of a bucket in the order of their bytes. Folders are read as the reader
 * comes to them: those before the range, or behind where it stops, are not.
 */
export async function* keysInOrder(
  folder: string,
  { prefix, startAfter }: KeyRange,
): AsyncGenerator<string, void, undefined> {
  yield* keysBelow(folder, '', Buffer.from(prefix), Buffer.from(startAfter));
}

async function* keysBelow(
  folder: string,
  before: string,
  prefix: Buffer,
  startAfter: Buffer,
): AsyncGenerator<string, void, undefined> {
  const entries = await readEntries(folder, before);
  const wanted = entries.filter((entry) => mayBegin(entry, prefix) && !isBehind(startAfter, entry));
  for (const { path, key, isFolder } of wanted.sort(byKey)) {
    if (isFolder) yield* keysBelow(path, key.toString(), prefix, startAfter);
    else yield key.toString();
  }
}

/**
 * What lies in a folder. A name that is too long for one goes on in the next: what it holds belongs
 * between the others, as it is not until its end that it can be unescaped.
 */
async function readEntries(folder: string, before: string, escaped = ''): Promise<Entry[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(ignoreMissing);
  const entries: Entry[] = [];
  for (const each of found) {
    const isDirectory = each.isDirectory();
    const part = keyOfName(each.name, isDirectory);
    if (part === undefined) continue;
    const path = join(folder, each.name);
    if (isDirectory && !part.endsWith('/')) {
      entries.push(...(await readEntries(path, before, escaped + part)));
    } else {
      const key = Buffer.from(before + unescapeKey(escaped + part));
      entries.push({ path, key, isFolder: isDirectory });
    }
  }
  return entries;
}

function mayBegin({ key, isFolder }: Entry, prefix: Buffer): boolean {
  const length = isFolder ? Math.min(key.length, prefix.length) : prefix.length;
  return key.subarray(0, length).equals(prefix.subarray(0, length));
}

/** Whether a key is the one of an entry, or behind all that is in it. */
function isBehind(startAfter: Buffer, { key, isFolder }: Entry): boolean {
  const compared = isFolder ? startAfter.subarray(0, key.length) : startAfter;
  const order = Buffer.compare(compared, key);
  return isFolder ? order > 0 : order >= 0;
}

function byKey(one: Entry, other: Entry): number {
  return Buffer.compare(one.key, other.key);
}

function ignoreMissing(error: unknown): [] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}
