import type { Customer } from '@adx/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { newCustomer } from '../support/new-customer.js';
import { newEnterpriseNumber, newIban } from '../support/numbers.js';
import { startSignedInService } from '../support/signed-in-service.js';
import { countRows, mandatesOf, requestsOf, withLinks } from './mandates-and-requests.js';

const signedIn = await startSignedInService();
const { client } = signedIn;
const { knex } = signedIn.service;
afterAll(() => signedIn.service.close());

describe('§4.5 create customer', () => {
  it('adds one mandate for each account and provider, and one request for all of them', async () => {
    const ibans = [newIban(), newIban()];
    const customer = await client.customers.create(withLinks(ibans, ['sdworx']));
    const mandates = await mandatesOf(client, customer);
    expect(mandates).toMatchObject([
      { product: 'CODA', status: 'created', iban: ibans[0] },
      { product: 'CODA', status: 'created', iban: ibans[1] },
      { product: 'CODB', status: 'created', payrollProviderCode: 'sdworx' },
    ]);
    for (const { customerId, customerName, enterpriseNumber } of mandates) {
      expect([customerId, customerName]).toEqual([customer.id, customer.name]);
      expect(enterpriseNumber).toBe(customer.enterpriseNumber);
    }
    expect(await requestsOf(knex, customer)).toMatchObject([
      { asked: mandates.map(({ id }) => id), jobs: 1 },
    ]);
  });

  it('sends no request for an unsupported bank or provider', async () => {
    const customer = await client.customers.create(
      withLinks([newIban(), 'NL91ABNA0417164300'], ['***other***']),
    );
    const mandates = await mandatesOf(client, customer);
    expect(mandates.map(({ status }) => status)).toEqual([
      ...['created', 'unsupportedBank', 'unsupportedPayrollProvider'],
    ]);
    expect(await requestsOf(knex, customer)).toMatchObject([{ asked: [mandates[0]?.id] }]);
  });

  it('adds neither mandate nor request without accounts and providers', async () => {
    const customer = await client.customers.create(newCustomer());
    expect(await mandatesOf(client, customer)).toEqual([]);
    expect(await requestsOf(knex, customer)).toEqual([]);
  });

  it.each([
    ['an IBAN that is in use', 'ibanInUse'],
    ['an unknown provider', 'unknownPayrollProvider'],
    ['a number that is registered', 'customerExists'],
  ])('%s stores nothing', async (_, code) => {
    const taken = withLinks([newIban()], ['sdworx']);
    await client.customers.create(taken);
    const before = await countRows(knex);
    const sent = {
      ibanInUse: withLinks([newIban(), taken.bankAccounts?.[0]?.iban ?? ''], ['sdworx']),
      unknownPayrollProvider: withLinks([newIban()], ['sdworx', 'nobody']),
      customerExists: { ...withLinks([newIban()]), enterpriseNumber: taken.enterpriseNumber },
    }[code];
    if (sent === undefined) throw new Error(code);
    await expect(client.customers.create(sent)).rejects.toMatchObject({ code });
    expect(await countRows(knex)).toEqual(before);
  });

  it('a failure after the links stores nothing', async () => {
    const before = await countRows(knex);
    await knex.raw(`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'refused'; end $$;
      create trigger refuse before insert on asked_mandates execute function refuse();`);
    try {
      const creating = client.customers.create(withLinks([newIban()], ['sdworx']));
      await expect(creating).rejects.toMatchObject({ status: 500 });
    } finally {
      await knex.raw('drop function refuse cascade');
    }
    expect(await countRows(knex)).toEqual(before);
  });
});

describe('§4.9, §4.11 adding to a customer', () => {
  it('adds the mandate of the account or provider, with a separate request', async () => {
    const customer = await client.customers.create(withLinks([newIban()]));
    const iban = newIban();
    await client.customers.addBankAccount(customer.id, iban);
    await client.customers.addPayrollProvider(customer.id, 'partena');
    const mandates = await mandatesOf(client, customer);
    expect(mandates).toMatchObject([{}, { iban }, { payrollProviderCode: 'partena' }]);
    expect(await requestsOf(knex, customer)).toMatchObject(
      mandates.map(({ id }) => ({ asked: [id], jobs: 1 })),
    );
  });

  it('D-15 an account or provider that exists already gets no second mandate', async () => {
    const iban = newIban();
    const customer = await client.customers.create(withLinks([iban], ['sdworx']));
    const before = [await mandatesOf(client, customer), await requestsOf(knex, customer)];
    await client.customers.addBankAccount(customer.id, iban);
    await client.customers.addPayrollProvider(customer.id, 'sdworx');
    expect([await mandatesOf(client, customer), await requestsOf(knex, customer)]).toEqual(before);
  });

  it('D-15 adding the same account or provider concurrently adds one mandate', async () => {
    const customer = await client.customers.create(newCustomer());
    const iban = newIban();
    await Promise.all(
      Array.from({ length: 6 }, () => client.customers.addBankAccount(customer.id, iban)),
    );
    expect(await mandatesOf(client, customer)).toHaveLength(1);
    expect(await requestsOf(knex, customer)).toHaveLength(1);
  });

  it('D-16 an IBAN in use adds no mandate', async () => {
    const iban = newIban();
    await client.customers.create(withLinks([iban]));
    const customer = await client.customers.create(newCustomer());
    const before = await countRows(knex);
    await expect(client.customers.addBankAccount(customer.id, iban)).rejects.toMatchObject({
      code: 'ibanInUse',
    });
    expect(await countRows(knex)).toEqual(before);
  });

  it('§2.2, §2.6 an account with a light connector shows its connectorId, and so does the mandate', async () => {
    await knex('banks').where({ bic: 'BNAGBEBB' }).update({ connector_id: 7 });
    const customer = await client.customers.create(newCustomer());
    const account = await client.customers.addBankAccount(customer.id, newIban('132'));
    expect(account.connectorId).toBe(7);
    expect(await mandatesOf(client, customer)).toMatchObject([
      { product: 'CODA', status: 'created', connectorId: 7 },
    ]);
  });
});

