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
  const earlier = new Date(Date.now() - days * DAY);
  await knex('customers').where({ id }).update({ created_on: earlier });
  for (const table of ['bank_accounts', 'customer_payroll_providers', 'mandates']) {
    await knex(table).where({ customer_id: id }).update({ created_on: earlier });
  }
}

export const withAccounts = (count: number): CreateCustomerRequest =>
  newCustomer({ bankAccounts: Array.from({ length: count }, () => ({ iban: newIban() })) });

export async function mandateOf(client: Client, { id }: Customer): Promise<string> {
  const { records } = await client.mandates.search({ customerId: id });
  return records[0]?.id ?? expect.fail('the customer has no mandate');
}
