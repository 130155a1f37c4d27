import { type Client, type Download, NotFoundError, StorageError } from '@adx/client';
import { given } from '../context.js';
import { explain } from '../explain.js';
import type { Part } from './layout.js';
import { type ListedFile, listFiles, type ProductChoice, resources } from './listed-files.js';
import type { SyncedFolder } from './synced-folder.js';

interface PullOptions {
  readonly product: ProductChoice;
  /** True to write PDFs too. */
  readonly pdf: boolean;
  /** True to write acknowledged files too, unless they were ever written into this folder. */
  readonly again: boolean;
  /** The enterprise number of the only customer whose files are written. */
  readonly number: string | undefined;
}

/** The result of one run of `adx pull`. */
export interface PullResult {
  /** The paths of new files below the folder. */
  readonly written: readonly string[];
  /** The number of files that are in the folder and acknowledged. */
  readonly acknowledged: number;
  readonly failed: readonly { readonly fileName: string; readonly reason: string }[];
  /**
   * The number of files that are acknowledged, but not in this folder. 0 unless the folder is new.
   */
  readonly elsewhere: number;
  /** The error after which no more files were tried. */
  readonly error: unknown;
}

/** Is told the number of files that were tried, and of all. */
type OnProgress = (done: number, total: number) => void;

/** The number of files that become safe together, and the number of downloads at the same time. */
const groupSize = 100;
const concurrency = 4;

/**
 * Writes all files that are not acknowledged into a folder, with `again` also others. A file is
 * acknowledged once it is safe on the disk, with its PDF (D-51). The error of a single file does
 * not stop the others.
 */
export async function pull(
  client: Client,
  folder: SyncedFolder,
  { product, pdf, again, number }: PullOptions,
  onProgress: OnProgress = () => {},
): Promise<PullResult> {
  const written: string[] = [];
  const failed = new Map<string, { fileName: string; reason: string }>();
  const { isNew } = folder;
  let acknowledged = 0;
  let elsewhere = 0;
  let tried = 0;
  let error: unknown;
  try {
    const filters = { includePdf: pdf, redownload: again, ...given({ enterpriseNumber: number }) };
    const listed = await listFiles(client, product, filters);
    while (tried < listed.length && error === undefined) {
      const group = listed.slice(tried, tried + groupSize);
      const ready: ListedFile[] = [];
      await inParallel(group, async (file) => {
        if (error !== undefined) return;
        try {
          await stageParts(client, folder, file, pdf);
          ready.push(file);
        } catch (cause) {
          const { id, fileName } = file;
          if (isOfOneFile(cause)) failed.set(id, { fileName, reason: explain(cause) });
          else error ??= cause;
        }
        tried += 1;
        onProgress(tried, listed.length);
      });
      written.push(...(await folder.commit()));
      acknowledged += await acknowledge(client, ready);
    }
    // Another folder has them, or this one was lost.
    if (isNew && !again && error === undefined) {
      const all = await listFiles(client, product, { ...filters, redownload: true });
      elsewhere = all.filter((file) => !failed.has(file.id) && !folder.has(file, 'file')).length;
    }
  } catch (cause) {
    error ??= cause;
  }
  return { written, acknowledged, failed: [...failed.values()], elsewhere, error };
}

async function stageParts(
  client: Client,
  folder: SyncedFolder,
  file: ListedFile,
  pdf: boolean,
): Promise<void> {
  const parts: readonly Part[] =
    pdf && file.listed.urls.pdf !== undefined ? ['file', 'pdf'] : ['file'];
  for (const part of parts) {
    if (folder.has(file, part)) continue;
    const { bytes } = await download(client, file, part);
    await folder.stage(file, part, await bytes());
  }
}

function download(client: Client, file: ListedFile, part: Part): Promise<Download> {
  switch (file.product) {
    case 'CODA':
      return client.codaFiles.download(file.listed, { kind: part === 'pdf' ? 'pdf' : 'coda' });
    case 'CODB':
      return client.codbFiles.download(file.listed, { kind: part === 'pdf' ? 'pdf' : 'codb' });
  }
}

/**
 * Acknowledges files, and returns their number. One that is no longer listed needs no
 * acknowledgement.
 */
async function acknowledge(client: Client, files: readonly ListedFile[]): Promise<number> {
  for (const product of new Set(files.map((file) => file.product))) {
    const fileIds = files.filter((file) => file.product === product).map(({ id }) => id);
    await client[resources[product]].acknowledgeMany({ fileIds });
  }
  return files.length;
}

/**
 * Returns true if other files may succeed: the storage refuses this one, or it is no longer listed.
 */
function isOfOneFile(error: unknown): boolean {
  if (error instanceof StorageError) return error.status < 500;
  return error instanceof NotFoundError;
}

/** Does something with each item, a few at a time. Throws the first error when all have ended. */
async function inParallel<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const work = async () => {
    for (const item of queue) await run(item);
  };
  const results = await Promise.allSettled(Array.from({ length: concurrency }, work));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
