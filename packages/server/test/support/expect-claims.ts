import type { Knex } from 'knex';
import { expect } from 'vitest';

/**
 * Expects that the claims are exactly those of the customers that are not archived and of the
 * active accounts (D-16), and that the count of each grant is that of its uploads. The stores keep
 * them, so a statement of theirs could forget it (D-68).
 */
export async function expectClaims(knex: Knex): Promise<void> {
  const wanted = `
    select enterprise_number as subject, firm_id, id from customers where archived_on is null
     union all select iban, firm_id, id from bank_accounts where disabled_on is null
     union all select 'uploads', firm_id, grant_id from uploads where grant_id is not null`;
  const kept = `
    select enterprise_number, firm_id, customer_id from claimed_enterprise_numbers
     union all select iban, firm_id, bank_account_id from claimed_ibans
     union all select 'uploads', firm_id, id from upload_grants, generate_series(1, upload_count)`;
  const { rows } = await knex.raw(
    `((${wanted}) except all (${kept})) union all ((${kept}) except all (${wanted}))`,
  );
  expect(rows, 'claims without a row, or the reverse').toEqual([]);
}
