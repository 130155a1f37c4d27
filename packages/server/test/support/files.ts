import { createHash } from 'node:crypto';
import type { Product } from '@adx/contract';
import type { Knex } from 'knex';
import { inTransaction } from '../../src/db/transaction.js';
import { formats } from '../../src/files/document.js';
import type { FilePrinter } from '../../src/files/print-files.js';
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
  product: Product,
  file: Partial<NewFile>,
  ofProduct: Readonly<Record<string, string | number>>,
): Promise<string> {
  const id = file.id ?? newObjectId();
  const { firm_id } = await knex('customers').where({ id: customerId }).first('firm_id');
  await insertFile(knex, {
    id,
    product,
    firm_id,
    customer_id: customerId,
    year: file.year ?? 2026,
    statement_number: file.statementNumber ?? 1,
    statement_date: file.statementDate ?? '2026-03-02',
    file_name: file.fileName ?? `${id}.${formats[product].extension}`,
    processed_on: file.processedOn ?? '2026-03-03T05:12:44.310Z',
    content_hash: createHash('sha256')
      .update(file.content ?? id)
      .digest(),
    is_delivered: false,
    upload_id: newObjectId(),
    ...ofProduct,
  });
  return id;
}

/** Inserts a row of `files` as a printed file, with the next arrival of its list. */
export async function insertFile(
  knex: Knex,
  row: Readonly<Record<string, unknown>> &
    Readonly<Record<'firm_id' | 'customer_id' | 'product', string>>,
): Promise<void> {
  const { firm_id, customer_id, product } = row;
  await inTransaction(knex, async (trx) => {
    const [list] = await trx('file_arrivals as n')
      .insert({ firm_id, customer_id, product, latest: 1 })
      .onConflict(['customer_id', 'product', 'firm_id'])
      .merge({ latest: trx.raw('n.latest + 1') })
      .returning('latest');
    await trx('files').insert({ ...row, arrival: list.latest });
  });
}

/**
 * Returns the query of the listed files, with the keys of their objects and the state of their
 * PDFs: `object_key`, `pdf_key`, `pdf_status`, `print_attempts` and `print_failure`.
 */
export function listedFiles(knex: Knex) {
  const extensions = Object.entries(formats).map(
    ([product, { extension }]) => `when '${product}' then '.${extension}'`,
  );
  return knex.from(
    knex.raw(
      `(select f.*, stem || case product ${extensions.join(' ')} end as object_key,
               stem || '.pdf' as pdf_key, coalesce(p.status, 'present') as pdf_status,
               coalesce(p.attempts, 0) as print_attempts, p.failure as print_failure
          from files f
          left join unprinted_files p on p.file_id = f.id and p.firm_id = f.firm_id
         cross join concat(lower(product), '/', customer_id, '/', id) as stem) as files`,
    ),
  );
}

/** Brings the counters of lists up to files that were inserted by other statements. */
export async function countArrivals(knex: Knex): Promise<void> {
  await knex.raw(
    `insert into file_arrivals as n (firm_id, customer_id, product, latest)
     select firm_id, customer_id, product, max(arrival) from files group by 1, 2, 3
     on conflict (customer_id, product, firm_id) do update set latest = excluded.latest`,
  );
}

/** Returns the query of the files that are acknowledged, once for each API key and user. */
export function acknowledgedFiles(knex: Knex) {
  return knex.from(
    knex.raw(
      `(select f.*, w.api_key_id, w.user_id
          from files f
          join acknowledged_arrivals w using (firm_id, customer_id, product)
          left join file_acknowledgements a
            using (firm_id, customer_id, product, arrival, api_key_id, user_id)
         where f.arrival <= w.up_to or a.arrival is not null) as acknowledged`,
    ),
  );
}

/** Prints all listed files that have not been printed, as workers do. */
export async function printMissing(
  knex: Knex,
  { printFiles }: Pick<FilePrinter, 'printFiles'>,
): Promise<void> {
  const missing: { id: string; firm_id: string }[] = await listedFiles(knex)
    .where({ pdf_status: 'missing' })
    .orderBy('id');
  for (const firmId of new Set(missing.map(({ firm_id }) => firm_id))) {
    await printFiles(
      firmId,
      missing.flatMap(({ id, firm_id }) => (firm_id === firmId ? id : [])),
    );
  }
}

/** Makes a listed file one without a PDF. */
export async function unprint(
  knex: Knex,
  id: string,
  row: { readonly status?: string; readonly attempts?: number; readonly failure?: string } = {},
): Promise<void> {
  const { firm_id } = await knex('files').where({ id }).first('firm_id');
  await knex('unprinted_files')
    .insert({ file_id: id, firm_id, ...row })
    .onConflict(['file_id', 'firm_id'])
    .merge();
}
