import { expect, test } from 'vitest';
import { knexForFile } from '../support/knex-for-file.js';

const knex = await knexForFile();

/** Unique across firms: claims, and what a user signs in with (D-16, D-56, D-68). */
const acrossFirms = [
  ...['claimed_enterprise_numbers_pkey', 'claimed_ibans_pkey'],
  ...['users_account_key', 'users_username_key'],
];

test('D-68 each unique index of a table with the firm has the firm in it', async () => {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `select c.relname as name
       from pg_index i
       join pg_class c on c.oid = i.indexrelid
       join pg_attribute f on f.attrelid = i.indrelid and f.attname = 'firm_id'
      where i.indisunique and not c.relispartition
        and c.relnamespace = 'public'::regnamespace
        and f.attnum <> all (i.indkey)
      order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(acrossFirms);
});

test('D-68 each foreign key between tables with the firm has the firm in it', async () => {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `select k.conname as name
       from pg_constraint k
       join pg_attribute f on f.attrelid = k.conrelid and f.attname = 'firm_id'
       join pg_attribute t on t.attrelid = k.confrelid and t.attname = 'firm_id'
      where k.contype = 'f' and (f.attnum <> all (k.conkey) or t.attnum <> all (k.confkey))
      order by 1`,
  );
  expect(rows).toEqual([]);
});
