import type { Knex } from 'knex';

/** Returns the contents of the database as text, in which tests search for secrets. */
export async function everyTextIn(knex: Knex): Promise<string> {
  const tables = await knex('pg_tables')
    .where({ schemaname: 'public' })
    .pluck<string[]>('tablename');
  const texts = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await knex.raw<{ rows: { text: string }[] }>(
        'select coalesce(string_agg(t::text, chr(10)), ?) as text from ?? t',
        ['', table],
      );
      return rows[0]?.text ?? '';
    }),
  );
  // Bytes appear in hexadecimal, so tests also search for secrets in that form.
  return texts.map((text) => text + decodeHex(text)).join('\n');
}

function decodeHex(text: string): string {
  return [...text.matchAll(/\\x([0-9a-f]+)/g)]
    .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
    .join('\n');
}
