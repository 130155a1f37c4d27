import { operations } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import { expect, test } from 'vitest';
import { deprecatedUses } from '../../src/usage/deprecated-uses.js';

const listBanks = spec.paths['/banks']?.post ?? expect.fail('There is no list of banks');

/** Returns the warnings if `listBanks` is deprecated like this, and so is its field `limit`. */
function warnings(
  uses: readonly object[],
  { deprecation, required }: { readonly deprecation?: object; readonly required?: string[] } = {},
): string[] {
  const properties = { limit: { deprecated: true }, offset: {} };
  const schema = { properties, required };
  const requestBody = { content: { 'application/json': { schema } } };
  const paths = { '/banks': { post: { ...listBanks, deprecated: true, requestBody } } };
  const full = { apiKey: '7', operation: 'listBanks', calls: 1, lastUsed: '2026-11-20' };
  return deprecatedUses(
    uses.map((use) => ({ partner: 'Ledger', ...full, ...use })),
    { listBanks: { ...operations.listBanks, ...(deprecation && { deprecation }) } } as never,
    { ...spec, paths } as unknown as typeof spec,
  );
}

test('D-40 the report on usage warns of each deprecated operation that is used, with its end and its users', () => {
  const deprecation = { since: '2026-12-01', sunset: '2027-12-01', replacedBy: 'findBanks' };
  expect(warnings([{}, { partner: 'Aboss', lastUsed: '2026-10-02' }], { deprecation })).toEqual([
    '`listBanks` is deprecated since 2026-12-01, may be gone from 2027-12-01 on, and is replaced by `findBanks`. Used by Ledger (last 2026-11-20), Aboss (last 2026-10-02).',
  ]);
  expect(warnings([{}])).toEqual(['`listBanks` is deprecated. Used by Ledger (last 2026-11-20).']);
  const older = { apiKey: '8', lastUsed: '2026-10-02' };
  expect(warnings([older, {}, older])).toEqual(warnings([{}]));
});

test('D-40 the report on usage warns of each deprecated field that is used, and of nothing else', () => {
  expect(warnings([{ field: 'body.limit' }, { field: 'body.limit', value: '1' }])).toEqual([
    '`body.limit` of `listBanks` is deprecated. Used by Ledger (last 2026-11-20).',
  ]);
  expect(warnings([{ field: 'body.offset' }, { operation: 'getCustomer' }])).toEqual([]);
  expect(
    deprecatedUses([
      { partner: 'Ledger', apiKey: '7', operation: 'listBanks', calls: 1, lastUsed: '2026-11-20' },
    ]),
  ).toEqual([]);
});

test('D-40 every caller of an operation uses those of its deprecated fields that every call has', () => {
  expect(warnings([{}], { required: ['limit'] })).toEqual([
    '`listBanks` is deprecated. Used by Ledger (last 2026-11-20).',
    '`body.limit` of `listBanks` is deprecated. Used by Ledger (last 2026-11-20).',
  ]);
});
