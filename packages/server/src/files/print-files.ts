import { readCoda, readCodb } from '@adx/statements';
import { renderPayrollPdf, renderStatementPdf } from '@adx/statements/pdf';
import type { Knex } from 'knex';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { replaceUnprintable } from '../identifiers/unprintable.js';
import type { Storage } from '../storage/open-storage.js';
import { forCall } from '../storage/s3-client.js';
import { isRefusal, isTimeout } from '../storage/storage-failure.js';
import {
  beginPrinting,
  endPrinting,
  findOldestUnprinted,
  findPrinted,
  findUnprinted,
  type PrintOutcome,
  resetPrinting,
  type UnprintedFile,
} from './unprinted-files.js';

/**
 * The number of files that a process prints at once. One of them is rendered, the others wait for that or for the
 * storage. So a core is busy if a PDF takes up to so many times its CPU time.
 */
export const PRINTED_AT_ONCE = 8;

/** The size of the largest file that is printed while others are, in bytes: some 2,000 lines, rendered in a moment. */
const LARGEST_TOGETHER = 2 ** 18;

/**
 * The size of the largest file that is printed, in bytes: some 40,000 lines. The memory for printing grows
 * with it, and a PDF of thousands of pages helps nobody.
 */
const LARGEST_PRINTED = 5 * 2 ** 20;

/** The number of attempts to print a file that may end with their process before it is given up. */
const mostPrintAttempts = 3;

export type FilePrinter = ReturnType<typeof createFilePrinter>;

/** The end of a turn of a firm. */
export interface PrintedTurn {
  /** The id of the file after which the next turn goes on; undefined if the firm needs none. */
  readonly after?: string;
  /** True if the storage is away, or has refused all files of the turn. */
  readonly isFailed: boolean;
}

/** The result for one file. If `isTried` is true and there is no `failure`, it has its PDF or was given up. */
interface PrintEnd {
  readonly isTried: boolean;
  /** Why it could not be printed now. */
  readonly failure?: Error | undefined;
}

