import type { Knex } from 'knex';
import { demoFolder } from './file-source.js';

/**
 * What the demo has uploaded, as far as the service took notice of it: by the folder of the source,
 * that of the firm before it, the name of the latest file without its extension. What was put a
 * moment before the demo was stopped is put again, and recognised.
 */
export async function readDeliveredSoFar(knex: Knex): Promise<Map<string, string>> {
  const { rows } = await knex.raw<{ rows: { folder: string; last: string }[] }>(
    `select substring(object_key from '^uploads/(.*)/[^/]+$') as folder,
            max(substring(object_key from '/([0-9-]+)[.][a-z]+$') collate "C") as last
       from uploads
      where object_key ~ '^uploads/[^/]+/${demoFolder}/[^/]+/[0-9-]+[.][a-z]+$'
      group by folder`,
  );
  return new Map(rows.map(({ folder, last }) => [folder, last]));
}
