import { describe, expect, it } from 'vitest';
import { allMigrations } from '../../packages/server/src/db/migrations/all-migrations.js';
import { excuseOf } from './excused-statements.js';
import { readFirmTables } from './firm-tables.js';
import { untied } from './sample-schema.js';

describe('D-57 a statement does not name the firm of', () => {
  it.each([
    ['a table without a condition', 'select * from customers', ['customers']],
    ['a record that it names', 'select * from customers c where c.id = $1', ['customers']],
    [
      'another name of the same table',
      'select * from customers c, customers d where d.firm_id = $1',
      ['customers'],
    ],
    [
      'a table that is joined by other columns',
      'select * from accounts a join customers c on c.name = a.iban where c.firm_id = $1',
      ['accounts'],
    ],
    [
      'one that is joined by a table of no firm',
      'select * from accounts a join banks b on b.iban = a.iban, customers c where c.firm_id = $1',
      ['accounts'],
    ],
    ['a firm that is a constant', "select * from customers where firm_id = 'a'", ['customers']],
    [
      'a firm that is one of several',
      'select * from customers where firm_id = any($1)',
      ['customers'],
    ],
    ['other firms', 'select * from customers where firm_id <> $1', ['customers']],
    [
      'a table in one branch of or',
      'select * from customers where firm_id = $1 or name = $2',
      ['customers'],
    ],
    ['a table behind not', 'select * from customers where not (firm_id = $1)', ['customers']],
    [
      'a table in the condition of a left join',
      'select * from customers c left join accounts a on a.customer_id = c.id and c.firm_id = $1',
      ['customers', 'accounts'],
    ],
    [
      'both sides of a full join',
      'select * from customers c full join accounts a on a.customer_id = c.id and c.firm_id = $1',
      ['customers', 'accounts'],
    ],
    [
      'the right side of a left join without a condition',
      'select * from customers c left join accounts a on true where c.firm_id = $1',
      ['accounts'],
    ],
    [
      'a table outside not exists',
      'select * from accounts a where not exists (select from customers c where c.id = a.customer_id and c.firm_id = $1)',
      ['accounts'],
    ],
    [
      'a table outside not in',
      'select * from accounts where customer_id not in (select id from customers where firm_id = $1)',
      ['accounts'],
    ],
    [
      'a table outside an exists that is always true',
      'select * from accounts a where exists (select count(*) from customers c where c.id = a.customer_id and c.firm_id = $1)',
      ['accounts'],
    ],
    [
      'a table beside an exists that is not correlated',
      'select * from accounts a where exists (select from customers c where c.firm_id = $1)',
      ['accounts'],
    ],
    [
      'the query of an exists',
      'select * from customers c where c.firm_id = $1 and exists (select from accounts a where a.iban = $2)',
      ['accounts'],
    ],
    [
      'a query in the list',
      'select (select count(*) from accounts) from customers c where c.firm_id = $1',
      ['accounts'],
    ],
    [
      'a query in order by',
      'select * from banks order by (select count(*) from accounts)',
      ['accounts'],
    ],
    [
      'a page of a query in from',
      'select * from (select * from customers limit 1) x where x.firm_id = $1',
      ['customers'],
    ],
    [
      'a total of a query in from',
      'select * from (select firm_id, count(*) over () from customers) x where x.firm_id = $1',
      ['customers'],
    ],
    [
      'a query of with',
      'with x as (select * from customers) select * from x where x.firm_id = $1',
      ['customers'],
    ],
    [
      'a query of with that is not used',
      'with x as (delete from customers where id = $1) select 1',
      ['customers'],
    ],
    [
      'one branch of a union',
      'select id from customers where firm_id = $1 union select id from customers',
      ['customers'],
    ],
    [
      'a table, by a union that is open',
      'select * from accounts a join (select id from customers where firm_id = $1 union select iban from banks) x on x.id = a.customer_id',
      ['accounts'],
    ],
    [
      'the customer of another firm',
      'select * from customers c join customers d on d.id = c.transferred_to where c.firm_id = $1',
      ['customers'],
    ],
    [
      'an upload, by one of its files',
      'select * from files f join uploads u on u.id = f.upload_id where f.firm_id = $1',
      ['uploads'],
    ],
    [
      'what a user has seen',
      'select * from seen s join files f on f.id = s.file_id where s.user_id = $1',
      ['files'],
    ],
    [
      'a row to insert',
      'insert into accounts (id, customer_id, iban) values ($1, $2, $3)',
      ['accounts'],
    ],
    [
      'one of several records of a row',
      'insert into seen (user_id, file_id) values ($1, $2)',
      ['seen'],
    ],
    [
      'one of several rows to insert',
      'insert into customers (id, firm_id) values ($1, $2), ($3, (select firm_id from customers limit 1))',
      ['customers', 'customers'],
    ],
    [
      'a row that is in the way',
      'insert into customers (id, firm_id) values ($1, $2) on conflict (id) do update set name = excluded.name',
      ['customers'],
    ],
    ['a row to update', 'update customers set firm_id = $1 where id = $2', ['customers']],
    [
      'a row to delete, by using',
      'delete from accounts a using customers c where c.firm_id = $1',
      ['accounts'],
    ],
    ['a statement of several', 'select 1; delete from accounts', ['accounts']],
    ['tables that are locked', 'lock table customers', ['customers']],
    [
      'tables that are merged',
      'merge into customers c using banks b on c.firm_id = $1 when matched then delete',
      ['customers'],
    ],
  ])('%s', (_, sql, expected) => {
    expect(untied(sql)).toEqual(expected);
  });
});

it('D-57 the tables of firms are those of the schema', () => {
  const ours = readFirmTables(allMigrations.map(({ sql }) => sql).join('\n'));
  const tablesOf = (names: string[]) => names.filter((name) => ours.has(name));
  const known = [
    'firms',
    'users',
    'customers',
    'files',
    'mandates',
    'outgoing_mails',
    'refresh_tokens',
  ];
  expect(tablesOf([...known, 'banks', 'api_keys', 'signing_keys', 'object_removals'])).toEqual(
    known,
  );
  expect(ours.recordOf('outgoing_mails', 'request_id')).toBe('signature_requests.id');
  expect(ours.recordOf('customers', 'transferred_to')).toBeUndefined();
  expect([ours.hasOneFirm('customers.id'), ours.hasOneFirm('uploads.id')]).toEqual([true, false]);
});

it('D-57 an excuse holds for its statement and its tables only', () => {
  const statement = 'insert into "audit_entries"\n ("id") values ($1)';
  expect(excuseOf(statement, ['audit_entries'])).toBeDefined();
  expect(excuseOf(statement, ['audit_entries', 'customers'])).toBeUndefined();
  expect(excuseOf(`select 1; ${statement}`, ['audit_entries'])).toBeUndefined();
});
