import type { Knex } from 'knex';

/** Everything the database holds, as text, to look for what must not be there. */
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
  // Bytes are shown in hexadecimal: a secret stored as bytes is looked for as such too.
  return texts.map((text) => text + unhex(text)).join('\n');
}

function unhex(text: string): string {
  return [...text.matchAll(/\\x([0-9a-f]+)/g)]
    .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
    .join('\n');
}
