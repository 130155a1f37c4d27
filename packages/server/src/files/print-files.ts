import { readCoda, readCodb } from '@adx/statements';
import { type PrintedLanguage, renderPayrollPdf, renderStatementPdf } from '@adx/statements/pdf';
import type { Knex } from 'knex';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { replaceUnprintable } from '../identifiers/unprintable.js';
import type { Storage } from '../storage/open-storage.js';
import { forCall } from '../storage/s3-client.js';
import { isRefusal, isTimeout } from '../storage/storage-failure.js';
import type { PdfStatus } from './operator-files.js';

/** The number of files that a process prints at once. One of them is rendered, the others wait for the storage. */
export const PRINTED_AT_ONCE = 4;

/** The number of files of a firm that are looked up at once. */
const BATCH = 20;

/**
 * The size of the largest file that is printed, in bytes: some 40,000 lines. The memory for printing grows
 * with it, and a PDF of thousands of pages helps nobody.
 */
const largestPrinted = 5 * 2 ** 20;

/** The number of attempts to print a file that may end with their process before it is given up. */
const mostPrintAttempts = 3;

/** A listed file that has not been printed. */
interface UnprintedFile {
  readonly id: string;
  readonly firmId: string;
  readonly product: 'CODA' | 'CODB';
  readonly objectKey: string;
  readonly pdfKey: string;
  /** French if the contact of the customer reads French, Dutch otherwise (D-13). */
  readonly language: PrintedLanguage;
  /** Null for payroll files and unknown banks. */
  readonly bankName: string | null;
  /**
   * The number of attempts to print it that had not ended when it was looked up: their processes had, or were
   * still printing it.
   */
  readonly attempts: number;
}

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
  /** How often the storage did not respond in time, and the last error. */
  let hangs: { readonly count: number; readonly error?: Error } = { count: 0 };

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
    const hangsBefore = hangs.count;
    const work = async () => {
      // Otherwise each of the waiting calls would wait for the timeout of every one before it.
      if (hangs.count > hangsBefore) return hangs.error;
      const error = await print(file);
      if (error !== undefined && isTimeout(error)) hangs = { count: hangs.count + 1, error };
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
    for (const file of await findUnprinted(knex, ids)) {
      const failure = await printInTurn(file);
      if (failure !== undefined) throw failure;
    }
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
        const files = await findOldest(knex, firmId, after);
        if (files.length === 0) {
          return isAnyPrinted || after === from ? { isFailed: false } : { after, isFailed: true };
        }
        for (const file of files) {
          after = file.id;
          const failure = await printInTurn(file);
          isAnyPrinted ||= failure === undefined;
          const isAway = failure !== undefined && !isRefusal(failure);
          if (isAway || performance.now() > end)
            return { after, isFailed: isAway || !isAnyPrinted };
        }
      }
    },
  };
}

/** Returns a text as the database can store it. */
function storable(text: string): string {
  return replaceUnprintable(text, '\ufffd');
}

/**
 * Counts an attempt to print a file before it begins, so that one that ends the process, for example for
 * lack of memory, is not tried for ever.
 *
 * @returns the number of attempts that have not ended, with this one; undefined if the file needs no PDF
 */
async function beginPrinting(knex: Knex, id: string): Promise<number | undefined> {
  const [row] = await knex('files')
    .where({ id, pdf_status: 'missing' })
    .update({ print_attempts: knex.raw('print_attempts + 1') })
    .returning<{ print_attempts: number }[]>('print_attempts');
  return row?.print_attempts;
}

/** The end of an attempt: `missing` if the file is to be printed later. */
interface PrintOutcome {
  readonly status: PdfStatus;
  readonly failure: string | null;
}

/**
 * Records the end of an attempt. A PDF counts even if the file was given up meanwhile, because too many
 * processes were printing it at the same time. The attempts of other processes go on.
 *
 * @returns false if the file was erased meanwhile
 */
async function endPrinting(
  knex: Knex,
  id: string,
  { status, failure }: PrintOutcome,
): Promise<boolean> {
  const isOpen = "(pdf_status = 'missing' or :status = 'present')";
  const { rowCount } = await knex.raw<{ rowCount: number }>(
    `update files set print_attempts = greatest(print_attempts - 1, 0),
            pdf_status = case when ${isOpen} then :status else pdf_status end,
            print_failure = case when ${isOpen} then :failure else print_failure end
      where id = :id`,
    { id, status, failure },
  );
  return rowCount > 0;
}

const unprintedColumns = `f.id, f.firm_id as "firmId", f.product, f.object_key as "objectKey", f.pdf_key as "pdfKey",
            case c.contact_language when 'fr' then 'fr' else 'nl' end as language,
            b.name as "bankName", f.print_attempts as attempts`;

const joinedToFiles = `join customers c on c.id = f.customer_id
       left join banks_by_code b on b.bank_code = substr(f.iban, 5, 3) and f.iban like 'BE%'`;

async function findUnprinted(knex: Knex, ids: readonly string[]): Promise<UnprintedFile[]> {
  const { rows } = await knex.raw<{ rows: UnprintedFile[] }>(
    `select ${unprintedColumns} from files f ${joinedToFiles}
      where f.pdf_status = 'missing' and f.id = any(?)`,
    [[...ids]],
  );
  return rows;
}

/** Returns the oldest files of a firm that have not been printed, after one of them. */
async function findOldest(knex: Knex, firmId: string, after: string): Promise<UnprintedFile[]> {
  const { rows } = await knex.raw<{ rows: UnprintedFile[] }>(
    `select ${unprintedColumns} from files f ${joinedToFiles}
      where f.pdf_status = 'missing' and f.firm_id = ? and f.id > ?
      order by f.id limit ${BATCH}`,
    [firmId, after],
  );
  return rows;
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
