import type { Knex } from 'knex';

/**
 * Inserts customers in one statement per table: a million takes minutes. Numbers do not overlap.
 * The caller completes the rows.
 */
export async function seedCustomers(
  knex: Knex,
  firmId: string,
  first: number,
  count: number,
): Promise<void> {
  await knex.raw(
    `insert into customers (id, firm_id, enterprise_number, name, accounting_ref, street, zip_code,
                            municipality, country, contact_name, contact_function, contact_email, contact_language)
     select lpad(to_hex(n), 24, '0'), ?,
            lpad(n::text, 8, '0') || lpad((97 - n % 97)::text, 2, '0'),
            'Customer ' || md5(n::text), 'K-' || n, 'Veldstraat ' || n % 200, '9000',
            'Gent', 'België', 'Jan Vermeulen', 'Zaakvoerder', 'c' || n || '@customer.example', 'nl'
       from generate_series(?::bigint, ?::bigint) n`,
    [firmId, first, first + count - 1],
  );
  await knex.raw(
    `with bban as (
       select n, '435' || lpad(n::text, 7, '0') as base,
              lpad(coalesce(nullif(('435' || lpad(n::text, 7, '0'))::bigint % 97, 0), 97)::text, 2, '0') as own_check
         from generate_series(?::bigint, ?::bigint) n)
     insert into bank_accounts (id, firm_id, customer_id, iban)
     select lpad(to_hex(n), 24, '0'), ?, lpad(to_hex(n), 24, '0'),
            'BE' || lpad((98 - (base || own_check || '111400')::numeric % 97)::text, 2, '0') || base || own_check
       from bban`,
    [first, first + count - 1, firmId],
  );
  await knex.raw(
    `insert into customer_payroll_providers (id, firm_id, customer_id, code)
     select lpad(to_hex(n), 24, '0'), ?, lpad(to_hex(n), 24, '0'), 'sdworx'
       from generate_series(?::bigint, ?::bigint) n`,
    [firmId, first, first + count - 1],
  );
}

export function customerIdOf(number: number): string {
  return number.toString(16).padStart(24, '0');
}
