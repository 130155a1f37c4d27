import { fileURLToPath } from 'node:url';
import { operations } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import { expect, it } from 'vitest';
import { openInEditor } from './support/editor.js';

const here = fileURLToPath(new URL('.', import.meta.url));

it('client: editors show types by their names, and not by their fields', () => {
  const editor = openInEditor(
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
  expect(names.map(editor.hover)).toEqual([
    'const one: Customer',
    'const address: Address',
    'const bankAccounts: BankAccount[]',
    'const every: Customer[]',
    'const records: Mandate[]',
    `const creates: (body: CreateCustomerRequest, options?: CallOptions & {
    headers?: CreateCustomerHeaders;
}) => ApiPromise<Customer>`,
    'const file: PendingFile<CodaFile, CodaCustomerGroup>',
  ]);
});

it('D-24 an editor explains the status of a mandate once, of whichever product it is', () => {
  const { comment } = openInEditor(
    here,
    `import type { Client } from '../src/index.js';
    declare const client: Client;
    const since = new Date();
    for await (const each of client.mandates.changes({ since })) console.log(each.status);`,
  );
  expect(comment('status')).toBe(
    'Where the mandate stands; `finished` means active (signed, and files are being received).',
  );
});

it('client: types are still those of objects, and may be passed as records of anything', () => {
  // Interfaces may not: another member could be declared later.
  expect(() =>
    openInEditor(
      here,
      `import type { Customer } from '../src/index.js';
      declare const customer: Customer;
      export const record: Record<string, unknown> = customer;
      export const again: Customer = { ...customer, address: { ...customer.address } };`,
    ),
  ).not.toThrow();
});

it('D-40 editors propose the codes of an operation for its errors', () => {
  const { proposals } = openInEditor(
    here,
    `import { isErrorOf } from '../src/index.js';
    declare const error: unknown;
    if (isErrorOf(error, 'createCustomer') && error.code === '') console.log(error);`,
  );
  expect(proposals()).toEqual([...operations.createCustomer.errors].sort());
});

it('D-27 editors propose the codes of findings on an upload', () => {
  const { proposals } = openInEditor(
    here,
    `import type { Client } from '../src/index.js';
    declare const client: Client;
    const upload = await client.codaFiles.upload(new Blob(), 'a.cod');
    const { findings } = await upload.outcome();
    export const unknown = findings.some(({ code }) => code === '');`,
  );
  const { UploadFindingCode } = spec.components.schemas;
  expect(proposals()).toEqual([UploadFindingCode?.['x-extensible-enum']].flat().sort());
});
