import { buffer } from 'node:stream/consumers';
import { readCoda, readCodb } from '@adx/statements';
import { type PrintedLanguage, renderPayrollPdf, renderStatementPdf } from '@adx/statements/pdf';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { replaceUnprintable } from '../identifiers/unprintable.js';
import type { RepeatingWork } from '../jobs/repeating-tasks.js';
import type { Storage } from '../storage/open-storage.js';
import { forCall } from '../storage/s3-client.js';
import { isTimeout } from '../storage/storage-failure.js';
import type { PdfStatus } from './operator-files.js';

/** The number of a firm's files that are printed before it is the turn of the other firms again. */
const filesPerTurn = 5;

/** The pause between two searches for files to print, in ms, and the longest time that one run prints. */
const PRINT_MS = 2_000;

/**
 * The size of the largest file that is printed, in bytes: some 40,000 lines. The memory for printing grows
 * with it, and a PDF of thousands of pages helps nobody.
 */
const largestPrinted = 5 * 2 ** 20;

/** The number of attempts to print a file that may end with their process before it is given up. */
const mostPrintAttempts = 3;

/** The number of failed files from which a printer tries them again. So many fail if the storage is away. */
const MAX_FAILED = 1000;

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
}

export type FilePrinter = ReturnType<typeof createFilePrinter>;

/**
 * Creates the printer of a process, which renders and stores the PDFs of listed files. Files are listed
 * first, because rendering takes most of the CPU time of an upload (D-38). A printer renders one file at
 * a time, so that other work is not delayed by more than that. A file may be printed twice, by two
 * processes or after a kill: the second PDF replaces the first.
 */
export function createFilePrinter(dependencies: {
  readonly knex: Knex;
  readonly storage: Storage;
  readonly logger: Logger;
  readonly maxFailed?: number;
}) {
  const { knex, storage, logger, maxFailed = MAX_FAILED } = dependencies;
  const { store, buckets } = storage;
  let last: Promise<unknown> = Promise.resolve();
  /** How often the storage did not respond in time, and the last error. */
  let hangs: { readonly count: number; readonly error: unknown } = { count: 0, error: undefined };
  /** The firm whose turn was last. The next run goes on after it, so that no firm is left out. */
  let lastFirmId = '';
  /** Files that failed, and are left out until a run has printed others: one may take a whole run to fail. */
  const failed = new Set<string>();

  /** Prints a file after all that wait already. */
  function printInTurn(file: UnprintedFile): Promise<void> {
    const hangsBefore = hangs;
    const printed = last.then(() => {
      // Otherwise each of the waiting calls would wait for the timeout of every one before it.
      if (hangs.count > hangsBefore.count) throw hangs.error;
      return print(file).catch((error: unknown) => {
        if (isTimeout(error)) hangs = { count: hangs.count + 1, error };
        throw error;
      });
    });
    last = printed.catch(() => {});
    return printed;
  }

  async function print(file: UnprintedFile): Promise<void> {
    // Another call or process may have printed it while this one waited.
    const attempts = await beginPrinting(knex, file.id);
    if (attempts === undefined) return;
    let outcome: PrintOutcome = { pdf_status: 'missing' };
    try {
      const stored = await store.get(buckets.files, file.objectKey, forCall());
      const content = stored === undefined ? undefined : await buffer(stored.bytes);
      const pdf = await render(file, content, attempts).catch((error: Error) => error);
      if (pdf instanceof Error) {
        logger.error({ file: file.id, err: pdf }, 'a listed file cannot be printed');
        outcome = {
          pdf_status: 'failed',
          print_failure: replaceUnprintable(pdf.message, '\ufffd'),
        };
      } else {
        await store.put(buckets.files, file.pdfKey, pdf, 'application/pdf', forCall());
        outcome = { pdf_status: 'present' };
      }
    } finally {
      // If the storage failed, the PDF is still missing.
      await endPrinting(knex, file.id, outcome);
    }
    // A file that was erased while it was printed leaves no PDF (D-63).
    const isListed = (await knex('files').where({ id: file.id }).first('id')) !== undefined;
    if (!isListed) await store.remove(buckets.files, file.pdfKey);
  }

  return {
    /** Prints those of the files that have not been printed. Returns the ids of all that have a PDF then. */
    async printFiles(ids: readonly string[]): Promise<ReadonlySet<string>> {
      for (const file of await findUnprinted(knex, ids)) await printInTurn(file);
      const printed = await knex('files')
        .whereRaw("id = any(?) and pdf_status = 'present'", [[...ids]])
        .pluck<string[]>('id');
      return new Set(printed);
    },

    /** Prints a file again, whatever its status. */
    async printAgain(id: string): Promise<void> {
      await knex('files')
        .where({ id })
        .update({ pdf_status: 'missing', print_attempts: 0, print_failure: null });
      for (const file of await findUnprinted(knex, [id])) await printInTurn(file);
    },

    /**
     * Prints files that have not been printed for some time: in turns, the oldest of each firm. One that
     * fails does not prevent the others.
     *
     * @returns true if some may be left
     * @throws Error if some could not be printed now, for example because the storage is unreachable
     */
    async printInTurns(durationMs: number): Promise<boolean> {
      const end = performance.now() + durationMs;
      const errors: unknown[] = [];
      for (;;) {
        const files = await findNextOfEachFirm(knex, lastFirmId, [...failed]);
        for (const file of files) {
          lastFirmId = file.firmId;
          await printInTurn(file).catch((error: unknown) => {
            failed.add(file.id);
            errors.push(error);
          });
          if (performance.now() > end) break;
        }
        if (files.length > 0 && performance.now() <= end) continue;
        const areOthersPrinted = files.length === 0 || errors.length === 0;
        if (areOthersPrinted || failed.size >= maxFailed) failed.clear();
        if (errors.length > 0) throw errors[0];
        return files.length > 0;
      }
    },
  };
}

