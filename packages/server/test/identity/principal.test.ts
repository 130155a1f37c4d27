import knex from 'knex';
import { expect, test } from 'vitest';
import { operatorScope } from '../../src/identity/operator-scope.js';
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
  'exists (select from user_customers uc where uc.user_id = ? and uc.customer_id = c.id and uc.firm_id = ?)';

const principal = (
  accessLevel: Principal['accessLevel'],
  seesCustomers: Principal['seesCustomers'],
): Principal => ({ userId: 'the user', firmId: 'the firm', accessLevel, seesCustomers });

test.each([
  ['administrator', 'all', [], ['the firm']],
  ['administrator', 'assigned', [isAssigned], ['the firm', 'the user', 'the firm']],
  ['user', 'all', [isOpen], ['the firm']],
  ['user', 'assigned', [isOpen, isAssigned], ['the firm', 'the user', 'the firm']],
] as const)(
  '§5 rules 3 and 5: a user with level %s who sees %s customers',
  (accessLevel, seesCustomers, further, bindings) => {
    const condition = visibleCustomers(principal(accessLevel, seesCustomers));
    const sql = condition.sql.replaceAll(/\s+/g, ' ');
    expect({ ...condition, sql }).toEqual({ sql: [...ofFirm, ...further].join(' and '), bindings });
  },
);

test.each([
  ['administrator', 'all', true],
  ['administrator', 'assigned', false],
  ['user', 'all', false],
  ['user', 'assigned', false],
] as const)(
  'D-31, D-58 a user with level %s who sees %s customers sees the uploads and entries of others: %s',
  (accessLevel, seesCustomers, ofOthers) => {
    const own = ofOthers ? '' : ' and $.user_id = ?';
    const bindings = ofOthers ? ['the firm'] : ['the firm', 'the user'];
    const caller = principal(accessLevel, seesCustomers);
    for (const [table, visible] of [
      ['g', visibleGrants],
      ['e', visibleEntries],
    ] as const) {
      const sql = `${table}.firm_id = ?${own.replace('$', table)}`;
      expect(visible(caller)).toEqual({ sql, bindings });
    }
  },
);

test('§5, D-48 a mandate is seen while it is open, and the files of a transferred customer too', () => {
  const caller = principal('administrator', 'all');
  expect(visibleMandates(caller).sql).toBe(
    '(m.closed_on is null) and (c.firm_id = ? and c.archived_on is null)',
  );
  expect(customersWithVisibleFiles(caller).sql).toBe(
    'c.firm_id = ? and (c.archived_on is null or c.transferred_to is not null)',
  );
});

test.each([
  ['c', visibleCustomers],
  ['c', customersWithVisibleFiles],
  ['c', visibleMandates],
  ['g', visibleGrants],
  ['e', visibleEntries],
] as const)('D-57 the operator sees the rows %s of one firm, or of all: %o', (table, visible) => {
  const ofOne = visible(operatorScope('the firm'));
  expect(ofOne).toEqual({ sql: `(${table}.firm_id = ?)`, bindings: ['the firm'] });
  expect(visible(operatorScope())).toEqual({ sql: 'true', bindings: [] });
});

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
