import { createHash, randomUUID } from 'node:crypto';
import { copyFile, type FileHandle, open, rename, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { giveToOwnerOfFolder } from '../../db/embedded/database-record.js';
import { keysInOrder } from './keys-in-order.js';
import { makeStorageFolder } from './make-storage-folder.js';
import { endOfObjectFile, type ObjectNotes, readObjectNotes } from './object-file.js';
import { pathOfKey } from './object-path.js';
import { Turns } from './turns.js';

/** An object as s3rver's controllers read it. */
export interface FolderObject {
  readonly key: string;
  readonly size: number;
  readonly lastModifiedDate: Date;
  /** By the names of the answer's headers. */
  readonly metadata: Readonly<Record<string, string | number>>;
  readonly content: Readable | null;
  /** Of the bytes in `content`, inclusive, where a part was asked for. */
  readonly range?: { readonly start: number; readonly end: number };
}

/** An object that s3rver wants stored. */
interface NewObject {
  readonly bucket: string;
  readonly key: string;
  readonly content: AsyncIterable<Buffer>;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Attempts to put a file where the removal of a neighbour may take the folder away meanwhile. */
const renameAttempts = 5;
/** Files that a list opens at the same time. */
const filesAtOnce = 32;

/**
 * The objects of the embedded storage in a folder: the store behind s3rver, in place of the one it
 * brings, which writes into the file that readers see, lists in the order of folders, so that pages
 * of a list skip keys, and takes `A` and `a` for one key on some systems.
 *
 * An object is written beside the others, synced, and renamed to its place: it is there as a whole
 * or not at all, also after a crash.
 */
export class ObjectFolder {
  readonly #folder: string;
  readonly #unfinished: string;
  /** Of those that change the same object. */
  readonly #turns = new Turns();

  /** @param folder - made by `prepare` */
  constructor(folder: string) {
    this.#folder = folder;
    this.#unfinished = join(folder, 'unfinished');
  }

  /** Makes the folders, and clears what a killed process left unfinished; only one process may. */
  async prepare(buckets: readonly string[]): Promise<void> {
    await rm(this.#unfinished, { recursive: true, force: true });
    await makeStorageFolder(this.#unfinished);
    for (const bucket of buckets) await makeStorageFolder(this.#bucketPath(bucket));
  }

  async getBucket(name: string): Promise<{ name: string; creationDate: Date } | null> {
    const found = await stat(this.#bucketPath(name)).catch(() => undefined);
    return found?.isDirectory() ? { name, creationDate: found.birthtime } : null;
  }

  /** Configurations of buckets: there are none. */
  async getSubresource(): Promise<null> {
    return null;
  }

  async existsObject(bucket: string, key: string): Promise<boolean> {
    return (await stat(this.#path(bucket, key)).catch(ignoreMissing)) !== undefined;
  }

  async putObject({ bucket, key, content, metadata }: NewObject) {
    return this.#replace(bucket, key, async (path) => {
      const file = await open(path, 'wx', 0o600);
      try {
        const { size, md5 } = await writeAll(file, content);
        await file.appendFile(endOfObjectFile({ md5, headers: { ...metadata } }));
        await file.datasync();
        return { size, md5 };
      } finally {
        await file.close();
      }
    });
  }

  async copyObject(fromBucket: string, fromKey: string, bucket: string, key: string) {
    await this.#replace(bucket, key, async (path) => {
      await copyFile(this.#path(fromBucket, fromKey), path);
      const file = await open(path, 'r+');
      try {
        await file.datasync();
      } finally {
        await file.close();
      }
      const now = new Date();
      await utimes(path, now, now);
    });
    return (await this.#describe(bucket, key))?.metadata;
  }

  async getObject(
    bucket: string,
    key: string,
    asked: { readonly start?: number; readonly end?: number } = {},
  ): Promise<FolderObject | null> {
    const opened = await this.#open(bucket, key);
    if (opened === undefined) return null;
    const { file, ...object } = opened;
    const start = asked.start ?? 0;
    const end = Math.min(asked.end ?? Number.POSITIVE_INFINITY, object.size - 1);
    const range = asked.start === undefined ? {} : { range: { start, end } };
    if (start > end) {
      await file.close();
      // An empty object is answered whole; a part of one that is not there cannot be.
      const content = asked.start === undefined ? Readable.from([]) : null;
      return { ...object, ...range, key, content };
    }
    return { ...object, ...range, key, content: file.createReadStream({ start, end }) };
  }

  /**
   * Deletes an object, which may be missing.
   *
   * @param ifMatch - the ETag that the object has to have, or `*` for any; then none may be missing
   * @returns false where that is not so, and nothing was deleted
   */
  async deleteObject(bucket: string, key: string, ifMatch?: string): Promise<boolean> {
    const path = this.#path(bucket, key);
    const isDeleted = await this.#turns.take(path, async () => {
      if (ifMatch !== undefined) {
        const found = await this.#describe(bucket, key);
        const expected = ifMatch === '*' ? found?.metadata.etag : quote(ifMatch);
        if (found === undefined || found.metadata.etag !== expected) return false;
      }
      await rm(path, { force: true });
      return true;
    });
    if (isDeleted) await this.#removeEmptyFolders(bucket, pathOfKey(key));
    return isDeleted;
  }

  async #removeEmptyFolders(bucket: string, names: readonly string[]): Promise<void> {
    // Folders that are empty now, up to the first that is not.
    for (let depth = names.length - 1; depth > 0; depth -= 1) {
      const folder = join(this.#bucketPath(bucket), ...names.slice(0, depth));
      const removed = await rmdir(folder).then(
        () => true,
        () => false,
      );
      if (!removed) return;
    }
  }

  /** Objects in the order of S3: that of the bytes of their keys. */
  async listObjects(
    bucket: string,
    options: { readonly prefix?: string; readonly startAfter?: string; readonly maxKeys: number },
  ) {
    const { prefix = '', startAfter = '', maxKeys } = options;
    const keys = keysInOrder(this.#bucketPath(bucket), { prefix, startAfter });
    const objects: FolderObject[] = [];
    let next = await keys.next();
    while (!next.done && objects.length < maxKeys) {
      const batch: string[] = [];
      const most = Math.min(filesAtOnce, maxKeys - objects.length);
      for (; !next.done && batch.length < most; next = await keys.next()) batch.push(next.value);
      const found = await Promise.all(batch.map((key) => this.#describe(bucket, key)));
      objects.push(...found.filter((object) => object !== undefined));
    }
    return { objects, isTruncated: objects.length > 0 && next.done !== true };
  }

  /** An object without its bytes. */
  async #describe(bucket: string, key: string): Promise<FolderObject | undefined> {
    const opened = await this.#open(bucket, key);
    if (opened === undefined) return undefined;
    const { file, ...object } = opened;
    await file.close();
    return { ...object, key, content: null };
  }

  async #open(bucket: string, key: string) {
    const file = await open(this.#path(bucket, key)).catch(ignoreMissing);
    if (file === undefined) return undefined;
    try {
      const { notes, size, modified } = await readObjectNotes(file);
      return { file, size, lastModifiedDate: modified, metadata: describe(notes, size, modified) };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Writes a file where nobody looks, then puts it in the place of the object. */
  async #replace<Result>(
    bucket: string,
    key: string,
    write: (path: string) => Promise<Result>,
  ): Promise<Result> {
    const unfinished = join(this.#unfinished, randomUUID());
    try {
      const result = await write(unfinished);
      await giveToOwnerOfFolder(unfinished);
      await this.#moveInto(unfinished, bucket, pathOfKey(key));
      return result;
    } finally {
      await rm(unfinished, { force: true });
    }
  }

  async #moveInto(file: string, bucket: string, names: readonly string[]): Promise<void> {
    const folder = join(this.#bucketPath(bucket), ...names.slice(0, -1));
    for (let attempt = 1; ; attempt += 1) {
      await makeStorageFolder(folder);
      try {
        const path = join(folder, names.at(-1) ?? '');
        await this.#turns.take(path, () => rename(file, path));
        break;
      } catch (error) {
        if (attempt === renameAttempts || !isMissing(error)) throw error;
      }
    }
    await syncFolder(folder);
  }

  #bucketPath(bucket: string): string {
    return join(this.#folder, 'buckets', bucket);
  }

  #path(bucket: string, key: string): string {
    return join(this.#bucketPath(bucket), ...pathOfKey(key));
  }
}

async function writeAll(file: FileHandle, content: AsyncIterable<Buffer>) {
  const hash = createHash('md5');
  let size = 0;
  for await (const bytes of content) {
    hash.update(bytes);
    size += bytes.length;
    await file.appendFile(bytes);
  }
  return { size, md5: hash.digest('hex') };
}

/** A rename survives a crash of the machine once its folder is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function describe({ md5, headers }: ObjectNotes, size: number, modified: Date) {
  return {
    ...headers,
    etag: `"${md5}"`,
    'last-modified': modified.toUTCString(),
    'content-length': size,
  };
}

/** An ETag as it is stored; some clients send it bare. */
function quote(etag: string): string {
  return etag.startsWith('"') ? etag : `"${etag}"`;
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
