import { describe, expect, test } from 'vitest';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { useSignedInService } from '../../support/use-service.js';

const signedIn = useSignedInService();

const unknownId = 'ffffffffffffffffffffffff';

describe('§4.6 get customer', () => {
  test('§4.6 get customer: returns the customer', async () => {
    const { customers } = signedIn.client;
    const customer = await customers.create(newCustomer({ name: 'Slagerij Aerts' }));
    expect(await customers.get(customer.id)).toEqual(customer);
  });

  test('§4.6 get customer: an unknown id is 404', async () => {
    await expect(signedIn.client.customers.get(unknownId)).rejects.toMatchObject({
      status: 404,
      code: 'notFound',
    });
  });
});

describe('§4.3 list all customers', () => {
  test('§4.3 list: a firm without customers gets an empty array', async () => {
    expect(await (await signedIn.anotherFirm()).customers.list()).toEqual([]);
  });

  test('§4.3, D-07 list: returns the customers of the own firm with all fields, sorted by name and then id', async () => {
    const { customers } = await signedIn.anotherFirm();
    const created = [];
    for (const name of ['Zagerij', 'bakkerij', 'Bakkerij', 'bakkerij', 'Élan', 'Apotheek']) {
      created.push(await customers.create(newCustomer({ name })));
    }
    const [zagerij, bakkerij1, bakkerij2, bakkerij3, elan, apotheek] = created;
    expect(await customers.list()).toEqual([
      ...[apotheek, bakkerij1, bakkerij2, bakkerij3, elan, zagerij],
    ]);
  });

  test('§4.3, §2.1 list: each customer has its bank accounts and payroll providers', async () => {
    const { customers } = await signedIn.anotherFirm();
    const customer = await customers.create(
      newCustomer({ bankAccounts: [{ iban: newIban() }], payrollProviders: [{ code: 'ucm' }] }),
    );
    expect(await customers.list()).toEqual([customer]);
    expect(customer).toMatchObject({
      bankAccounts: [{ currency: 'EUR' }],
      payrollProviders: [{ code: 'ucm' }],
    });
  });

  test('§4.3 list: no body is needed', async () => {
    const { status } = await signedIn.call('listCustomers');
    expect(status).toBe(200);
  });
});
