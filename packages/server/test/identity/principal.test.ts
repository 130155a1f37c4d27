import knex from 'knex';
import { expect, test } from 'vitest';
import {
  customersWithVisibleFiles,
  type Principal,
  visibleCustomers,
  visibleEntries,
  visibleGrants,
  visibleMandates,
} from '../../src/identity/principal.js';

const ofFirm = ['c.firm_id = ?', 'c.archived_on is null'];
const isOpen = 'not c.is_confidential';
const isAssigned =
  'exists (select 1 from user_customers uc where uc.user_id = ? and uc.customer_id = c.id and uc.firm_id = c.firm_id)';

const principal = (
  accessLevel: Principal['accessLevel'],
  seesCustomers: Principal['seesCustomers'],
): Principal => ({ userId: 'the user', firmId: 'the firm', accessLevel, seesCustomers });

test.each([
  ['administrator', 'all', [], ['the firm']],
  ['administrator', 'assigned', [isAssigned], ['the firm', 'the user']],
  ['user', 'all', [isOpen], ['the firm']],
  ['user', 'assigned', [isOpen, isAssigned], ['the firm', 'the user']],
] as const)(
  '§5 rules 3 and 5: a user with level %s who sees %s customers',
  (accessLevel, seesCustomers, further, bindings) => {
    const condition = visibleCustomers(principal(accessLevel, seesCustomers));
    const sql = condition.sql.replaceAll(/\s+/g, ' ');
    expect({ ...condition, sql }).toEqual({ sql: [...ofFirm, ...further].join(' and '), bindings });
  },
);

test.each([
  visibleCustomers,
  customersWithVisibleFiles,
  visibleMandates,
  visibleGrants,
  visibleEntries,
])('identity: a principal that lacks a field sees no more than one that has it: %o', (visible) => {
  for (const { userId, ...rest } of [
    principal('administrator', 'all'),
    principal('user', 'assigned'),
  ]) {
    const without: unknown = rest;
    expect(visible(without as Principal)).toEqual({
      ...visible({ userId, ...rest }),
      bindings: expect.arrayContaining(['the firm']),
    });
  }
  const { seesCustomers, ...rest } = principal('administrator', 'assigned');
  const unsaid: unknown = rest;
  expect(visible(unsaid as Principal)).toEqual(visible({ seesCustomers, ...rest }));
});

test('identity: a principal without a firm sees nothing', () => {
  const { firmId: _, ...rest } = principal('administrator', 'all');
  const without: unknown = rest;
  const { sql, bindings } = visibleCustomers(without as Principal);
  expect(() =>
    knex({ client: 'pg' })
      .raw(sql, [...bindings])
      .toSQL(),
  ).toThrow('Undefined binding');
});
