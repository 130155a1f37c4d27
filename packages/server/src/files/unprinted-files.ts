import type { PrintedLanguage } from '@adx/statements/pdf';
import type { Knex } from 'knex';
import { type Listing, readRecord, readRecords } from '../api/paging.js';
import { fragment } from '../api/sql-fragment.js';
import { customersWithVisibleFiles, type OperatorScope } from '../identity/principal.js';
import type { Product } from './document.js';

/** The state of the PDF of a listed file: `missing` until the file has been printed (D-38). */
export type PdfStatus = 'present' | 'missing' | 'failed';

/** A listed file, as the operator's commands show it. */
export interface ShownFile {
  readonly id: string;
  readonly product: Product;
  readonly fileName: string;
  readonly firmId: string;
  readonly customerId: string;
  readonly customerName: string;
  /** Null once the record of its upload was removed (D-63). */
  readonly uploadId: string | null;
  readonly processedOn: Date;
  readonly pdf: PdfStatus;
  /** Why it cannot be printed, or why the last attempt failed; null if `pdf` is `present`. */
  readonly failure: string | null;
}

/** The listed files that the operator sees, first those that cannot be printed, then the oldest. */
const shownFiles = (operator: OperatorScope): Listing<ShownFile, ShownFile> => ({
  from: 'files f join customers c on c.id = f.customer_id',
  visible: customersWithVisibleFiles(operator),
  sort: ['f.pdf_status'],
  id: 'f.id',
  direction: 'asc',
  columns: `f.id, f.product, f.file_name as "fileName", f.firm_id as "firmId",
            f.customer_id as "customerId", c.name as "customerName", f.upload_id as "uploadId",
            f.processed_on as "processedOn", f.pdf_status as pdf, f.print_failure as failure`,
  toItem: (file) => file,
});

/** The largest number of files returned. */
const maximumRows = 1000;

/** Lists files without a PDF. */
export function listUnprinted(knex: Knex, operator: OperatorScope): Promise<ShownFile[]> {
  const isUnprinted = fragment("f.pdf_status <> 'present'");
  return readRecords(knex, shownFiles(operator), [isUnprinted], { limit: maximumRows });
}

/** Returns a listed file, or undefined if there is none with the id. */
export function showFile(
  knex: Knex,
  operator: OperatorScope,
  id: string,
): Promise<ShownFile | undefined> {
  return readRecord(knex, shownFiles(operator), id);
}

/** A listed file that has not been printed. */
export interface UnprintedFile {
  readonly id: string;
  readonly product: Product;
  readonly objectKey: string;
  readonly pdfKey: string;
  /** French if the contact of the customer reads French, Dutch otherwise (D-13). */
  readonly language: PrintedLanguage;
  /** Null for payroll files and unknown banks. */
  readonly bankName: string | null;
  /**
   * The number of attempts to print it that have not ended, with this one: their processes have, or
   * are printing it.
   */
  readonly attempts: number;
}

const unprintedColumns = `f.id, f.product, f.object_key as "objectKey", f.pdf_key as "pdfKey",
            case c.contact_language when 'fr' then 'fr' else 'nl' end as language,
            b.name as "bankName", f.print_attempts as attempts`;

const joinedToFiles = `join customers c on c.id = f.customer_id
       left join banks_by_code b on b.bank_code = substr(f.iban, 5, 3) and f.iban like 'BE%'`;

/**
 * Counts an attempt to print a file before it begins, so that one that ends the process, for
 * example for lack of memory, is not tried for ever.
 *
 * @returns the file, its attempts with this one; undefined if it needs no PDF
 */
export async function beginPrinting(knex: Knex, id: string): Promise<UnprintedFile | undefined> {
  const { rows } = await knex.raw<{ rows: UnprintedFile[] }>(
    `with f as (
       update files set print_attempts = print_attempts + 1
        where id = ? and pdf_status = 'missing' returning *)
     select ${unprintedColumns} from f ${joinedToFiles}`,
    [id],
  );
  return rows[0];
}

/** The end of an attempt: `missing` if the file is to be printed later. */
export interface PrintOutcome {
  readonly status: PdfStatus;
  readonly failure: string | null;
}

/**
 * Records the end of an attempt. A PDF counts even if the file was given up meanwhile, because too
 * many processes were printing it at the same time. The attempts of other processes go on.
 *
 * @returns false if the file was erased meanwhile
 */
export async function endPrinting(
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

/** Returns those of the files that have not been printed, the oldest first, with their attempts. */
export async function findUnprinted(
  knex: Knex,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly attempts: number }[]> {
  return knex('files')
    .whereRaw("id = any(?) and pdf_status = 'missing'", [[...ids]])
    .orderBy('id')
    .select('id', 'print_attempts as attempts');
}

/** Returns those of the files that have a PDF. */
export async function findPrinted(knex: Knex, ids: readonly string[]): Promise<string[]> {
  return knex('files')
    .whereRaw("id = any(?) and pdf_status = 'present'", [[...ids]])
    .pluck<string[]>('id');
}

/** Makes a file one that has not been printed, whatever its status. */
export async function resetPrinting(knex: Knex, id: string): Promise<void> {
  await knex('files')
    .where({ id })
    .update({
      pdf_status: 'missing',
      print_failure: null,
      // Attempts of a file that was not given up may still be running.
      print_attempts: knex.raw("case when pdf_status = 'failed' then 0 else print_attempts end"),
    });
}

/** Records that a file is not printed any more, and why. Attempts of other processes go on. */
export async function giveUpPrinting(knex: Knex, id: string, failure: string): Promise<void> {
  await knex('files')
    .where({ id, pdf_status: 'missing' })
    .update({ pdf_status: 'failed', print_failure: failure });
}
