import { replaceUnprintable } from '@adx/command/unprintable';
import type { Product } from '@adx/contract';
import { readCoda, readCodb } from '@adx/statements';
import { renderPayrollPdf, renderStatementPdf } from '@adx/statements/pdf';
import type { Knex } from 'knex';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { z } from 'zod';
import { inTransaction } from '../db/transaction.js';
import { enqueue, type Task } from '../jobs/job.js';
import type { Storage } from '../storage/open-storage.js';
import { forCall } from '../storage/s3-client.js';
import { isRefusal } from '../storage/storage-failure.js';
import { listedKeys } from './document.js';
import { enqueuePrinting, type ListedFile, printJob } from './enqueue-printing.js';
import {
  beginPrinting,
  endPrinting,
  type FileKey,
  findFile,
  findPrinted,
  findUnprinted,
  giveUpPrinting,
  type PrintOutcome,
  resetPrinting,
  type UnprintedFile,
} from './unprinted-files.js';

/**
 * The number of files that a process prints at once for lists. One is rendered, the others wait for
 * that or for the storage, so a core is busy if a PDF takes up to so many times its CPU time.
 */
const PRINTED_AT_ONCE = 8;

/** The size of the largest printed file, in bytes: a PDF of over 40,000 lines helps nobody. */
const LARGEST_PRINTED = 5 * 2 ** 20;

/** The time that workers leave a file to an operator who prints it, in ms. */
const RETRY_MS = 60_000;

/** The number of attempts that may end with their process before a file is given up. */
const mostPrintAttempts = 3;

const payloadKey = z
  .strictObject({ fileId: z.string(), firmId: z.string() })
  .transform(({ fileId: id, firmId }) => ({ id, firmId }));

export type FilePrinter = ReturnType<typeof createFilePrinter>;

/**
 * Prints files after they were listed, because rendering takes most of the CPU time of an upload
 * (D-38). A process renders one at a time, so that other work is not delayed by more than that. A
 * file may be printed twice, by two processes or after a kill: the second PDF replaces the first.
 */
