import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { hoversIn } from './support/hovers.js';

const here = fileURLToPath(new URL('.', import.meta.url));

it('client: editors show types by their names, and not by their fields', () => {
  const hover = hoversIn(
    here,
    `import type { Client } from '../src/index.js';
    declare const client: Client;
    const one = await client.customers.get('');
    const { address, bankAccounts } = one;
    const every = await client.customers.list();
    const { records } = await client.mandates.search();
    const creates = client.customers.create;
    for await (const file of client.codaFiles.pending()) console.log(file.customer);
    export const all = [address, bankAccounts, every, records, creates];`,
  );
  const names = ['one', 'address', 'bankAccounts', 'every', 'records', 'creates', 'file'];
  expect(names.map(hover)).toEqual([
    'const one: Customer',
    'const address: Address',
    'const bankAccounts: BankAccount[]',
    'const every: Customer[]',
    'const records: Mandate[]',
    `const creates: (body: CreateCustomerRequest, options?: CallOptions & {
    headers?: CreateCustomerHeaders;
}) => Promise<Customer>`,
    'const file: PendingFile<CodaFile, CodaCustomerGroup>',
  ]);
});

it('client: types are still those of objects, and may be passed as records of anything', () => {
  // Interfaces may not: another member could be declared later.
  expect(() =>
    hoversIn(
      here,
      `import type { Customer } from '../src/index.js';
      declare const customer: Customer;
      export const record: Record<string, unknown> = customer;
      export const again: Customer = { ...customer, address: { ...customer.address } };`,
    ),
  ).not.toThrow();
});
