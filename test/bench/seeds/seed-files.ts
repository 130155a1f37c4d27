import type { Knex } from 'knex';
import { customerIdOf } from './seed-customers.js';

/** Adds statements of one account to each customer, numbered from 1. */
export async function seedCodaFiles(
  knex: Knex,
  firmId: string,
  customers: readonly number[],
  filesOfEach: number,
): Promise<void> {
  await knex.raw(
    `insert into files (id, product, firm_id, customer_id, iban, currency, extension, year,
            statement_number, statement_date, file_name, processed_on, content_hash, hash_version, object_key,
            pdf_key)
     select substr(md5(c.id || n), 1, 24), 'CODA', ?, c.id, a.iban, 'EUR', '', 2026, n,
            date '2026-01-01' + n % 365, a.iban || '_EUR_2026_' || n || '.cod', now(),
            sha256((c.id || n)::bytea), 2, 'coda/' || md5(c.id || n), 'coda/' || md5(c.id || n) || '.pdf'
       from customers c join bank_accounts a on a.customer_id = c.id,
            generate_series(1, ?::integer) n
      where c.id = any(?)`,
    [firmId, filesOfEach, customers.map(customerIdOf)],
  );
  await knex.raw('analyze files');
}
