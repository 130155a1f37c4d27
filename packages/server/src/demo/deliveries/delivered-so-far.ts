import type { Knex } from 'knex';
import { operatorBucket } from '../../uploads/upload-store.js';
import { demoMark } from './file-source.js';

/**
 * The files that the demo has delivered: by the name of their source, the last day or month. A file
 * that was being read when the demo was stopped is delivered again, and recognised.
 */
export async function readDeliveredSoFar(knex: Knex): Promise<Map<string, string>> {
  const { rows } = await knex.raw<{ rows: { origin: string; last: string }[] }>(
    `select substring(object_key from '^(.*)_[^_]+$') as origin,
            max(substring(object_key from '_([0-9-]+)[.][a-z]+$') collate "C") as last
       from uploads
      where bucket = :bucket and starts_with(object_key, :mark)
      group by origin`,
    { bucket: operatorBucket, mark: demoMark },
  );
  return new Map(rows.map(({ origin, last }) => [origin, last]));
}
