import { loadModule } from 'libpg-query';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../packages/server/src/db/migrate.js';
import { allMigrations } from '../../packages/server/src/db/migrations/all-migrations.js';
import { createTestDatabase } from '../../packages/server/test/support/database.js';
import { createTestKnex } from '../../packages/server/test/support/knex-for-file.js';
import { breakingStatements } from './expand-only.js';

/** The last migration of before there was a release of the service. Its successors keep the rule. */
const lastBefore = '0051-unique-firm-names';

/**
 * Migrations with statements that the check refuses, and why services of the former release survive them:
 * `contract:` and the release since which no service uses what is removed, or `harmless:` and the reason.
 */
const excused: Readonly<Record<string, string>> = {
  [lastBefore]: 'harmless: there was no release of the service before',
  '0052-erasure':
    'harmless: it drops a foreign key that no service relies on, and counts uploads that are deleted',
  '0053-retention':
    'harmless: the function does the same, and the changelog says how to build its indexes beforehand',
  '0055-bound-accounts': 'harmless: services of before leave the new columns null; users are few',
  '0058-contested-links':
    'harmless: the triggers keep what the former release writes too, it never inserts what the constraint now permits, and customers are few',
  '0056-erasure-indexes': 'harmless: the changelog says how to build its large indexes beforehand',
  '0062-former-names': 'harmless: the trigger adds a row that is deleted with its customer',
  '0064-mailboxes-of-providers':
    'harmless: it widens a check, and the index that it replaces only makes counting faster',
};

await loadModule();

test('D-64 services of the former release survive every migration, or the list says why', async () => {
  const database = await createTestDatabase({ empty: true });
  const knex = createTestKnex(database.url);
  onTestFinished(async () => {
    await knex.destroy();
    await database.drop();
  });
  const place = allMigrations.findIndex(({ name }) => name === lastBefore);
  await migrate(knex, allMigrations.slice(0, place));
  const breaking: Record<string, string[]> = {};
  await knex.transaction(async (trx) => {
    for (const { name, up } of allMigrations.slice(place)) {
      const sent: string[] = [];
      const record = ({ sql }: { readonly sql: string }) => sent.push(sql);
      trx.on('query', record);
      await up(trx);
      trx.off('query', record);
      const statements = breakingStatements(sent.join(';\n'));
      if (statements.length > 0) breaking[name] = statements;
    }
  });
  const unexcused = Object.entries(breaking).filter(([name]) => !(name in excused));
  expect(Object.fromEntries(unexcused)).toEqual({});
  // An excuse that is no longer needed is removed.
  expect(Object.keys(excused).filter((name) => !(name in breaking))).toEqual([]);
});

test('D-64 what only adds is no breaking statement', () => {
  const migration = `
    set local statement_timeout = 0;
    create table notes (id text primary key, customer_id text not null references customers);
    create index notes_by_customer on notes (customer_id);
    alter table notes add column text text not null;
    insert into notes values ('1', '2', 'three') on conflict (id) do update set text = 'three';
    update notes set text = ''; delete from notes;
    create function note_of(id text) returns text language sql as 'select text from notes';
    create or replace function note_of(id text) returns text language sql as 'select id';
    create trigger follow before insert on notes for each row execute function note_of();
    comment on table notes is 'é; drop table notes';
    alter table customers
      add column note_count integer not null default 0 check (note_count >= 0),
      add column noted_on timestamptz, add column noted_by text references users,
      add check ((noted_on is null) = (noted_by is null)), add constraint noted check (noted_by <> ''),
      add foreign key (noted_by) references users (id);
    update customers c set note_count = (select count(*) from notes n where n.customer_id = c.id);
    insert into banks (id) values (1); insert into banks (id) values (1) on conflict do nothing;
    select graphile_worker.add_job('countNotes');
    create table counts as select count(*) from notes`;
  expect(breakingStatements(migration)).toEqual([]);
});

test.each([
  'drop table customers',
  'drop index customers_by_name',
  'drop function note_of(text)',
  'truncate customers',
  'alter table customers rename column name to title',
  'alter table customers rename to clients',
  'alter table customers drop column name',
  'alter table customers add column note text not null',
  'alter table customers add column note text unique',
  'alter table customers add column note uuid default gen_random_uuid()',
  'alter table customers add column note text generated always as (upper(name)) stored',
  'alter table customers add column note integer generated always as identity',
  'alter table customers add column note text, add unique (note)',
  'alter table customers add column note text not null check (note <> name) default 0',
  'alter table customers add column note text check (note <> name)',
  'alter table customers add column note text, alter column name type varchar(10)',
  'alter table customers alter column name set not null',
  // A service may read the null that another one wrote.
  'alter table customers alter column name drop not null',
  'alter table customers alter column name set default 0',
  'alter table customers add constraint named check (length(name) > 3) not valid',
  'alter table customers add unique (name)',
  'alter table customers add foreign key (name) references banks',
  'alter table customers add column note text, add check (note <> name)',
  'alter table customers disable trigger all',
  "alter type status rename value 'open' to 'new'",
  'create index names on customers (name)',
  'create or replace function note_of(id text) returns text language sql as $$ select id $$',
  'create trigger follow before insert on customers for each row execute function follow()',
  'update customers set name = upper(name)',
  'delete from signing_keys',
  'with gone as (delete from customers returning id) select count(*) from gone',
  'insert into banks (id) values (1) on conflict (id) do update set id = 2',
  'lock table customers in share row exclusive mode',
  'do $$ begin delete from customers; end $$',
  'set statement_timeout = 0',
])('D-64 %s may break services of the former release', (statement) => {
  expect(breakingStatements(`create table notes (id text);\n${statement};`)).toEqual([statement]);
});

test.each([
  ['create table if not exists customers (id text)', 'alter table customers drop column name'],
  ['create table if not exists customers as select 1', 'delete from customers'],
  ['create temporary table customers (id text)', 'alter table public.customers drop name'],
  ['create table late partition of customers default', 'alter table late drop column name'],
  ['create table child () inherits (customers)', 'update child set name = null'],
  ['alter table customers add column if not exists name text', "update customers set name = ''"],
  ['create function note_of(id text, short bool default true) returns text return id', 'do $$ $$'],
  [
    'create schema notes create trigger t after insert on customers execute function f()',
    'do $$ $$',
  ],
])('D-64 %s makes nothing new', (...statements) => {
  expect(breakingStatements(statements.join(';\n'))).toEqual(statements);
});

test.each([
  ['create table archive.customers (id text)', 'alter table customers drop column name'],
  ['create function customers() returns int return 1', 'alter table customers drop column name'],
  [
    'create function note_of(id text, lines int) returns text return id',
    'create or replace function note_of(id text) returns text return id',
  ],
  ['create table notes (id text)', 'with d as (delete from banks) insert into notes select 1'],
  ['create table notes (id text)', "with d as (delete from banks) update notes set id = ''"],
  ['create table notes (id text)', 'with d as (delete from banks) delete from notes'],
])('D-64 after %s, %s may break services of the former release', (before, statement) => {
  expect(breakingStatements(`${before};\n${statement}`)).toEqual([statement]);
});
