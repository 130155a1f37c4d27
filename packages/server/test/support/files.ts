import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { newObjectId } from '../../src/identifiers/object-id.js';

/** The fields of a file that tests set. The other fields have defaults. */
export interface NewFile {
  readonly id: string;
  readonly fileName: string;
  readonly year: number;
  readonly statementNumber: number;
  /** `YYYY-MM-DD` */
  readonly statementDate: string;
  readonly processedOn: string | Date;
  /** The content. Two files with the same key differ in it. */
  readonly content: string;
}

export interface NewCodaFile extends NewFile {
  readonly iban: string;
  readonly currency: string;
  readonly extension: string;
}

export interface NewCodbFile extends NewFile {
  readonly payrollProvider: string;
  /** `YYYYMM` */
  readonly accountPeriod: number;
}

/** Stores the row of a CODA file like `ingest`, and returns its id. */
export async function insertCodaFile(
  knex: Knex,
  customerId: string,
  file: Partial<NewCodaFile> = {},
): Promise<string> {
  const { iban = 'BE71096123456769', currency = 'EUR', extension = '', ...common } = file;
  return insert(knex, customerId, 'CODA', common, { iban, currency, extension });
}

/** Stores the row of a CODB file like `ingest`, and returns its id. */
export async function insertCodbFile(
  knex: Knex,
  customerId: string,
  file: Partial<NewCodbFile> = {},
): Promise<string> {
  const { payrollProvider = 'SD Worx', accountPeriod = 202602, ...common } = file;
  return insert(
    knex,
    customerId,
    'CODB',
    { year: Math.floor(accountPeriod / 100), ...common },
    { payroll_provider: payrollProvider, account_period: accountPeriod },
  );
}

async function insert(
  knex: Knex,
  customerId: string,
  product: 'CODA' | 'CODB',
  file: Partial<NewFile>,
  ofProduct: Readonly<Record<string, string | number>>,
): Promise<string> {
  const id = file.id ?? newObjectId();
  const { firm_id } = await knex('customers').where({ id: customerId }).first('firm_id');
  await knex('files').insert({
    id,
    product,
    firm_id,
    customer_id: customerId,
    year: file.year ?? 2026,
    statement_number: file.statementNumber ?? 1,
    statement_date: file.statementDate ?? '2026-03-02',
    file_name: file.fileName ?? `${id}.${product === 'CODA' ? 'cod' : 'xml'}`,
    processed_on: file.processedOn ?? '2026-03-03T05:12:44.310Z',
    content_hash: createHash('sha256')
      .update(file.content ?? id)
      .digest(),
    is_delivered: false,
    object_key: `${product.toLowerCase()}/${id}`,
    pdf_key: `${product.toLowerCase()}/${id}.pdf`,
    ...ofProduct,
  });
  return id;
}