/** Prints files, as repeated work of workers. */
export function printingWork(printer: FilePrinter): RepeatingWork {
  return {
    name: 'printing files',
    pauseMs: PRINT_MS,
    run: () => printer.printInTurns(PRINT_MS),
  };
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

/** The columns that the end of an attempt sets. */
interface PrintOutcome {
  readonly pdf_status: PdfStatus;
  readonly print_failure?: string;
}

/**
 * Records the end of an attempt. A PDF counts even if the file was given up meanwhile, because too many
 * processes were printing it at the same time.
 */
async function endPrinting(knex: Knex, id: string, outcome: PrintOutcome): Promise<void> {
  const before: PdfStatus[] =
    outcome.pdf_status === 'present' ? ['missing', 'failed'] : ['missing'];
  await knex('files')
    .where({ id })
    .whereIn('pdf_status', before)
    .update({ print_failure: null, ...outcome, print_attempts: 0 });
}

const unprintedColumns = `f.id, f.firm_id as "firmId", f.product, f.object_key as "objectKey", f.pdf_key as "pdfKey",
            case c.contact_language when 'fr' then 'fr' else 'nl' end as language,
            b.name as "bankName"`;

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

/**
 * Returns the oldest unprinted files of each firm: first the oldest of all firms, then the second of all,
 * each time beginning with the firms after the last one.
 */
async function findNextOfEachFirm(
  knex: Knex,
  lastFirmId: string,
  without: readonly string[],
): Promise<UnprintedFile[]> {
  const { rows } = await knex.raw<{ rows: UnprintedFile[] }>(
    `select ${unprintedColumns}
       from firms
      cross join lateral (
            select f.*, row_number() over (order by f.id) as place from files f
             where f.firm_id = firms.id and f.pdf_status = 'missing' and f.id <> all(?)
             order by f.id limit ${filesPerTurn}) f
       ${joinedToFiles}
      order by f.place, f.firm_id <= ?, f.firm_id`,
    [[...without], lastFirmId],
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
  content: Uint8Array | undefined,
  attempts: number,
): Promise<Uint8Array> {
  if (attempts > mostPrintAttempts) throw new Error('The process ended during each attempt');
  if (content === undefined) throw new Error('The object of the file is missing');
  if (content.length > largestPrinted) throw new Error('The file is larger than 5 MiB');
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
