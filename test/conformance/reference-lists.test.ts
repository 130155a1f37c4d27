import { expect, test } from 'vitest';
import { useSignedInService } from '../support/use-service.js';

const signedIn = useSignedInService();

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
