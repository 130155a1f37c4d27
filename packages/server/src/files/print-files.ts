import { readCoda, readCodb } from '@adx/statements';
import { renderPayrollPdf, renderStatementPdf } from '@adx/statements/pdf';
import type { Knex } from 'knex';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { replaceUnprintable } from '../identifiers/unprintable.js';
import type { Storage } from '../storage/open-storage.js';
import { forCall } from '../storage/s3-client.js';
import { isRefusal } from '../storage/storage-failure.js';
import {
  beginPrinting,
  endPrinting,
  findOldest,
  findUnprinted,
  type PrintOutcome,
  type UnprintedFile,
} from './unprinted-files.js';

/** The number of files that a process prints at once. One of them is rendered, the others wait for the storage. */
export const PRINTED_AT_ONCE = 8;

/**
 * The size of the largest file that is printed, in bytes: some 40,000 lines. The memory for printing grows
 * with it, and a PDF of thousands of pages helps nobody.
 */
const largestPrinted = 5 * 2 ** 20;

/** The number of attempts to print a file that may end with their process before it is given up. */
const mostPrintAttempts = 3;

export type FilePrinter = ReturnType<typeof createFilePrinter>;

/** The end of a turn of a firm. */
interface PrintedTurn {
  /** The id of the file after which the next turn goes on; undefined if the firm needs none. */
  readonly after?: string;
  /** True if the storage is away, or has refused all files of the turn. */
  readonly isFailed: boolean;
}

/**
 * Creates the printer of a process, which renders and stores the PDFs of listed files. Files are listed
 * first, because rendering takes most of the CPU time of an upload (D-38). A printer renders one file at
 * a time, so that other work is not delayed by more than that. One that may have ended a process is printed
 * alone, so that others are not given up with it. A file may be printed twice, by two processes or after a kill:
 * the second PDF replaces the first.
 */
