import type { Knex } from 'knex';
import type { Principal } from '../../src/identity/principal.js';
import { completeRows, insertFirm, insertUser } from '../support/rows.js';

/** One user, with each kind of access. */
export type Principals = Readonly<Record<'administrator' | 'user' | 'assigned', Principal>>;

/**
 * Inserts a firm with a user and 1000 customers, each with an account, a provider and mandates. A
 * tenth is assigned to the user.
 *
 * @param before - the number of customers that were inserted earlier
 * @returns the user with each kind of access
 */
export async function insertLargeFirm(knex: Knex, before: number): Promise<Principals> {
  const firmId = await insertFirm(knex);
  const userId = await insertUser(knex, firmId);
  const numbers = { firmId, userId, first: before + 1, last: before + 1000 };
  const run = (sql: string) => knex.raw(sql, numbers);
  const from = 'from generate_series(:first::int, :last::int) n';
  const id = `lpad(to_hex(n), 24, '0')`;
  await run(
    `insert into customers (id, firm_id, enterprise_number, name, street, zip_code, municipality,
            country, contact_name, contact_function, contact_email, contact_language)
     select ${id}, :firmId, lpad(n::text, 10, '0'), 'Klant ' || n % 7, '-', '-', '-', '-', '-', '-', '-', 'nl'
       ${from}`,
  );
  await run(
    `insert into user_customers (user_id, firm_id, customer_id)
     select :userId, :firmId, ${id} ${from} where n % 10 = 0`,
  );
  await run(
    `insert into bank_accounts (id, firm_id, customer_id, iban)
     select ${id}, :firmId, ${id}, 'BE00096' || lpad(n::text, 9, '0') ${from}`,
  );
  await run(
    `insert into customer_payroll_providers (id, firm_id, customer_id, code)
     select ${id}, :firmId, ${id}, 'sdworx' ${from}`,
  );
  await completeRows(knex);
  const common = `firm_id, customer_id, customer_name_sort, enterprise_number, created_on, updated_on`;
  const values = `c.firm_id, c.id, c.name_sort, c.enterprise_number, now() + random() * interval '1 day',
                  now() + random() * interval '1 day'`;
  await run(
    `insert into mandates (id, product, status, bank_account_id, iban, bank_code, ${common})
     select a.id, 'CODA', (array['created', 'finished'])[1 + length(c.name_sort || a.iban) % 2],
            a.id, a.iban, a.bank_code, ${values}
       from bank_accounts a join customers c on c.id = a.customer_id where c.firm_id = :firmId`,
  );
  await run(
    `insert into mandates (id, product, status, payroll_link_id, payroll_provider_code, ${common})
     select 'f' || substr(l.id, 2), 'CODB', 'finished', l.id, l.code, ${values}
       from customer_payroll_providers l join customers c on c.id = l.customer_id
      where c.firm_id = :firmId`,
  );
  const principal = { firmId, userId, seesCustomers: 'all' } as const;
  return {
    administrator: { ...principal, accessLevel: 'administrator' },
    user: { ...principal, accessLevel: 'user' },
    assigned: { ...principal, accessLevel: 'user', seesCustomers: 'assigned' },
  };
}
