import type { Knex } from 'knex';

/** Inserts mandates. Every second one is active. Their changes are a second apart, from 2026 on. */
export async function seedMandates(knex: Knex, first: number, count: number): Promise<void> {
  await knex.raw(
    `insert into mandates (id, firm_id, customer_id, product, status, bank_account_id,
                           customer_name_sort, enterprise_number, iban, bank_code, bank_name_sort,
                           created_on, updated_on)
     select a.id, c.firm_id, c.id, 'CODA', (array['waitingForBank', 'finished'])[1 + n % 2], a.id,
            c.name_sort, c.enterprise_number, a.iban, a.bank_code,
            lower(b.name collate "und-x-icu"), changed, changed
       from generate_series(?::bigint, ?::bigint) n
       cross join lateral (values (timestamptz '2026-01-01Z' + n * interval '1 s')) moved (changed)
       join bank_accounts a on a.id = lpad(to_hex(n), 24, '0')
       join customers c on c.id = a.customer_id
       left join bank_codes bc on bc.code = a.bank_code
       left join banks b on b.id = bc.bank_id`,
    [first, first + count - 1],
  );
}

/** Returns the instant at which the mandate of the customer with this number changed. */
export function mandateChangedOn(number: number): string {
  return new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
}
