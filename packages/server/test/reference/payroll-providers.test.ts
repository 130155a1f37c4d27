import { expect, test } from 'vitest';
import { knexForFile } from '../support/knex-for-file.js';

const knex = await knexForFile();

test('§2.3 the payroll providers are known by code, all supported but `***other***`', async () => {
  const rows = await knex('payroll_providers')
    .orderByRaw('code collate "C"')
    .select('code', 'supported');
  expect(rows).toEqual([
    { code: '***other***', supported: false },
    ...[
      'acerta',
      'attentia',
      'besox',
      'easypay',
      'groups',
      'liantis',
      'partena',
      'sdworx',
      'securex',
      'ucm',
    ].map((code) => ({ code, supported: true })),
  ]);
});

test('§2.3 a payroll provider has a French and a Dutch name', async () => {
  expect(
    await knex('payroll_providers').where({ code: 'groups' }).first('name_fr', 'name_nl'),
  ).toEqual({
    name_fr: 'Group S – Secrétariat Social',
    name_nl: 'Groep S – Sociaal Secretariaat',
  });
});
