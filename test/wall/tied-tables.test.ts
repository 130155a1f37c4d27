import { describe, expect, it } from 'vitest';
import { untied } from './sample-schema.js';

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
