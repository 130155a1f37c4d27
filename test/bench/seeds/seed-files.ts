import type { Knex } from 'knex';
import { balances } from '../uploads/bank-statement.js';
import { customerIdOf } from './seed-customers.js';

/**
 * Adds statements of one account to each customer, numbered from 1, which statements of `bank-statement.ts`
 * continue.
 *
 * @param customers - the numbers of customers; all of the database if they are missing
 */
export async function seedCodaFiles(
  knex: Knex,
  filesOfEach: number,
  customers?: readonly number[],
): Promise<void> {
  await knex.raw(
    `insert into files (id, product, firm_id, customer_id, iban, currency, extension, year,
            statement_number, statement_date, file_name, processed_on, content_hash, hash_version, object_key,
            pdf_key, created_on, old_balance, new_balance)
     select substr(md5(c.id || n), 1, 24), 'CODA', c.firm_id, c.id, a.iban, 'EUR', '', 2026, n,
            day, a.iban || '_EUR_2026_' || n || '.cod', now(),
            sha256((c.id || n)::bytea), 2, 'coda/' || md5(c.id || n), 'coda/' || md5(c.id || n) || '.pdf',
            day, :first + (n - 1) * :change, :first + n * :change
       from customers c join bank_accounts a on a.customer_id = c.id
      cross join generate_series(1, :filesOfEach::bigint) n
      cross join lateral (select date '2026-01-01' + ((n - 1) % 365)::integer as day) dated
      where :customers::text[] is null or c.id = any(:customers)`,
    {
      ...{ filesOfEach, customers: customers?.map(customerIdOf) ?? null },
      ...{ first: Number(balances.first), change: Number(balances.change) },
    },
  );
  await knex.raw('analyze files');
}
