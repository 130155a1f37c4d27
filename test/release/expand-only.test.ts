import { loadModule } from 'libpg-query';
import { expect, test } from 'vitest';
import { allMigrations } from '../../packages/server/src/db/migrations/all-migrations.js';
import { breakingStatements } from './expand-only.js';

/** Migrations that are refused, and why services of the former release survive them. */
const excused: Readonly<Record<string, string>> = {};

await loadModule();

test('D-64 services of the former release survive every migration after the first, or the list says why', () => {
  const breaking = allMigrations.slice(1).flatMap(({ name, sql, up }) => {
    // This test cannot read the statements of `up`.
    const statements = [...breakingStatements(sql), ...(up === undefined ? [] : ['up'])];
    return statements.length === 0 || name in excused ? [] : [{ name, statements }];
  });
  expect(breaking).toEqual([]);
});

test('D-64 what only adds is no breaking statement', () => {
  const migration = `
    create table notes (id text primary key, customer_id text not null references customers);
    create index notes_by_customer on notes (customer_id);
    alter table notes add check (id <> '');
    insert into notes values ('1', '2');
    create function note_of(id text) returns text language sql as 'select text from notes';
    create trigger follow before insert on notes for each row execute function note_of();
    comment on table notes is 'é; drop table notes';
    alter table customers add column note text, add column notes integer not null default 0`;
  expect(breakingStatements(migration)).toEqual([]);
});

test.each([
  'drop table customers',
  'alter table customers rename column name to title',
  'alter table customers drop column name',
  'alter table customers add column note text not null',
  'alter table customers add column note text unique',
  'alter table customers add column note uuid default gen_random_uuid()',
  'alter table customers add column note bigserial',
  'alter table customers add column if not exists name text',
  'alter table customers alter column name set not null',
  'alter table customers add unique (name)',
  'create index names on customers (name)',
  'create index names on other.notes (id)',
  'alter table notes inherit customers',
  'alter table notes attach partition customers default',
  'create table if not exists customers (id text)',
  'create table late partition of customers default',
  'create or replace function note_of(id text) returns text language sql as $$ select id $$',
  'create trigger follow before insert on customers for each row execute function follow()',
  'update customers set name = upper(name)',
  'with gone as (delete from customers returning id) select count(*) from gone',
  'do $$ begin delete from customers; end $$',
])('D-64 %s may break services of the former release', (statement) => {
  expect(breakingStatements(`create table notes (id text);\n${statement};`)).toEqual([statement]);
});
