import type { Knex } from 'knex';
import { balances } from '../uploads/bank-statement.js';
import { customerIdOf } from './seed-customers.js';

/** Inserts statements, which those of `bank-statement.ts` continue, without the slow triggers. */
export async function seedCodaFiles(
  knex: Knex,
  filesOfEach: number,
  customers?: readonly number[],
): Promise<void> {
  const ids = customers?.map(customerIdOf) ?? null;
  await withoutTriggers(knex, async (trx) => {
    await trx.raw(
      `insert into files (id, product, firm_id, customer_id, iban, currency, extension, year,
              statement_number, statement_date, file_name, processed_on, content_hash, is_delivered, upload_id,
              created_on, old_balance, new_balance, arrival)
       select substr(md5(c.id || n), 1, 24), 'CODA', c.firm_id, c.id, a.iban, 'EUR', '', 2026, n,
              day, a.iban || '_EUR_2026_' || n || '.cod', now(),
              sha256((c.id || n)::bytea), true, '',
              day, :first + (n - 1) * :change, :first + n * :change, n
         from customers c join bank_accounts a on a.customer_id = c.id
        cross join generate_series(1, :filesOfEach::bigint) n
        cross join lateral (select date '2026-01-01' + ((n - 1) % 365)::integer as day) dated
        where :ids::text[] is null or c.id = any(:ids)`,
      { filesOfEach, ids, first: Number(balances.first), change: Number(balances.change) },
    );
    await trx.raw(
      `insert into file_arrivals (firm_id, customer_id, product, latest)
       select firm_id, id, 'CODA', :filesOfEach from customers where :ids::text[] is null or id = any(:ids)`,
      { filesOfEach, ids },
    );
  });
  await knex.raw('analyze files');
}

/** Gives each firm without a user an administrator, with the password of the one that is there. */
export async function seedAdministrators(knex: Knex): Promise<void> {
  await knex.raw(
    `insert into users (id, firm_id, username, password_hash, access_level, sees_customers)
     select substr(md5(f.id), 1, 24), f.id, f.id || '@kantoor.example', u.password_hash, u.access_level,
            u.sees_customers
       from firms f, users u where f.id <> u.firm_id`,
  );
}

export async function seedAcknowledgements(knex: Knex): Promise<void> {
  await knex.raw(
    `insert into acknowledged_arrivals (api_key_id, user_id, firm_id, customer_id, product, up_to)
     select k.id, u.id, a.firm_id, a.customer_id, a.product, a.latest
       from api_keys k, file_arrivals a join users u on u.firm_id = a.firm_id`,
  );
  await knex.raw('analyze acknowledged_arrivals');
}

export async function withoutTriggers(
  knex: Knex,
  work: (trx: Knex.Transaction) => Promise<void>,
): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica');
    await work(trx);
  });
}
