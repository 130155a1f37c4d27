import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { makeDataFolder } from '../../db/embedded/data-folder.js';
import { withFolderLock } from '../../db/embedded/folder-lock.js';
import { isRunning, ownMark } from '../../db/embedded/process-mark.js';
import { keptSecret } from '../../kept-secret.js';
import { makeStorageFolder } from './make-storage-folder.js';
import { createStorageKeys, type StorageKeys } from './storage-keys.js';
import { readStorageRecord, type StorageRecord, writeStorageRecord } from './storage-record.js';
import {
  type ListeningStorage,
  listenForStorage,
  listens,
  objectsFolder,
  type StorageServerOptions,
} from './storage-server.js';

/** What to start, and where. */
export interface EmbeddedStorageOptions
  extends Pick<StorageServerOptions, 'buckets' | 'corsOrigin' | 'now' | 'logger'> {
  readonly dataDir: string;
  readonly host: string;
  /** 0 takes a free one, or that of the last time. */
  readonly port: number;
}

/** The storage of a data folder, in use by this process until `close`. */
export interface EmbeddedStorage {
  readonly keys: StorageKeys;
  readonly host: string;
  readonly port: number;
  /** Leaves the storage, and ends it where this process runs it. */
  close(): Promise<void>;
}

/** How often a process looks whether the one that runs the storage still does, in ms. */
const watchMs = 200;

/**
 * Starts the storage of a data folder, or uses the one that another process runs.
 *
 * One process runs it, in itself: it ends with that process, however that ends. Those that use it
 * meanwhile watch, and the first to see it end goes on with it at the same port; requests in
 * between are repeated by the SDK.
 *
 * @throws Error in one sentence when the port is taken
 */
export async function startEmbeddedStorage(
  options: EmbeddedStorageOptions,
): Promise<EmbeddedStorage> {
  const dataDir = await makeDataFolder(options.dataDir);
  const folder = join(dataDir, 'storage');
  await makeStorageFolder(folder);
  const keys = createStorageKeys(await keptSecret(folder, 'storage-secret'));
  const place = new StoragePlace(folder, keys, options);
  const { host, port } = await place.enter(options.host, options.port);
  return { keys, host, port, close: () => place.leave() };
}

/** The part of one user in running the storage of a folder. */
class StoragePlace {
  readonly #folder: string;
  readonly #serverOptions: StorageServerOptions;
  readonly #id = randomUUID();
  #own: ListeningStorage | undefined;
  #watch: NodeJS.Timeout | undefined;
  #step: Promise<unknown> = Promise.resolve();
  #hasLeft = false;

  constructor(folder: string, keys: StorageKeys, options: EmbeddedStorageOptions) {
    this.#folder = folder;
    const { buckets, corsOrigin, now, logger } = options;
    this.#serverOptions = {
      ...{ keys, buckets, corsOrigin, now, logger },
      folder: objectsFolder(folder),
    };
  }

  async enter(host: string, port: number): Promise<{ host: string; port: number }> {
    const place = await this.#locked(() => this.#attachOrRun(host, port));
    if (this.#own === undefined) this.#watchRunner(place);
    return place;
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    clearInterval(this.#watch);
    await this.#step;
    const own = this.#own;
    if (own === undefined) return;
    this.#own = undefined;
    await this.#locked(async () => {
      await own.close();
      const record = readStorageRecord(this.#folder);
      if (record?.runner?.id !== this.#id) return;
      await writeStorageRecord(this.#folder, { host: record.host, port: record.port });
    });
  }

  async #attachOrRun(host: string, port: number): Promise<{ host: string; port: number }> {
    const record = readStorageRecord(this.#folder);
    if (record?.runner !== undefined && isRunning(record.runner)) {
      if (await listens(record.host, record.port)) return record;
      throw new Error(
        `The storage of ${this.#folder} is run by process ${record.runner.pid}, which does not answer`,
      );
    }
    this.#own = await this.#run(host, port, record);
    const place = { host: reachable(host), port: this.#own.port };
    const runner = { ...ownMark(), id: this.#id };
    try {
      await writeStorageRecord(this.#folder, { ...place, runner });
    } catch (error) {
      await this.#own.close();
      throw error;
    }
    return place;
  }

  async #run(host: string, port: number, record: StorageRecord | undefined) {
    if (port === 0 && record !== undefined) {
      const again = await listenForStorage(host, record.port, this.#serverOptions).catch(
        ignoreTaken,
      );
      if (again !== undefined) return again;
    }
    return listenForStorage(host, port, this.#serverOptions).catch((error) => {
      ignoreTaken(error);
      throw new Error(`The port ${port} of the object storage is taken: set STORAGE_PORT`, {
        cause: error,
      });
    });
  }

  #watchRunner(place: { readonly host: string; readonly port: number }): void {
    let isBusy = false;
    this.#watch = setInterval(() => {
      const runner = readStorageRecord(this.#folder)?.runner;
      if (isBusy || this.#hasLeft || (runner !== undefined && isRunning(runner))) return;
      isBusy = true;
      this.#step = this.#takeOver(place).finally(() => {
        isBusy = false;
      });
    }, watchMs);
    this.#watch.unref();
  }

  async #takeOver({ host, port }: { readonly host: string; readonly port: number }): Promise<void> {
    try {
      await this.#locked(() => this.#attachOrRun(host, port));
      if (this.#own !== undefined) clearInterval(this.#watch);
    } catch (error) {
      this.#serverOptions.logger.warn({ err: error }, 'the embedded storage cannot be taken over');
    }
  }

  #locked<Result>(work: () => Promise<Result>): Promise<Result> {
    return withFolderLock(this.#folder, work, 'storage');
  }
}

/** Where this machine reaches what listens on an address. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

function ignoreTaken(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
}
