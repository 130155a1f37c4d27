import { expect, test } from 'vitest';
import { newObjectId } from '../../../src/identifiers/object-id.js';
import { insertCustomer, insertFirm } from '../../support/rows.js';
import { operatorForFile } from '../operator-for-file.js';

const operator = await operatorForFile();
const { knex } = operator;

test('D-30 operator: what is missing is listed for all firms, or for one firm, customer or kind', async () => {
  const firmId = await insertFirm(knex);
  const customerId = await insertCustomer(knex, firmId);
  const account = { iban: 'BE71096123456769', currency: 'EUR', extension: '' };
  const common = { firm_id: firmId, customer_id: customerId, ...account, after_date: '2026-03-02' };
  const now = Date.now();
  await knex('missing_statements').insert([
    {
      ...{ ...common, id: newObjectId(), kind: 'gap', from_number: 43, to_number: 44 },
      ...{ after_number: 42, before_number: 45, before_date: '2026-03-05' },
      detected_on: new Date(now - 2000),
    },
    {
      ...{ ...common, id: newObjectId(), kind: 'balanceBreak', before_date: '2026-03-09' },
      ...{ from_number: null, to_number: null, detected_on: new Date(now - 1000) },
      ...{ after_number: 46, before_number: 47 },
    },
  ]);
  const kinds = async (...options: string[]) => {
    const printed = await operator.json('missing', 'list', ...options);
    return printed.map(({ kind }: { kind: string }) => kind);
  };
  expect(await kinds()).toEqual(['balanceBreak', 'gap']);
  expect(await kinds('--firm', firmId, '--customer', customerId, '--kind', 'gap')).toEqual(['gap']);
  expect(await kinds('--firm', await insertFirm(knex))).toEqual([]);
  expect(await kinds('--kind', 'overdue')).toEqual([]);
  const { stdout } = await operator.run('missing', 'list');
  expect(stdout).toMatch(/^DETECTED +FIRM +CUSTOMER +ACCOUNT +KIND +NUMBERS +AFTER +BEFORE\n/);
  expect(stdout).toMatch(/ balanceBreak +after 46 +2026-03-02 +2026-03-09\n/);
  expect(stdout).toMatch(/ BE71096123456769 EUR +gap +43-44 +2026-03-02 +2026-03-05\n/);
});
