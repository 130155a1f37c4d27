import type { Product } from '@adx/contract';
import type { PrintedLanguage } from '@adx/statements/pdf';
import type { Knex } from 'knex';
import { type Listing, readRecord, readRecords } from '../api/paging.js';
import { fragment } from '../api/sql-fragment.js';
import { customersWithVisibleFiles, type OperatorScope } from '../identity/principal.js';
import type { ListedDocument } from './document.js';

/** The state of the PDF of a listed file: `missing` until the file has been printed (D-38). */
export type PdfStatus = 'present' | 'missing' | 'failed';

interface ShownFile {
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

/** The files that the operator sees: first those that cannot be printed, then the oldest. */
const shownFiles = (operator: OperatorScope): Listing<ShownFile, ShownFile> => ({
  from: `files f join customers c on c.id = f.customer_id and c.firm_id = f.firm_id
         left join unprinted_files p on p.file_id = f.id and p.firm_id = f.firm_id`,
  visible: customersWithVisibleFiles(operator),
  sort: ['p.status'],
  id: 'f.id',
  direction: 'asc',
  columns: fragment(
    `f.id, f.product, f.file_name as "fileName", f.firm_id as "firmId",
     f.customer_id as "customerId", c.name as "customerName", f.upload_id as "uploadId",
     f.processed_on as "processedOn", coalesce(p.status, 'present') as pdf, p.failure`,
  ),
  toItem: (file) => file,
});

const maximumRows = 1000;

export async function listUnprinted(knex: Knex, operator: OperatorScope): Promise<ShownFile[]> {
  const isUnprinted = fragment("p.status <> 'present'");
  const options = { limit: maximumRows };
  return withUploads(knex, await readRecords(knex, shownFiles(operator), [isUnprinted], options));
}

export async function showFile(
  knex: Knex,
  operator: OperatorScope,
  id: string,
): Promise<ShownFile | undefined> {
  const found = await readRecord(knex, shownFiles(operator), id);
  return found && (await withUploads(knex, [found]))[0];
}

/** Takes away the ids of uploads that have no record any more. An upload may be of no firm. */
async function withUploads(knex: Knex, files: readonly ShownFile[]): Promise<ShownFile[]> {
  const ids = files.flatMap(({ uploadId }) => uploadId ?? []);
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    'select id from uploads where id = any(?)',
    [ids],
  );
  const uploads = new Set<string | null>(rows.map(({ id }) => id));
  return files.map((file) => ({
    ...file,
    uploadId: uploads.has(file.uploadId) ? file.uploadId : null,
  }));
}

export interface FileKey {
  readonly id: string;
  readonly firmId: string;
}

export function findFile(knex: Knex, id: string): Promise<FileKey | undefined> {
  return knex('files').where({ id }).first('id', { firmId: 'firm_id' });
}

export interface UnprintedFile extends ListedDocument {
  /** French if the contact of the customer reads French, Dutch otherwise (D-13). */
  readonly language: PrintedLanguage;
  /** Null for payroll files and unknown banks. */
  readonly bankName: string | null;
  /** The number of attempts to print it that have not ended, with this one. */
  readonly attempts: number;
}

/**
 * Counts an attempt to print a file before it begins, so that one that ends the process, for
 * example for lack of memory, is not tried for ever.
 *
 * @returns the file, its attempts with this one; undefined if it needs no PDF
 */
export async function beginPrinting(
  knex: Knex,
  { id, firmId }: FileKey,
): Promise<UnprintedFile | undefined> {
  const { rows } = await knex.raw<{ rows: UnprintedFile[] }>(
    `with p as (
       update unprinted_files set attempts = attempts + 1
        where file_id = :id and firm_id = :firmId and status = 'missing' returning *)
     select f.id, f.product, f.customer_id as "customerId", p.attempts, b.name as "bankName",
            case c.contact_language when 'fr' then 'fr' else 'nl' end as language
       from p
       join files f on f.id = p.file_id and f.firm_id = p.firm_id
       join customers c on c.id = f.customer_id and c.firm_id = f.firm_id
       left join banks_by_code b on b.bank_code = substr(f.iban, 5, 3) and f.iban like 'BE%'`,
    { id, firmId },
  );
  return rows[0];
}

export interface PrintOutcome {
  readonly status: PdfStatus;
  readonly failure: string | null;
}

/**
 * Ends an attempt. A PDF counts even if the file was given up meanwhile, because too many processes
 * were printing it at the same time. The attempts of other processes go on.
 *
 * @returns false if the file was erased meanwhile
 */
export async function endPrinting(
  knex: Knex,
  { id, firmId }: FileKey,
  { status, failure }: PrintOutcome,
): Promise<boolean> {
  const { rowCount: deleted } = await knex.raw<{ rowCount: number }>(
    `delete from unprinted_files
      where file_id = :id and firm_id = :firmId and attempts <= 1
        and (:status = 'present' or status = 'present')`,
    { id, firmId, status },
  );
  if (deleted > 0) return true;
  const isOpen = "(status = 'missing' or :status = 'present')";
  const { rowCount: updated } = await knex.raw<{ rowCount: number }>(
    `update unprinted_files
        set attempts = greatest(attempts - 1, 0),
            status = case when ${isOpen} then :status else status end,
            failure = case when ${isOpen} then :failure else failure end
      where file_id = :id and firm_id = :firmId`,
    { id, firmId, status, failure },
  );
  if (updated > 0) return true;
  // Another process has printed it, unless it was erased.
  return (await knex('files').where({ id, firm_id: firmId }).first('id')) !== undefined;
}

/** Returns those of the files that have not been printed, the oldest first. */
export async function findUnprinted(
  knex: Knex,
  firmId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly attempts: number }[]> {
  return knex('unprinted_files')
    .where({ firm_id: firmId, status: 'missing' })
    .whereRaw('file_id = any(?)', [[...ids]])
    .orderBy('file_id')
    .select({ id: 'file_id' }, 'attempts');
}

export async function findPrinted(
  knex: Knex,
  firmId: string,
  ids: readonly string[],
): Promise<string[]> {
  return knex('files as f')
    .where({ firm_id: firmId })
    .whereRaw(`f.id = any(?) and ${hasPdf}`, [[...ids]])
    .pluck<string[]>('f.id');
}

/** The SQL condition that a file `f` has been printed. */
export const hasPdf = hasPdfIn('f.firm_id');

/** Returns the same, where only the value of the firm says on which node it is (D-72). */
export function hasPdfIn(firmId: '?' | 'f.firm_id'): string {
  return `not exists (select from unprinted_files p
              where p.file_id = f.id and p.firm_id = ${firmId} and p.status <> 'present')`;
}

export async function resetPrinting(knex: Knex, { id, firmId }: FileKey): Promise<void> {
  await knex.raw(
    // Attempts of a file that was not given up may still be running. Nothing erases it meanwhile.
    `insert into unprinted_files as p (file_id, firm_id)
     select id, firm_id from files where id = ? and firm_id = ? for key share
     on conflict (file_id, firm_id) do update set status = 'missing', failure = null,
            attempts = case when p.status = 'failed' then 0 else p.attempts end`,
    [id, firmId],
  );
}

/** Gives up printing a file. Attempts of other processes go on. */
export async function giveUpPrinting(
  knex: Knex,
  { id, firmId }: FileKey,
  failure: string,
): Promise<void> {
  await knex('unprinted_files')
    .where({ file_id: id, firm_id: firmId, status: 'missing' })
    .update({ status: 'failed', failure });
}