/**
 * Creates the printer of a process, which renders and stores the PDFs of listed files. Files are listed
 * first, because rendering takes most of the CPU time of an upload (D-38). A printer renders one file at
 * a time, so that other work is not delayed by more than that. Large files are printed alone, and so are those that
 * may have ended a process, so that others are not given up with them. A file may be printed twice, by two processes
 * or after a kill: the second PDF replaces the first.
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
  const underWay = new Map<string, Promise<PrintEnd | undefined>>();
  /** How often the storage did not respond in time, and the last error. */
  let hangs: { readonly count: number; readonly error?: Error | undefined } = { count: 0 };

  /** Runs work while nothing else is printed: it takes all places. */
  function alone<Result>(work: () => Promise<Result>): Promise<Result> {
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    for (let place = 1; place < PRINTED_AT_ONCE; place += 1) void printing(() => left);
    return printing(work).finally(leave);
  }

  /**
   * Prints files: most of them together, and after these one by one those that are printed alone. Calls that print
   * files alone take turns.
   *
   * @param end - when no further one of those is begun
   */
  async function printEach(
    files: readonly UnprintedFile[],
    end = Number.POSITIVE_INFINITY,
  ): Promise<readonly PrintEnd[]> {
    const together = files.map(async (file) =>
      file.attempts === 0 ? printInTurn(file, false) : undefined,
    );
    // If one of them throws, the others are not left behind.
    await Promise.allSettled(together);
    const printed = await Promise.all(together);
    let isOver = printed.some(isAway);
    const ends: PrintEnd[] = [];
    for (const [index, file] of files.entries()) {
      let each = printed[index];
      if (each === undefined && !isOver) {
        each = await printInTurn(file, true);
        isOver = isAway(each) || performance.now() > end;
      }
      ends.push(each ?? { isTried: false });
    }
    return ends;
  }

  /**
   * Prints a file after those that wait already.
   *
   * @returns undefined if it has to be printed alone
   */
  function printInTurn(file: UnprintedFile, isAlone: boolean): Promise<PrintEnd | undefined> {
    const joined = underWay.get(file.id);
    if (joined !== undefined) {
      return isAlone ? joined.then((end) => end ?? printInTurn(file, true)) : joined;
    }
    const hangsBefore = hangs.count;
    const work = async () => {
      // Otherwise each of the waiting files would wait for the timeout of every one before it.
      if (hangs.count > hangsBefore) return { isTried: false, failure: hangs.error };
      const end = await print(file, isAlone);
      if (isTimeout(end?.failure)) hangs = { count: hangs.count + 1, error: end?.failure };
      return end;
    };
    const printed = (isAlone ? alone(work) : printing(work)).finally(() =>
      underWay.delete(file.id),
    );
    underWay.set(file.id, printed);
    return printed;
  }

  async function print(file: UnprintedFile, isAlone: boolean): Promise<PrintEnd | undefined> {
    // Another call or process may have printed it while this one waited.
    const attempts = await beginPrinting(knex, file.id);
    if (attempts === undefined) return { isTried: true };
    let outcome: PrintOutcome;
    let failure: Error | undefined;
    try {
      outcome = await renderAndStore(file, attempts, isAlone);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      outcome = { status: 'missing', failure: storable(String(failure)) };
    }
    const isListed = await endPrinting(knex, file.id, outcome);
    // It was erased meanwhile (D-63). If this process is killed before, it is removed an hour after the erasure.
    if (!isListed) await store.remove(buckets.files, file.pdfKey, forCall());
    const isLeft = outcome.status === 'missing' && failure === undefined;
    return isLeft ? undefined : { isTried: true, failure };
  }

  /**
   * Prints a file, unless it has to be printed alone.
   *
   * @throws Error if the storage is away
   */
  async function renderAndStore(
    file: UnprintedFile,
    attempts: number,
    isAlone: boolean,
  ): Promise<PrintOutcome> {
    const content = await readContent(file, isAlone ? LARGEST_PRINTED : LARGEST_TOGETHER);
    if (content === 'too large' && !isAlone) return { status: 'missing', failure: null };
    const pdf = await rendering(() => render(file, content, attempts)).catch(
      (error: Error) => error,
    );
    if (pdf instanceof Error) {
      logger.error({ file: file.id, err: pdf }, 'a listed file cannot be printed');
      return { status: 'failed', failure: storable(pdf.message) };
    }
    await store.put(buckets.files, file.pdfKey, pdf, 'application/pdf', forCall());
    return { status: 'present', failure: null };
  }

  async function readContent({ objectKey }: UnprintedFile, most: number): Promise<Content> {
    const stored = await store.get(buckets.files, objectKey, forCall());
    if (stored === undefined) return 'missing';
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of stored.bytes) {
      length += chunk.length;
      // Leaving the loop ends the download.
      if (length > most) return 'too large';
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  async function printAll(ids: readonly string[]): Promise<void> {
    const ends = await printEach(await findUnprinted(knex, ids));
    const failed = ends.find(({ failure }) => failure !== undefined);
    if (failed !== undefined) throw failed.failure;
  }

  return {
    /** Prints those of the files that have not been printed. Returns the ids of all that have a PDF then. */
    async printFiles(ids: readonly string[]): Promise<ReadonlySet<string>> {
      await printAll(ids);
      return new Set(await findPrinted(knex, ids));
    },

    /** Prints a file again, whatever its status. */
    async printAgain(id: string): Promise<void> {
      await resetPrinting(knex, id);
      await printAll([id]);
    },

    /**
     * Prints files of a firm that have not been printed, the oldest first and several at once, for some time or until
     * the storage is away. One that the storage refuses keeps no others waiting.
     *
     * @param from - the id of the file after which to begin
     */
    async printOfFirm(firmId: string, from: string, durationMs: number): Promise<PrintedTurn> {
      const end = performance.now() + durationMs;
      let after = from;
      let isAnyPrinted = false;
      for (;;) {
        const files = await findOldestUnprinted(knex, firmId, after, PRINTED_AT_ONCE);
        if (files.length === 0) {
          return isAnyPrinted || after === from ? { isFailed: false } : { after, isFailed: true };
        }
        const ends = await printEach(files, end);
        isAnyPrinted ||= ends.some(({ isTried, failure }) => isTried && failure === undefined);
        // The next turn looks up those again that have not been tried, and leaves out those that have their PDF.
        const untried = ends.findIndex(({ isTried }) => !isTried);
        const last = (untried === -1 ? ends.length : untried) - 1;
        after = files[last]?.id ?? after;
        const isFailed = ends.some(isAway);
        if (isFailed || performance.now() > end) {
          return { after, isFailed: isFailed || !isAnyPrinted };
        }
      }
    },
  };
}

/** Returns a text as the database can store it. */
function storable(text: string): string {
  return replaceUnprintable(text, '\ufffd');
}

/** Returns true if a file was not printed because the storage is away. */
function isAway(end: PrintEnd | undefined): boolean {
  return end?.failure !== undefined && !isRefusal(end.failure);
}

/** The bytes of a file, or why there are none. */
type Content = Uint8Array | 'missing' | 'too large';

/**
 * Renders the only document of a listed file.
 *
 * @throws Error if the file cannot be printed
 */
async function render(
  { product, language, bankName }: UnprintedFile,
  content: Content,
  attempts: number,
): Promise<Uint8Array> {
  if (attempts > mostPrintAttempts)
    throw new Error(`The process ended during ${mostPrintAttempts} attempts`);
  if (content === 'missing') throw new Error('The object of the file is missing');
  if (content === 'too large') throw new Error('The file is larger than 5 MiB');
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
