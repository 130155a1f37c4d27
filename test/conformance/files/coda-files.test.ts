import { describe, expect, test } from 'vitest';
import {
  insertCodaFile,
  insertCodbFile,
  listedFiles,
  type NewCodaFile,
} from '../../../packages/server/test/support/files.js';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { useTestService } from '../../support/use-service.js';
import { createCustomerWith, filesOf, listedIds, newFirm } from './listed-coda-files.js';

// The storage checks the validity of URLs with its own clock.
const now = new Date();

const service = useTestService({ now: () => now });

const customerWith = (...files: Partial<NewCodaFile>[]) => createCustomerWith(service, ...files);

describe('§2.5, D-09 listed files', () => {
  test('§2.5 the documented fields of customer, account and file, and no others', async () => {
    const firm = await newFirm(service);
    const customer = await firm.client.customers.create(newCustomer({ accountingRef: 'K-0042' }));
    const iban = newIban();
    const id = await insertCodaFile(service.knex, customer.id, {
      iban,
      fileName: `${iban}_EUR_2026_042.cod`,
      statementNumber: 42,
    });
    expect(await firm.client.codaFiles.list()).toEqual([
      {
        id: customer.id,
        name: customer.name,
        accountingRef: 'K-0042',
        enterpriseNumber: customer.enterpriseNumber,
        isConfidential: false,
        ibans: [
          {
            iban,
            currency: 'EUR',
            year: 2026,
            files: [
              {
                id,
                fileName: `${iban}_EUR_2026_042.cod`,
                statementDate: '2026-03-02',
                statementNumber: 42,
                processedOn: '2026-03-03T05:12:44.310Z',
                source: 'upload',
                urls: { coda: expect.any(String) },
              },
            ],
          },
        ],
      },
    ]);
  });

  test('§2.1 a cleared accounting reference is omitted', async () => {
    const { client, customer } = await customerWith({});
    await client.customers.update(customer.id, { accountingRef: '' });
    const [group] = await client.codaFiles.list();
    expect(group).not.toHaveProperty('accountingRef');
  });

  test('§4.17 a customer without files, and one with CODB files only, is not listed', async () => {
    const { client, customer } = await customerWith();
    await insertCodbFile(service.knex, customer.id);
    expect(await client.codaFiles.list()).toEqual([]);
  });

  test('§2.5 one entry per IBAN, currency and year', async () => {
    const [one = '', other = ''] = [newIban(), newIban()].toSorted();
    const { client } = await customerWith(
      { iban: other, year: 2026 },
      { iban: one, year: 2026 },
      { iban: one, year: 2025 },
      { iban: one, year: 2026, currency: 'USD' },
      { iban: one, year: 2026, statementNumber: 2 },
      { iban: one, year: 2025, currency: 'USD' },
    );
    const [group, ...others] = await client.codaFiles.list();
    expect(others).toEqual([]);
    expect(
      group?.ibans.map(({ iban, currency, year, files }) => [iban, currency, year, files.length]),
    ).toEqual([
      [one, 'EUR', 2025, 1],
      [one, 'EUR', 2026, 2],
      [one, 'USD', 2025, 1],
      [one, 'USD', 2026, 1],
      [other, 'EUR', 2026, 1],
    ]);
  });

  test('D-09 customers are sorted by name in any case, files by statement number', async () => {
    const { client, customer } = await customerWith(
      { statementNumber: 10 },
      { statementNumber: 9 },
    );
    await client.customers.update(customer.id, { name: 'bakker' });
    const names = ['Zwaan', 'Élan', 'Bakkerij', 'aap', 'Eland'];
    for (const name of names) {
      const { id } = await client.customers.create(newCustomer({ name }));
      await insertCodaFile(service.knex, id, { iban: newIban() });
    }
    const groups = await client.codaFiles.list();
    expect(groups.map(({ name }) => name)).toEqual([
      ...['aap', 'bakker', 'Bakkerij', 'Eland', 'Élan', 'Zwaan'].toSorted((a, b) =>
        a.localeCompare(b, 'und'),
      ),
    ]);
    const numbers = filesOf(groups.filter(({ id }) => id === customer.id));
    expect(numbers.map(({ statementNumber }) => statementNumber)).toEqual([9, 10]);
  });

  test('D-09 a corrected statement is listed directly after the original', async () => {
    const { client, ids } = await customerWith(
      { statementNumber: 7, content: 'as it was' },
      { statementNumber: 7, content: 'corrected' },
    );
    expect(await listedIds(client)).toEqual(ids);
  });
});

