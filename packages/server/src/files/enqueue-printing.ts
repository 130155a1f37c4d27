import type { Knex } from 'knex';
import { enqueueAll, lastPlace } from '../jobs/job.js';

/**
 * The size of a file from which it is printed `alone` by workers, in bytes: some 2,000 lines,
 * rendered in a moment.
 */
const LARGE = 2 ** 18;

/** A file that was just listed. */
export interface ListedFile {
  readonly firmId: string;
  readonly bytes: Uint8Array;
}

/**
 * Enqueues the printing of files that were just listed, by their ids. The files of firms take
 * turns: the place of a job is the number of files of its firm that wait before it (D-67).
 */
export async function enqueuePrinting(
  trx: Knex.Transaction,
  files: ReadonlyMap<string, ListedFile>,
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
      ...(bytes.length > LARGE && { limit: 'alone' }),
    })),
  );
}

/**
 * Counts the files of firms that have not been printed, by the id of the firm, each up to the last
 * place.
 */
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

/** The most files that are printed as soon as they are listed, without a job of their own. */
const PRINTED_AT_ONCE = 4;

/** Returns true if so many documents of these sizes can be printed by the job that lists them. */
export function isPrintedAtOnce(documents: readonly { readonly bytes: Uint8Array }[]): boolean {
  return (
    documents.length <= PRINTED_AT_ONCE && documents.every(({ bytes }) => bytes.length <= LARGE)
  );
}

/**
 * Enqueues the printing of those files of an upload that its reader listed, but did not live to
 * print.
 */
export async function enqueueUnprinted(trx: Knex.Transaction, uploadId: string): Promise<void> {
  const files: { id: string; firm_id: string }[] = await trx('files')
    .where({ upload_id: uploadId, pdf_status: 'missing' })
    .whereRaw("not exists (select from graphile_worker.jobs where key = 'printFile:' || files.id)")
    .select('id', 'firm_id');
  const bytes = new Uint8Array();
  await enqueuePrinting(
    trx,
    new Map(files.map(({ id, firm_id: firmId }) => [id, { firmId, bytes }])),
  );
}
