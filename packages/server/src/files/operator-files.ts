/** Queries of the operator commands, which see the files of all firms. */

import type { Knex } from 'knex';

/** The state of the PDF of a listed file: `missing` until the file has been printed (D-38). */
export type PdfStatus = 'present' | 'missing' | 'failed';

/** A listed file, as the operator's commands show it. */
export interface ShownFile {
  readonly id: string;
  readonly product: 'CODA' | 'CODB';
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

const shownFiles = `select f.id, f.product, f.file_name as "fileName", f.firm_id as "firmId",
            f.customer_id as "customerId", c.name as "customerName", f.upload_id as "uploadId",
            f.processed_on as "processedOn", f.pdf_status as pdf, f.print_failure as failure
       from files f join customers c on c.id = f.customer_id`;

/** The largest number of files returned. */
const maximumRows = 1000;

/** Lists files without a PDF, first those that cannot be printed, then the oldest. */
export async function listUnprinted(knex: Knex, firmId?: string): Promise<ShownFile[]> {
  const { rows } = await knex.raw<{ rows: ShownFile[] }>(
    `${shownFiles}
      where f.pdf_status <> 'present' and (:firmId::text is null or f.firm_id = :firmId)
      order by f.pdf_status, f.id limit ${maximumRows}`,
    { firmId: firmId ?? null },
  );
  return rows;
}

export async function showFile(knex: Knex, id: string): Promise<ShownFile | undefined> {
  const { rows } = await knex.raw<{ rows: ShownFile[] }>(`${shownFiles} where f.id = ?`, [id]);
  return rows[0];
}