describe('§4.17 filters', () => {
  test('§4.17 customer: the exact name, in any case', async () => {
    const { client, customer, ids } = await customerWith({});
    await client.customers.update(customer.id, { name: 'Café ÉTOILE %' });
    const like = await client.customers.create(newCustomer({ name: 'Café Étoile % Plus' }));
    await insertCodaFile(service.knex, like.id);
    expect(await listedIds(client, { customer: 'café étoile %' })).toEqual(ids);
    expect(await listedIds(client, { customer: 'Café Étoile' })).toEqual([]);
    expect(await listedIds(client, { customer: '%' })).toEqual([]);
  });

  test('§4.17 enterpriseNumber', async () => {
    const { client, customer, ids } = await customerWith({});
    const other = await client.customers.create(newCustomer());
    const ofOther = await insertCodaFile(service.knex, other.id);
    const { enterpriseNumber } = customer;
    expect(await listedIds(client, { enterpriseNumber })).toEqual(ids);
    const { enterpriseNumber: elsewhere } = other;
    expect(await listedIds(client, { enterpriseNumber: elsewhere })).toEqual([ofOther]);
  });

  test('§4.17 iban: with spaces and in any case; currency', async () => {
    const [iban, another] = [newIban(), newIban()];
    const { client, ids } = await customerWith(
      { iban },
      { iban: another },
      { iban, currency: 'USD' },
    );
    const spaced = iban.toLowerCase().replace(/(.{4})/g, '$1 ');
    expect((await listedIds(client, { iban: spaced })).toSorted()).toEqual([ids[0], ids[2]]);
    expect(await listedIds(client, { iban, currency: 'USD' })).toEqual([ids[2]]);
    expect(await listedIds(client, { currency: 'CHF' })).toEqual([]);
  });

  test('§4.17, D-08 statementDate: both ends inclusive, each optional', async () => {
    const { client, ids } = await customerWith(
      { statementNumber: 1, statementDate: '2026-02-28' },
      { statementNumber: 2, statementDate: '2026-03-01' },
      { statementNumber: 3, statementDate: '2026-03-31' },
      { statementNumber: 4, statementDate: '2026-04-01' },
    );
    const within = (range: { from?: string; to?: string }) =>
      listedIds(client, { statementDate: range });
    expect(await within({ from: '2026-03-01', to: '2026-03-31' })).toEqual(ids.slice(1, 3));
    expect(await within({ from: '2026-03-31', to: '2026-03-31' })).toEqual([ids[2]]);
    expect(await within({ from: '2026-03-31' })).toEqual(ids.slice(2));
    expect(await within({ to: '2026-03-01' })).toEqual(ids.slice(0, 2));
    expect(await within({})).toEqual(ids);
    expect(await within({ from: '0000-01-01', to: '9999-12-31' })).toEqual(ids);
    expect(await within({ to: '0000-02-29' })).toEqual([]);
  });

  test('§4.17, D-08 statementNumber: both ends inclusive, each optional', async () => {
    const { client, ids } = await customerWith(
      ...[1, 2, 9, 10].map((statementNumber) => ({ statementNumber })),
    );
    const within = (range: { from?: number; to?: number }) =>
      listedIds(client, { statementNumber: range });
    expect(await within({ from: 2, to: 9 })).toEqual(ids.slice(1, 3));
    expect(await within({ from: 10 })).toEqual(ids.slice(3));
    expect(await within({ to: 1 })).toEqual(ids.slice(0, 1));
    expect(await within({ from: 10, to: 10 })).toEqual(ids.slice(3));
    expect(await within({ to: Number.MAX_SAFE_INTEGER })).toEqual(ids);
  });

  test('§4.17, D-08 processingDate: days of Belgium, both ends inclusive', async () => {
    const { client, ids } = await customerWith(
      // The nights before 3 March (winter time) and 3 July (summer time).
      { statementNumber: 1, processedOn: '2026-03-02T22:59:59.999Z' },
      { statementNumber: 2, processedOn: '2026-03-02T23:00:00.000Z' },
      { statementNumber: 3, processedOn: '2026-03-03T22:59:59.999Z' },
      { statementNumber: 4, processedOn: '2026-07-02T21:59:59.999Z' },
      { statementNumber: 5, processedOn: '2026-07-02T22:00:00.000Z' },
    );
    const within = (range: { from?: string; to?: string }) =>
      listedIds(client, { processingDate: range });
    expect(await within({ from: '2026-03-03', to: '2026-03-03' })).toEqual(ids.slice(1, 3));
    expect(await within({ to: '2026-03-02' })).toEqual([ids[0]]);
    expect(await within({ from: '2026-07-03' })).toEqual([ids[4]]);
    expect(await within({ from: '2026-07-02', to: '2026-07-02' })).toEqual([ids[3]]);
    expect(await within({ from: '0000-01-01', to: '9999-12-31' })).toEqual(ids);
    expect(await within({ to: '0000-01-01' })).toEqual([]);
    expect(await within({ from: '9999-12-31' })).toEqual([]);
  });

  test('§4.17 a file must match all given filters', async () => {
    const iban = newIban();
    const { client, ids } = await customerWith(
      { iban, statementNumber: 1 },
      { iban, statementNumber: 2, statementDate: '2025-01-01' },
    );
    const statementNumber = { from: 2 };
    expect(await listedIds(client, { iban, statementNumber })).toEqual([ids[1]]);
    const statementDate = { from: '2026-01-01' };
    expect(await listedIds(client, { iban, statementNumber, statementDate })).toEqual([]);
  });

  test.each([
    ['statementDate', { from: '2026-03-02', to: '2026-03-01' }],
    ['processingDate', { from: '2026-03-02', to: '2026-03-01' }],
    ['statementNumber', { from: 2, to: 1 }],
  ])('D-08 %s: from after to is 400', async (field, range) => {
    const { client } = await newFirm(service);
    for (const { list } of [client.codaFiles, client.codbFiles].map((files) => ({
      list: () => files.list({ [field]: range }),
    }))) {
      await expect(list()).rejects.toMatchObject({
        status: 400,
        code: 'validationFailed',
        details: [{ path: field, message: expect.any(String) }],
      });
    }
  });
});

describe('§4.17 download URLs', () => {
  test('§4.17, D-09 urls.coda downloads the file under its name, for 30 minutes', async () => {
    const { client, customer } = await customerWith();
    const id = await insertCodaFile(service.knex, customer.id, { fileName: 'BE71_042.cod' });
    const keys = await listedFiles(service.knex).where({ id }).first();
    const { storage } = service;
    const bytes = Buffer.from('0000002032605…');
    await storage.store.put(storage.buckets.files, keys.object_key, bytes, 'text/plain');
    const [file] = filesOf(await client.codaFiles.list());
    const url = new URL(file?.urls.coda ?? '');
    expect(url.searchParams.get('X-Amz-Expires')).toBe('1800');
    expect(url.searchParams.get('X-Amz-Date')).toBe(now.toISOString().replace(/[-:]|\.\d{3}/g, ''));
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    expect(response.headers.get('content-disposition')).toContain('BE71_042.cod');
  });
});