export function createFilePrinter({
  knex,
  storage,
  logger,
}: {
  readonly knex: Knex;
  readonly storage: Storage;
  readonly logger: Logger;
}) {
  const { store, buckets } = storage;
  const printing = pLimit(PRINTED_AT_ONCE);
  const rendering = pLimit(1);
  const underWay = new Map<string, Promise<void>>();

  function print(key: FileKey, content?: Uint8Array): Promise<void> {
    const { id } = key;
    const printed = underWay.get(id) ?? printNow(key, content).finally(() => underWay.delete(id));
    underWay.set(id, printed);
    return printed;
  }

  async function printNow(key: FileKey, content?: Uint8Array): Promise<void> {
    // Another call or process may have printed it while this one waited.
    const file = await beginPrinting(knex, key);
    if (file === undefined) return;
    let outcome: PrintOutcome = { status: 'missing', failure: null };
    try {
      outcome = await renderAndStore(file, content);
    } catch (error) {
      outcome = { status: 'missing', failure: storable(String(error)) };
      throw error;
    } finally {
      const isListed = await endPrinting(knex, key, outcome);
      // It was erased meanwhile (D-63). If this process is killed before, it is removed an hour
      // after the erasure.
      if (!isListed) await store.remove(buckets.files, listedKeys(file).pdfKey, forCall());
    }
  }

  /** @throws Error if the storage is away, or refuses the file */
  async function renderAndStore(file: UnprintedFile, given?: Uint8Array): Promise<PrintOutcome> {
    const content = given ?? (await readContent(file));
    const pdf = await rendering(() => render(file, content)).catch((error: Error) => error);
    if (pdf instanceof Error) {
      logger.error({ file: file.id, err: pdf }, 'a listed file cannot be printed');
      return { status: 'failed', failure: storable(pdf.message) };
    }
    await store.put(buckets.files, listedKeys(file).pdfKey, pdf, 'application/pdf', forCall());
    return { status: 'present', failure: null };
  }

  async function readContent(file: UnprintedFile): Promise<Content> {
    const stored = await store.get(buckets.files, listedKeys(file).objectKey, forCall());
    if (stored === undefined) return 'missing';
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of stored.bytes) {
      length += chunk.length;
      // Leaving the loop ends the download.
      if (length > LARGEST_PRINTED) return 'too large';
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  /**
   * Prints files, and after them one by one those whose process may have ended during an attempt,
   * so that others are not given up with them. If the storage is away, no further ones are tried.
   *
   * @throws Error if some could not be printed now
   */
  async function printAll(firmId: string, ids: readonly string[]): Promise<void> {
    const files = await findUnprinted(knex, firmId, ids);
    const failures: unknown[] = [];
    const attempt = async ({ id }: { readonly id: string }) => {
      if (failures.every(isRefusal))
        await print({ id, firmId }).catch((error) => failures.push(error));
    };
    await printing.map(
      files.filter(({ attempts }) => attempts === 0),
      attempt,
    );
    for (const file of files.filter(({ attempts }) => attempts > 0)) await attempt(file);
    if (failures.length > 0) throw failures[0];
  }

  return {
    /** Prints files that were not printed, and returns the ids of all that have a PDF then. */
    async printFiles(firmId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
      await printAll(firmId, ids);
      return new Set(await findPrinted(knex, firmId, ids));
    },

    /** Prints files that were just listed. Jobs try again from the first that fails on. */
    async printListed(files: ReadonlyMap<string, ListedFile>): Promise<void> {
      const left = new Map(files);
      for (const [id, { firmId, bytes }] of files) {
        const failure = await print({ id, firmId }, bytes).catch((error: unknown) => ({ error }));
        if (failure !== undefined) {
          logger.warn({ file: id, err: failure.error }, 'a listed file was not printed yet');
          return inTransaction(knex, (trx) => enqueuePrinting(trx, left));
        }
        left.delete(id);
      }
    },

    /** Prints a file again, whatever its status. */
    async printAgain(id: string): Promise<void> {
      const file = await findFile(knex, id);
      if (file === undefined) return;
      await inTransaction(knex, async (trx) => {
        await resetPrinting(trx, file);
        // If it fails, a worker tries it again.
        await enqueue(trx, { ...printJob(file), afterMs: RETRY_MS });
      });
      await printAll(file.firmId, [file.id]);
    },

    printFile: {
      isRoutine: true,
      async run(payload) {
        await print(payloadKey.parse(payload));
      },
      async giveUp(payload, reason) {
        await giveUpPrinting(knex, payloadKey.parse(payload), storable(reason));
      },
    } satisfies Task,
  };
}

function storable(text: string): string {
  return replaceUnprintable(text, '\ufffd');
}

type Content = Uint8Array | 'missing' | 'too large';

/** @throws Error if the file cannot be printed */
async function render(
  { product, language, bankName, attempts }: UnprintedFile,
  content: Content,
): Promise<Uint8Array> {
  if (attempts > mostPrintAttempts)
    throw new Error(`The process ended during ${mostPrintAttempts} attempts`);
  if (content === 'missing') throw new Error('The object of the file is missing');
  if (content === 'too large') throw new Error('The file is larger than 5 MiB');
  const pdf = await renderers[product](content, { language, bankName });
  if (pdf === undefined) throw new Error('The file has no document');
  return pdf;
}

/** Renders the first document; returns undefined if there is none. */
type Renderer = (
  content: Uint8Array,
  options: Pick<UnprintedFile, 'language' | 'bankName'>,
) => Promise<Uint8Array | undefined>;

const renderers: Readonly<Record<Product, Renderer>> = {
  async CODA(content, { language, bankName }) {
    for await (const { statement } of readCoda(content)) {
      const bank = bankName === null ? {} : { bankName };
      if (statement !== undefined) return renderStatementPdf(statement, { language, ...bank });
    }
    return undefined;
  },
  async CODB(content, { language }) {
    const [booking] = readCodb(content).documents ?? [];
    return booking && renderPayrollPdf(booking, { language });
  },
};
