import type { Customer } from '@adx/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { newEnterpriseNumber, newIban } from '../support/numbers.js';
import { startSignedInService } from '../support/signed-in-service.js';
import { mandatesOf, requestsOf, withLinks } from './mandates-and-requests.js';

const signedIn = await startSignedInService();
const { client } = signedIn;
const { knex } = signedIn.service;
afterAll(() => signedIn.service.close());

describe('D-24 a renamed customer', () => {
  it('changes its mandates, which show the name', async () => {
    const customer = await client.customers.create(withLinks([newIban(), newIban()], ['sdworx']));
    const before = await mandatesOf(client, customer);
    const [since] = before
      .map(({ updatedOn }) => updatedOn)
      .toSorted()
      .slice(-1);
    await client.customers.update(customer.id, { name: 'Zeepziederij De Bel' });
    const after = await mandatesOf(client, customer);
    for (const [place, mandate] of after.entries()) {
      const { updatedOn } = mandate;
      expect(mandate).toEqual({ ...before[place], customerName: 'Zeepziederij De Bel', updatedOn });
      expect(Date.parse(updatedOn)).toBeGreaterThan(Date.parse(since ?? ''));
    }
    expect(new Set(after.map(({ updatedOn }) => updatedOn)).size).toBe(3);
  });

  it.each([
    ['an empty update', () => ({})],
    ['the same name', ({ name }: Customer) => ({ name })],
    ['the same contact', ({ contact }: Customer) => ({ contact })],
    [
      'a change of fields that no mandate shows',
      () => ({ accountingRef: 'K-9', address: { street: 'Kouter 1' } }),
    ],
    ['the language of the contact', () => ({ contact: { language: 'fr' as const } })],
  ])('D-14 %s changes no mandate and sends nothing', async (_, changes) => {
    const customer = await client.customers.create(withLinks([newIban()]));
    const before = [await mandatesOf(client, customer), await requestsOf(knex, customer)];
    await client.customers.update(customer.id, changes(customer));
    expect([await mandatesOf(client, customer), await requestsOf(knex, customer)]).toEqual(before);
  });

  it('does not change the mandates of other customers', async () => {
    const other = await client.customers.create(withLinks([newIban()]));
    const before = await mandatesOf(client, other);
    const customer = await client.customers.create({
      ...withLinks([newIban()]),
      enterpriseNumber: newEnterpriseNumber(),
    });
    await client.customers.update(customer.id, { name: 'Anders' });
    expect(await mandatesOf(client, other)).toEqual(before);
  });
});
