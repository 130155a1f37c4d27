import type { Knex } from 'knex';
import { enqueueAll, lastPlace } from '../jobs/job.js';

/** The size of a file from which it is printed `alone` by workers, in bytes: some 2,000 lines, rendered in a moment. */
const LARGE = 2 ** 18;

/**
 * Enqueues the printing of files that were just listed, by their ids. The files of firms take turns: the place
 * of a job is the number of files of its firm that wait before it (D-67).
 */
export async function enqueuePrinting(
  trx: Knex.Transaction,
  files: ReadonlyMap<string, { readonly firmId: string; readonly bytes: number }>,
): Promise<void> {
  const firmIds = [...files.values()].map(({ firmId }) => firmId);
  const next = new Map<string, number>();
  for (const [firmId, unprinted] of await countUnprinted(trx, firmIds)) {
    const own = firmIds.filter((id) => id === firmId).length;
    next.set(firmId, Math.max(0, unprinted - own));
  }
  const takePlace = (firmId: string) => {
    const place = next.get(firmId) ?? 0;
    next.set(firmId, place + 1);
    return place;
  };
  await enqueueAll(
    trx,
    [...files].map(([fileId, { firmId, bytes }]) => ({
      task: 'printFile',
      payload: { fileId },
      key: `printFile:${fileId}`,
      firmId,
      place: takePlace(firmId),
      ...(bytes > LARGE && { limit: 'alone' }),
    })),
  );
}

/** Counts the files of firms that have not been printed, by the id of the firm, each up to the last place. */
async function countUnprinted(
  knex: Knex,
  firmIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await knex.raw<{ rows: { firmId: string; count: number }[] }>(
    `select f.id as "firmId", unprinted.count
       from unnest(?::text[]) f (id)
      cross join lateral (
            select count(*)::int from (
              select from files where firm_id = f.id and pdf_status = 'missing' limit ?) each) unprinted`,
    [[...new Set(firmIds)], lastPlace],
  );
  return new Map(rows.map(({ firmId, count }) => [firmId, count]));
}
