import type { Knex } from 'knex';
import { formats, type NewFile } from './document.js';

/**
 * Returns a name for each file by its id, which no file of its firm has: `…_2.cod` for the second
 * one with a name. The versions are counted and never read, because there may be any number.
 *
 * @param further added to the number of each version, because these names were taken meanwhile
 */
export async function versionNames(
  trx: Knex.Transaction,
  newFiles: readonly NewFile[],
  further: number,
): Promise<Map<string, string>> {
  const stems = new Map(
    newFiles.map((file) => {
      const { fileStem } = file.document;
      const { firmId } = file.recipient;
      return [stemOf(file), { stem: stemOf(file), firm_id: firmId, own: fileStem.toLowerCase() }];
    }),
  );
  const listed = [...stems.values()];
  const inRange = (from: string, before: string) => `
    select w.stem
      from jsonb_to_recordset(:listed::jsonb) as w (stem text, firm_id text, own text)
      join files f on f.firm_id = w.firm_id
       and lower(f.file_name collate "C") >= w.own || '${from}'
       and lower(f.file_name collate "C") < w.own || '${before}'
     where f.firm_id = any(:firms)`;
  const { rows } = await trx.raw<{ rows: { stem: string; versions: number }[] }>(
    // `/` follows the dot, and the backtick the underscore.
    `select stem, count(*)::int as versions
       from (${inRange('.', '/')} union all ${inRange('_', '`')}) found group by stem`,
    { listed: JSON.stringify(listed), firms: [...new Set(listed.map((each) => each.firm_id))] },
  );
  const versions = new Map(listed.map(({ stem }) => [stem, further]));
  for (const { stem, versions: found } of rows) versions.set(stem, found + further);
  return new Map(
    newFiles.map((file) => {
      const number = (versions.get(stemOf(file)) ?? 0) + 1;
      versions.set(stemOf(file), number);
      return [file.id, fileName(file, number)];
    }),
  );
}

export function fileName({ document: { product, fileStem } }: NewFile, number: number): string {
  const version = number === 1 ? '' : `_${number}`;
  return `${fileStem}${version}.${formats[product].extension}`;
}

/** Returns the same text for documents whose names differ at most in the number of a version. */
function stemOf({ document: { fileStem }, recipient: { firmId } }: NewFile): string {
  return `${firmId} ${fileStem.toLowerCase()}`;
}
