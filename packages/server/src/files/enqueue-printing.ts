import type { Knex } from 'knex';
import { enqueueAll, type Job, lastPlace } from '../jobs/job.js';
import type { FileKey } from './unprinted-files.js';

/** The size from which workers print a file `alone`, in bytes: some 2,000 lines. */
const LARGE = 2 ** 18;

export interface ListedFile {
  readonly firmId: string;
  readonly bytes: Uint8Array;
}

export function printJob({ id, firmId }: FileKey): Job {
  return { task: 'printFile', payload: { fileId: id, firmId }, key: `printFile:${id}` };
}

/**
 * Enqueues the printing of files. Those of firms take turns: the place of a job is the number of
 * files of its firm that wait before it (D-67).
 *
 * @param options.isAlone - true if one of them may need more memory than its size says
 */
export async function enqueuePrinting(
  trx: Knex.Transaction,
  files: ReadonlyMap<string, ListedFile>,
  { isAlone = false } = {},
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
    [...files].map(([id, { firmId, bytes }]) => ({
      ...printJob({ id, firmId }),
      firmId,
      place: takePlace(firmId),
      ...((isAlone || bytes.length > LARGE) && { limit: 'alone' }),
    })),
  );
}

/** Counts the files of firms that have not been printed, each up to the last place. */
async function countUnprinted(
  knex: Knex,
  firmIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const firmId of new Set(firmIds)) {
    const { rows } = await knex.raw<{ rows: [{ count: number }] }>(
      `select count(*)::int from (
         select from unprinted_files where firm_id = ? and status = 'missing' limit ?) each`,
      [firmId, lastPlace],
    );
    counts.set(firmId, rows[0].count);
  }
  return counts;
}

/** The most files that the job which lists them prints, without jobs of their own. */
const PRINTED_BY_READER = 4;

export function isPrintedByReader(documents: readonly { readonly bytes: Uint8Array }[]): boolean {
  return (
    documents.length <= PRINTED_BY_READER && documents.every(({ bytes }) => bytes.length <= LARGE)
  );
}

/** Enqueues the files of an upload that its reader did not live to print. */
export async function enqueueUnprinted(
  trx: Knex.Transaction,
  { id, firmId }: { readonly id: string; readonly firmId: string },
): Promise<void> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select f.id from files f join unprinted_files p on p.file_id = f.id and p.firm_id = f.firm_id
      where f.upload_id = :id and f.firm_id = :firmId and p.status = 'missing'
        and not exists (select from graphile_worker.jobs where key = 'printFile:' || f.id)`,
    { id, firmId },
  );
  const file = { firmId, bytes: new Uint8Array() };
  const files = new Map(rows.map(({ id }) => [id, file]));
  // One of them may have ended the process.
  await enqueuePrinting(trx, files, { isAlone: true });
}
