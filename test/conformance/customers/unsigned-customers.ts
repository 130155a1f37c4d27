import type { Client } from '@adx/client';
import type { CreateCustomerRequest, Customer } from '@adx/contract';
import type { Knex } from 'knex';
import { expect } from 'vitest';
import { DAY } from '../../../packages/server/src/dates/brussels-day.js';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { useSignedInService } from '../../support/use-service.js';

/** The number of unsigned links that each firm may have. */
export const perFirm = 4;

/** Gives a test file a service with that limit, and with links that give way after 90 days. */
export const useServiceWithLimit = () =>
  useSignedInService({
    settings: { UNSIGNED_LINKS_PER_FIRM: String(perFirm), UNSIGNED_LINK_DAYS: '90' },
  });

export async function age(knex: Knex, { id }: Customer, days: number): Promise<void> {
  const ofCustomer = { customer_id: id };
  for (const [table, where] of [
    ['customers', { id }],
    ...['bank_accounts', 'customer_payroll_providers', 'mandates'].map(
      (name) => [name, ofCustomer] as const,
    ),
  ] as const) {
    for (const row of await knex(table).where(where).select('id', 'created_on')) {
      const created_on = new Date(row.created_on.getTime() - days * DAY);
      await knex(table).where({ id: row.id }).update({ created_on });
    }
  }
}

export const withAccounts = (count: number): CreateCustomerRequest =>
  newCustomer({ bankAccounts: Array.from({ length: count }, () => ({ iban: newIban() })) });

export async function mandateOf(client: Client, { id }: Customer): Promise<string> {
  const { records } = await client.mandates.search({ customerId: id });
  return records[0]?.id ?? expect.fail('the customer has no mandate');
}
