import type { Customer } from '@adx/contract';
import { beforeAll, expect, test } from 'vitest';
import { useSignedInService } from '../support/use-service.js';
import { storeCustomers } from './customers/store-customers.js';

const count = 250;

const signedIn = useSignedInService();
let all: Customer[];
beforeAll(async () => {
  await storeCustomers(signedIn.service, signedIn.firmId, count);
  all = await signedIn.client.customers.list();
});

const search = (body: object) => signedIn.client.customers.search(body);

test('§4.22, §8 limit is 50 and offset 0 by default', async () => {
  expect(await search({})).toEqual({
    records: all.slice(0, 50),
    recordsTotal: count,
    recordsFiltered: count,
  });
});

test.each([
  [1, 1],
  [199, 199],
  [200, 200],
  [201, 200],
  [100_000, 200],
  [1e300, 200],
])('§4.22, §8 a limit of %d returns %d records', async (limit, expected) => {
  const { records, recordsFiltered } = await search({ limit });
  expect(records).toEqual(all.slice(0, expected));
  expect(recordsFiltered).toBe(count);
});

test.each([
  [1, 50],
  [200, 50],
  [249, 1],
  [250, 0],
  [251, 0],
  [Number.MAX_SAFE_INTEGER, 0],
])('§4.22, D-06 an offset of %d returns %d records', async (offset, expected) => {
  expect(await search({ offset })).toEqual({
    records: all.slice(offset, offset + expected),
    recordsTotal: count,
    recordsFiltered: count,
  });
});

test.each([7, 50, 125, 200])('§4.22 raising offset by %d reads all records', async (limit) => {
  const read: Customer[] = [];
  let reached = 0;
  for (let offset = 0, end = 1; offset < end; offset += limit) {
    const { records, recordsFiltered } = await search({ limit, offset });
    read.push(...records);
    end = recordsFiltered;
    reached = offset;
  }
  expect(read).toEqual(all);
  expect(reached).toBe(Math.floor((count - 1) / limit) * limit);
});

test('§4.22, §2.9 pages of a filtered list: recordsFiltered counts the matching records', async () => {
  const matching = all.filter(({ accountingRef }) => accountingRef?.includes('K-1'));
  expect(matching.length).toBeGreaterThan(50);
  expect(await search({ search: 'k-1', limit: 60, offset: 50 })).toEqual({
    records: matching.slice(50, 110),
    recordsTotal: count,
    recordsFiltered: matching.length,
  });
});

test.each([{}, { limit: 30 }, { limit: 1000 }, { offset: 200 }])(
  '§4.22 the client iterates over all records from %j on',
  async (body) => {
    const read: Customer[] = [];
    for await (const customer of search(body)) read.push(customer);
    expect(read).toEqual(all.slice('offset' in body ? body.offset : 0));
  },
);

test('§4.22 List payroll providers and List banks take limit and offset', async () => {
  const { payrollProviders, banks } = signedIn.client;
  for (const list of [payrollProviders, banks]) {
    const whole = await list.list({ limit: 10 });
    const part = await list.list({ limit: 3, offset: 4 });
    expect(part).toEqual({ ...whole, records: whole.records.slice(4, 7) });
    expect((await list.list({ offset: 100_000 })).records).toEqual([]);
  }
});

test('§4.22, §8 List banks returns 50 by default', async () => {
  const { records, recordsTotal } = await signedIn.client.banks.list();
  expect(records).toHaveLength(Math.min(50, recordsTotal));
});

async function allOf<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

test('§4.13 list payroll providers: returns French and Dutch names, sorted by code', async () => {
  const { records, recordsTotal, recordsFiltered } = await signedIn.client.payrollProviders.list();
  const codes = records.map(({ code }) => code);
  expect(codes).toEqual(codes.toSorted());
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes).toEqual(expect.arrayContaining(['***other***', 'acerta', 'sdworx', 'ucm']));
  expect(records).toContainEqual({
    code: 'liantis',
    nameFr: 'Liantis Secrétariat Social',
    nameNl: 'Liantis Sociaal Secretariaat',
  });
  expect({ recordsTotal, recordsFiltered }).toEqual({
    recordsTotal: records.length,
    recordsFiltered: records.length,
  });
});

test('§4.14, D-11 list banks: returns BIC, name and support of CODA, sorted by name', async () => {
  const banks = await allOf(signedIn.client.banks.list({ limit: 200 }));
  const names = banks.map(({ name }) => name);
  expect(names).toEqual(names.toSorted(new Intl.Collator('en').compare));
  expect(banks.length).toBeGreaterThan(50);
  expect(banks).toContainEqual({
    bic: 'GKCC BE BB',
    name: expect.stringMatching(/belfius/i),
    codaSupported: true,
  });
});

test('§4.14 list banks: each bank is listed once', async () => {
  const banks = await allOf(signedIn.client.banks.list());
  expect(new Set(banks.map(({ bic, name }) => `${bic} ${name}`)).size).toBe(banks.length);
});

test('§2.9 list banks: the paginated envelope counts every bank', async () => {
  const banks = await allOf(signedIn.client.banks.list());
  const { records, recordsTotal, recordsFiltered } = await signedIn.client.banks.list({ limit: 3 });
  expect(records).toEqual(banks.slice(0, 3));
  expect([recordsTotal, recordsFiltered]).toEqual([banks.length, banks.length]);
});

test('§4.14 list banks: all firms and users see the same list', async () => {
  const other = await signedIn.anotherFirm();
  expect(await allOf(other.banks.list())).toEqual(await allOf(signedIn.client.banks.list()));
});