export function createFilePrinter(dependencies: {
  readonly knex: Knex;
  readonly storage: Storage;
  readonly logger: Logger;
}) {
  const { knex, storage, logger } = dependencies;
  const { store, buckets } = storage;
  const printing = pLimit(PRINTED_AT_ONCE);
  const rendering = pLimit(1);
  /** Those that are being printed or wait for it, by the id of the file. */
  const underWay = new Map<string, Promise<Error | undefined>>();
  /** How often the storage was away, and the last error. */
  let outages: { readonly count: number; readonly error?: Error } = { count: 0 };

  /** Runs work while nothing else is printed: it takes all places. */
  function alone<Result>(work: () => Promise<Result>): Promise<Result> {
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    for (let place = 1; place < PRINTED_AT_ONCE; place += 1) void printing(() => left);
    return printing(work).finally(leave);
  }

  /** Prints a file after those that wait already. Returns the error of a storage that is away. */
  function printInTurn(file: UnprintedFile): Promise<Error | undefined> {
    const outagesBefore = outages.count;
    const work = async () => {
      // Otherwise each of the waiting files would wait for the timeout of every one before it.
      if (outages.count > outagesBefore) return outages.error;
      const error = await print(file);
      if (error !== undefined && !isRefusal(error)) outages = { count: outages.count + 1, error };
      return error;
    };
    const printed =
      underWay.get(file.id) ??
      (file.attempts > 0 ? alone(work) : printing(work)).finally(() => underWay.delete(file.id));
    underWay.set(file.id, printed);
    return printed;
  }

  async function print(file: UnprintedFile): Promise<Error | undefined> {
    // Another call or process may have printed it while this one waited.
    const attempts = await beginPrinting(knex, file.id);
    if (attempts === undefined) return undefined;
    let outcome: PrintOutcome;
    let failure: Error | undefined;
    try {
      outcome = await renderAndStore(file, attempts);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      outcome = { status: 'missing', failure: storable(String(failure)) };
    }
    const isListed = await endPrinting(knex, file.id, outcome);
    // It was erased meanwhile (D-63). If this process is killed before, it is removed an hour after the erasure.
    if (!isListed) await store.remove(buckets.files, file.pdfKey, forCall());
    return failure;
  }

  /** @throws Error if the storage is away */
  async function renderAndStore(file: UnprintedFile, attempts: number): Promise<PrintOutcome> {
    const content = await readContent(file);
    const pdf =
      content instanceof Error
        ? content
        : await rendering(() => render(file, content, attempts)).catch((error: Error) => error);
    if (pdf instanceof Error) {
      logger.error({ file: file.id, err: pdf }, 'a listed file cannot be printed');
      return { status: 'failed', failure: storable(pdf.message) };
    }
    await store.put(buckets.files, file.pdfKey, pdf, 'application/pdf', forCall());
    return { status: 'present', failure: null };
  }

  /** Returns the bytes of a file, or the reason why it cannot be printed. */
  async function readContent({ objectKey }: UnprintedFile): Promise<Uint8Array | Error> {
    const stored = await store.get(buckets.files, objectKey, forCall());
    if (stored === undefined) return new Error('The object of the file is missing');
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of stored.bytes) {
      length += chunk.length;
      // Leaving the loop ends the download.
      if (length > largestPrinted) return new Error('The file is larger than 5 MiB');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  async function printAll(ids: readonly string[]): Promise<void> {
    const files = await findUnprinted(knex, ids);
    const failures = await Promise.all(files.map(printInTurn));
    const failure = failures.find((each) => each !== undefined);
    if (failure !== undefined) throw failure;
  }

  return {
    /** Prints those of the files that have not been printed. Returns the ids of all that have a PDF then. */
    async printFiles(ids: readonly string[]): Promise<ReadonlySet<string>> {
      await printAll(ids);
      const printed = await knex('files')
        .whereRaw("id = any(?) and pdf_status = 'present'", [[...ids]])
        .pluck<string[]>('id');
      return new Set(printed);
    },

    /** Prints a file again, whatever its status. */
    async printAgain(id: string): Promise<void> {
      await knex('files')
        .where({ id })
        .update({
          pdf_status: 'missing',
          print_failure: null,
          // Attempts of a file that was not given up may still be running.
          print_attempts: knex.raw(
            "case when pdf_status = 'failed' then 0 else print_attempts end",
          ),
        });
      await printAll([id]);
    },

    /**
     * Prints files of a firm that have not been printed, the oldest first, for some time or until the storage
     * is away. One that the storage refuses keeps no others waiting.
     *
     * @param from - the id of the file after which to begin
     */
    async printOfFirm(firmId: string, from: string, durationMs: number): Promise<PrintedTurn> {
      const end = performance.now() + durationMs;
      let after = from;
      let isAnyPrinted = false;
      for (;;) {
        const files = await findOldest(knex, firmId, after, PRINTED_AT_ONCE);
        const last = files.at(-1);
        if (last === undefined) {
          return isAnyPrinted || after === from ? { isFailed: false } : { after, isFailed: true };
        }
        after = last.id;
        const failures = await Promise.all(files.map(printInTurn));
        isAnyPrinted ||= failures.includes(undefined);
        const isAway = failures.some((each) => each !== undefined && !isRefusal(each));
        if (isAway || performance.now() > end) return { after, isFailed: isAway || !isAnyPrinted };
      }
    },
  };
}

/** Returns a text as the database can store it. */
function storable(text: string): string {
  return replaceUnprintable(text, '\ufffd');
}

/**
 * Renders the only document of a listed file.
 *
 * @throws Error if the file cannot be printed
 */
async function render(
  { product, language, bankName }: UnprintedFile,
  content: Uint8Array,
  attempts: number,
): Promise<Uint8Array> {
  if (attempts > mostPrintAttempts)
    throw new Error(`The process ended during ${mostPrintAttempts} attempts`);
  if (product === 'CODB') {
    const [booking] = readCodb(content).documents ?? [];
    if (booking !== undefined) return renderPayrollPdf(booking, { language });
  } else {
    for await (const { statement } of readCoda(content)) {
      const bank = bankName === null ? {} : { bankName };
      if (statement !== undefined) return renderStatementPdf(statement, { language, ...bank });
    }
  }
  throw new Error('The file has no document');
}
