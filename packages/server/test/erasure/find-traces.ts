import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { Knex } from 'knex';
import { readPdf } from '../../../statements/test/pdf/read-pdf.js';
import { removeDueObjects } from '../../src/files/object-removals.js';
import type { Storage } from '../../src/storage/open-storage.js';
import { tablesOf } from '../support/tables.js';
import type { Uploads } from '../uploads/set-up-uploads.js';

/** Removes the objects that are due after two hours, as workers do. */
export const removeLater = (work: Pick<Uploads, 'knex' | 'storage'>) =>
  removeDueObjects(work, new Date(Date.now() + 7_200_000));

/** Returns the rows with one of the texts in any column, as texts, by table. */
export async function rowsWith(
  knex: Knex,
  texts: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  // Columns of bytes are shown as hexadecimal digits.
  const patterns = texts
    .flatMap((text) => [text, Buffer.from(text).toString('hex')])
    .map((text) => `%${text}%`);
  for (const name of await tablesOf(knex)) {
    const table = name.replace(/^public\./, '');
    const { rows } = await knex.raw<{ rows: { row: string }[] }>(
      `select t::text as row from ${table} t where t::text ilike any(?) order by 1`,
      [patterns],
    );
    const texts = rows.map(({ row }) => row);
    if (texts.length > 0) found.set(table, texts);
  }
  return found;
}

/** Returns the objects of all buckets with one of the texts in key or content, unpacked. */
export async function objectsWith(
  { store, buckets }: Storage,
  texts: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const bucket of Object.values(buckets)) {
    for await (const { key } of store.list(bucket, '')) {
      const object = await store.get(bucket, key);
      const bytes = object === undefined ? Buffer.alloc(0) : await buffer(object.bytes);
      const content = `${key}\n${textOf(key, bytes)}`.toLowerCase();
      if (texts.some((text) => content.includes(text.toLowerCase()))) found.push(key);
    }
  }
  return found;
}

function textOf(key: string, bytes: Buffer): string {
  if (key.endsWith('.pdf')) {
    return readPdf(bytes)
      .flat()
      .map(({ text }) => text)
      .join(' ');
  }
  return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('latin1');
}

/** Returns tables that lead to `firms` or `customers` by foreign keys, with the table itself. */
export async function tablesBelow(knex: Knex, root: 'firms' | 'customers'): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `with recursive below (id) as (
       select ?::regclass::oid
        union
       select c.conrelid from pg_constraint c join below b on b.id = c.confrelid where c.contype = 'f')
     select id::regclass::text as name from below join pg_class t on t.oid = id
      where not t.relispartition order by 1`,
    [root],
  );
  return rows.map(({ name }) => name);
}