describe('D-24 an account or provider that is no longer linked', () => {
  it.each([
    ['disabled', (id: string, iban: string) => client.customers.disableBankAccount(id, iban)],
    ['removed', (id: string) => client.customers.removePayrollProvider(id, 'sdworx')],
    ['archived', (id: string) => client.customers.archive(id)],
  ])('%s: its mandates are closed, and no others', async (how, end) => {
    const ibans = [newIban(), newIban()];
    const customer = await client.customers.create(withLinks(ibans, ['sdworx']));
    const mandates = await mandatesOf(client, customer);
    await end(customer.id, ibans[0] ?? '');
    const closed = { disabled: [0], removed: [2], archived: [0, 1, 2] }[how] ?? [];
    for (const [place, { id, updatedOn }] of mandates.entries()) {
      const row = await knex('mandates').where({ id }).first();
      const last = await knex('mandate_history').where({ mandate_id: id }).orderBy('id', 'desc');
      if (closed.includes(place)) {
        expect(row.closed_on).toEqual(row.updated_on);
        expect(row.updated_on.getTime()).toBeGreaterThan(Date.parse(updatedOn));
        expect(last[0]).toMatchObject({
          ...{ from_status: 'created', to_status: null, trigger: 'unlinked', actor: 'user' },
          ...{ happened_on: row.closed_on },
        });
        await expect(client.mandates.get(id)).rejects.toMatchObject({ code: 'notFound' });
      } else {
        expect([row.closed_on, row.updated_on]).toEqual([null, new Date(updatedOn)]);
        expect(last).toHaveLength(1);
      }
    }
    const open = mandates.filter((_, place) => !closed.includes(place));
    expect(await mandatesOf(client, customer)).toEqual(open);
  });

  it('if it is linked again, it gets a new mandate with a separate request', async () => {
    const iban = newIban();
    const customer = await client.customers.create(withLinks([iban]));
    const [first] = await mandatesOf(client, customer);
    await client.customers.disableBankAccount(customer.id, iban);
    await client.customers.addBankAccount(customer.id, iban);
    const [second, ...others] = await mandatesOf(client, customer);
    expect(others).toEqual([]);
    expect(second).toMatchObject({ iban, status: 'created' });
    expect(second?.id).not.toBe(first?.id);
    expect(await requestsOf(knex, customer)).toHaveLength(2);
  });

  it('an archived customer can be created again, also by another firm', async () => {
    const iban = newIban();
    const sent = withLinks([iban], ['sdworx']);
    const customer = await client.customers.create(sent);
    await client.customers.archive(customer.id);
    const other = await signedIn.anotherFirm();
    const next = await other.customers.create(sent);
    const { records } = await other.mandates.search({ customerId: next.id });
    expect(records).toHaveLength(2);
    expect(await mandatesOf(client, customer)).toEqual([]);
  });
});

describe('D-14 a contact with another e-mail address', () => {
  const deliveryOf = ({ id }: Customer) =>
    knex('signature_requests').where({ customer_id: id }).orderBy('id').pluck('delivery');

  it('gets the pending requests again', async () => {
    const customer = await client.customers.create(withLinks([newIban()], ['sdworx']));
    await client.customers.addBankAccount(customer.id, newIban());
    const before = await mandatesOf(client, customer);
    await client.customers.update(customer.id, { contact: { email: 'bo@bakkerij.example' } });
    expect(await deliveryOf(customer)).toEqual([2, 2]);
    expect(await requestsOf(knex, customer)).toMatchObject([{ jobs: 1 }, { jobs: 1 }]);
    expect(await mandatesOf(client, customer)).toEqual(before);
  });

  it('if the name changes too, the request is sent again and the mandates show the new name', async () => {
    const customer = await client.customers.create(withLinks([newIban()]));
    const contact = { email: 'bo@bakkerij.example' };
    await client.customers.update(customer.id, { name: 'Zeepziederij De Bel', contact });
    expect(await deliveryOf(customer)).toEqual([2]);
    expect(await mandatesOf(client, customer)).toMatchObject([
      { customerName: 'Zeepziederij De Bel' },
    ]);
  });
});

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
