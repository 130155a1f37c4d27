import { expect, test } from 'vitest';
import { createReferenceStore } from '../../src/reference/reference-store.js';
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

test('§2.3 the payroll providers are in the order of the bytes of their codes, whatever the collation of the database', async () => {
  await knex.raw('alter table payroll_providers alter code type text collate "und-x-icu"');
  const names = { name_fr: 'Zeta', name_nl: 'Zeta' };
  await knex('payroll_providers').insert({ code: 'Zeta', ...names, supported: true });
  const { records } = await createReferenceStore(knex).payrollProviders({ limit: 3, offset: 0 });
  expect(records.map(({ code }) => code)).toEqual(['***other***', 'Zeta', 'acerta']);
});
