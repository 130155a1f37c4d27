import { readFileSync } from 'node:fs';
import { loadModule, parseSync } from 'libpg-query';
import { beforeAll, describe, expect, it } from 'vitest';
import { readFirmTables } from './firm-tables.js';
import { untiedTables } from './untied-tables.js';

/** A schema in the form of `schema.sql`. */
const schema = `
create table firms (
  id text not null,
  name text not null
);
create table users (
  id text not null,
  firm_id text not null,
  constraint a FOREIGN KEY (firm_id) REFERENCES firms(id)
);
create table customers (
  id text not null,
  firm_id text not null,
  name text not null,
  transferred_to text,
  constraint a FOREIGN KEY (firm_id) REFERENCES firms(id),
  constraint b FOREIGN KEY (transferred_to) REFERENCES customers(id)
);
create unlogged table accounts (
  id text not null,
  customer_id text not null,
  iban text not null,
  constraint a FOREIGN KEY (customer_id) REFERENCES customers(id)
);
create table uploads (
  id text not null,
  user_id text,
  constraint a FOREIGN KEY (user_id) REFERENCES users(id)
);
create table files (
  id text not null,
  customer_id text not null,
  firm_id text not null,
  upload_id text,
  constraint a FOREIGN KEY (customer_id, firm_id) REFERENCES customers(id, firm_id),
  constraint b FOREIGN KEY (upload_id) REFERENCES uploads(id)
);
create table seen (
  user_id text not null,
  file_id text not null,
  constraint a FOREIGN KEY (user_id) REFERENCES users(id),
  constraint b FOREIGN KEY (file_id) REFERENCES files(id)
);
create table clocks (
  firm_id text not null
);
create table banks (
  id integer not null,
  iban text not null
);
`;
const tables = readFirmTables(schema);
const untied = (sql: string) => untiedTables(parseSync(sql), tables);

beforeAll(() => loadModule());

describe('D-57 a statement names the firm of', () => {
  it.each([
    ['no table of a firm', 'select * from banks'],
    ['its only table', 'select * from customers c where c.firm_id = $1 and c.name = $2'],
    ['it, the other way round', 'select * from customers where $1::text = firm_id'],
    ['a table that only has a firm_id', 'select * from clocks where firm_id = $1'],
    ['the firm itself', 'select * from firms where id = $1'],
    [
      'a child, by a join',
      'select * from accounts a join customers c on c.id = a.customer_id where c.firm_id = $1',
    ],
    [
      'a child, by a comma',
      'select * from accounts a, customers c where c.id = a.customer_id and c.firm_id = $1',
    ],
    [
      'a child, by using',
      'select * from accounts a join files f using (customer_id) where f.firm_id = $1',
    ],
    [
      'a parent, by its child',
      'select * from customers c join files f on f.customer_id = c.id where f.firm_id = $1',
    ],
    [
      'a sibling',
      'select * from accounts a join files f on f.customer_id = a.customer_id and f.firm_id = $1',
    ],
    [
      'the right side of a left join',
      'select * from customers c left join accounts a on a.customer_id = c.id where c.firm_id = $1',
    ],
    [
      'the left side of a right join',
      'select * from accounts a right join customers c on a.customer_id = c.id where c.firm_id = $1',
    ],
    [
      'a table, by a correlated exists',
      'select * from accounts a where exists (select from customers c where c.id = a.customer_id and c.firm_id = $1)',
    ],
    [
      'a table, by in',
      'select * from accounts where customer_id in (select id from customers where firm_id = $1)',
    ],
    [
      'a table, by a pair',
      'select * from files where (customer_id, firm_id) in (select id, firm_id from customers where firm_id = $1)',
    ],
    [
      'the query of an exists, by its outer query',
      'select * from customers c where c.firm_id = $1 and not exists (select from accounts a where a.customer_id = c.id)',
    ],
    [
      'a query in the list',
      'select (select count(*) from accounts a where a.customer_id = c.id) from customers c where c.firm_id = $1',
    ],
    ['a query in from', 'select * from (select * from customers c) x where x.firm_id = $1'],
    [
      'a table, by a query in from',
      'select * from (select id from customers where firm_id = $1 limit $2) x join customers c on c.id = x.id',
    ],
    [
      'a lateral query',
      'select * from customers c cross join lateral (select f.id from files f where f.customer_id = c.id limit 3) f where c.firm_id = $1',
    ],
    [
      'a table, by a query of with',
      'with x as (select id from customers where firm_id = $1) select * from accounts a join x on x.id = a.customer_id',
    ],
    [
      'both branches of a union',
      'select * from (select id, firm_id from customers union all select id, firm_id from files) x where x.firm_id = $1',
    ],
    [
      'a file, by its upload',
      'select * from files f join uploads u on u.id = f.upload_id join users s on s.id = u.user_id where s.firm_id = $1',
    ],
    ['rows of the user', 'select * from seen where user_id = $1'],
    ['a row to insert', 'insert into customers (id, firm_id, name) values ($1, $2, $3)'],
    [
      'a row to insert, by a query',
      'insert into seen (user_id, file_id) select $1, f.id from files f where f.firm_id = $2',
    ],
    [
      'a row to insert or change',
      'insert into clocks (firm_id) values ($1) on conflict (firm_id) do update set firm_id = excluded.firm_id',
    ],
    ['a row to update', 'update customers c set name = $1 where c.id = $2 and c.firm_id = $3'],
    [
      'a row to update, by from',
      'update accounts a set iban = $1 from customers c where c.id = a.customer_id and c.firm_id = $2',
    ],
    [
      'a row to delete, by using',
      'delete from accounts a using customers c where c.id = a.customer_id and c.firm_id = $1',
    ],
    [
      'what a query of with changed',
      'with x as (update customers set name = $1 where firm_id = $2 returning id) select * from accounts a join x on x.id = a.customer_id',
    ],
  ])('%s', (_, sql) => {
    expect(untied(sql)).toEqual([]);
  });
});

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
  const ours = readFirmTables(
    readFileSync(new URL('../../packages/server/src/db/schema.sql', import.meta.url), 'utf8'),
  );
  const tablesOf = (names: string[]) => names.filter((name) => ours.has(name));
  const known = [
    'firms',
    'users',
    'customers',
    'files',
    'mandates',
    'evidence_mails',
    'refresh_tokens',
  ];
  expect(tablesOf([...known, 'banks', 'api_keys', 'signing_keys', 'object_removals'])).toEqual(
    known,
  );
  expect(ours.recordOf('evidence_mails', 'request_id')).toBe('signature_requests.id');
  expect(ours.recordOf('customers', 'transferred_to')).toBeUndefined();
  expect([ours.hasOneFirm('customers.id'), ours.hasOneFirm('uploads.id')]).toEqual([true, false]);
});
