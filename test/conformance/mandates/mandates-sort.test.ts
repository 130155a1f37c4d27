import type { Mandate, SearchMandatesRequest } from '@adx/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leadMandate } from '../../support/lead-mandate.js';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { startSignedInService } from '../../support/signed-in-service.js';

/** Sorted by Unicode, ignoring case, so the first two are equal. */
const names = ['atelier', 'Atelier', 'été', 'Eten', 'Zonnebloem'];
const bankNames = ['AXA BANK BELGIUM', 'BELFIUS BANK', 'KBC Bank'];

const signedIn = await startSignedInService();
afterAll(() => signedIn.service.close());
beforeAll(async () => {
  const { customers, mandates } = signedIn.client;
  // No sort gives this order, and several mandates share values.
  for (const [index, name] of [2, 4, 0, 3, 1].map((at) => [at, names[at] ?? ''] as const)) {
    await customers.create(
      newCustomer({
        name,
        bankAccounts: [
          { iban: newIban(['435', '096'][index % 2]) },
          ...(index === 2 ? [{ iban: 'NL91ABNA0417164300' }] : []),
        ],
        payrollProviders: [{ code: ['sdworx', '***other***', 'acerta'][index % 3] ?? '' }],
      }),
    );
  }
  const { records } = await mandates.search();
  const created = records.filter(({ status }) => status === 'created');
  for (const [index, status] of ['expired', 'waitingForSigner', 'error', 'finished'].entries()) {
    await leadMandate(signedIn.service, created[index]?.id ?? '', status as Mandate['status']);
  }
});

async function sorted(request: SearchMandatesRequest): Promise<Mandate[]> {
  const { records } = await signedIn.client.mandates.search({ includeFinished: true, ...request });
  return records;
}

const rank = (values: readonly string[], value: string | undefined) =>
  value === undefined ? undefined : String(values.indexOf(value));

/** The sort key of each sort, as a text that sorts by its characters; undefined without a value. */
const sorts: Readonly<
  Record<NonNullable<SearchMandatesRequest['sort']>, (mandate: Mandate) => string | undefined>
> = {
  createdOn: ({ createdOn }) => createdOn,
  updatedOn: ({ updatedOn }) => updatedOn,
  customerName: ({ customerName }) => rank(['', ...names.slice(1)], lowerCase(customerName)),
  customerEnterpriseNumber: ({ enterpriseNumber }) => enterpriseNumber,
  ibanNumber: (mandate) => (mandate.product === 'CODA' ? mandate.iban : undefined),
  status: ({ status }) => status,
  bankName: (mandate) =>
    mandate.product === 'CODA' ? rank(bankNames, mandate.bankName) : undefined,
  payrollProviderCode: (mandate) =>
    mandate.product === 'CODB' ? mandate.payrollProviderCode : undefined,
};

function lowerCase(name: string): string {
  return name === 'atelier' ? 'Atelier' : name;
}

/** Compares in ascending order: by value, without a value last, equal values by id. */
function ascending(mandates: readonly Mandate[], keyOf: (mandate: Mandate) => string | undefined) {
  const last = '\u{10ffff}';
  const compare = (a: string, b: string) => Number(a > b) - Number(a < b);
  return mandates.toSorted(
    (a, b) => compare(keyOf(a) ?? last, keyOf(b) ?? last) || compare(a.id, b.id),
  );
}

describe.each(Object.entries(sorts))('§4.15, D-10 sort by %s', (name, keyOf) => {
  const sort = name as keyof typeof sorts;

  test('§4.15, D-10 ascending: without a value last, equal values by id', async () => {
    const records = await sorted({ sort, sortDirection: 'asc' });
    expect(records).toHaveLength(11);
    expect(records).toEqual(ascending(records, keyOf));
    if (!sort.endsWith('On')) {
      const distinct = new Set(records.map((mandate) => keyOf(mandate)));
      expect(distinct.size).toBeGreaterThan(2);
    }
  });

  test('§4.15, D-10 descending: the reverse order', async () => {
    const records = await sorted({ sort, sortDirection: 'desc' });
    expect(records).toEqual(ascending(records, keyOf).toReversed());
  });

  test.each(['asc', 'desc'])('§4.22 the pages of the %s order have no gaps', async (direction) => {
    const whole = await sorted({ sort, sortDirection: direction });
    const pages = [];
    for (let offset = 0; offset < whole.length; offset += 3) {
      pages.push(...(await sorted({ sort, sortDirection: direction, limit: 3, offset })));
    }
    expect(pages).toEqual(whole);
  });
});

test('§4.15 sort: by default the newest first', async () => {
  expect(await sorted({})).toEqual(await sorted({ sort: 'createdOn', sortDirection: 'desc' }));
  expect(await sorted({ sort: 'status' })).toEqual(
    await sorted({ sort: 'status', sortDirection: 'desc' }),
  );
});

test.each(['descending', 'ASC', 'ascending', ' asc', ''])(
  '§4.15 sort: the direction %j is not asc, so it is descending',
  async (sortDirection) => {
    expect(await sorted({ sort: 'ibanNumber', sortDirection })).toEqual(
      await sorted({ sort: 'ibanNumber', sortDirection: 'desc' }),
    );
  },
);

test('§4.15 sort: a renamed customer sorts by its new name', async () => {
  const [first] = await sorted({ sort: 'customerName', sortDirection: 'asc' });
  const customerId = first?.customerId ?? '';
  await signedIn.client.customers.update(customerId, { name: 'ÿvon' });
  const [last] = await sorted({ sort: 'customerName', sortDirection: 'desc' });
  expect(last).toMatchObject({ customerName: 'Zonnebloem' });
  await signedIn.client.customers.update(customerId, { name: 'ZZZ' });
  const [renamed] = await sorted({ sort: 'customerName', sortDirection: 'desc' });
  expect(renamed).toMatchObject({ customerId, customerName: 'ZZZ' });
});
