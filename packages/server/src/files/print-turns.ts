import type { Knex } from 'knex';
import { z } from 'zod';
import { inTransaction } from '../db/transaction.js';
import { enqueue, enqueueAll, type Job, type Task } from '../jobs/job.js';
import type { RepeatingWork } from '../jobs/repeating-tasks.js';
import type { FilePrinter } from './print-files.js';

/** The pause between two searches for files to print, in ms. */
export const SEARCH_MS = 2_000;

/** The number of firms whose files a worker prints at once. They share the places of its printer. */
export const FIRMS_AT_ONCE = 4;

/** How long a turn begins to print further files of a firm, in ms. */
const TURN_MS = 500;

/** The pause of a firm after a file that could not be printed, in ms: the storage may be away. */
const FAILED_MS = 5_000;

const turnPayload = z.strictObject({ firmId: z.string(), after: z.string().optional() });

/**
 * Creates the jobs that print listed files in all workers. Firms take turns: a turn prints some files of one
 * firm, and then waits behind the firms that are waiting already (D-38).
 */
export function createPrintingTasks({
  knex,
  printer,
  searchMs = SEARCH_MS,
  turnMs = TURN_MS,
  failedMs = FAILED_MS,
}: {
  readonly knex: Knex;
  readonly printer: FilePrinter;
  readonly searchMs?: number;
  readonly turnMs?: number;
  readonly failedMs?: number;
}) {
  const printFilesOfFirm: Task = async (payload) => {
    const { firmId, after: from = '' } = turnPayload.parse(payload);
    const { after, isFailed } = await printer.printOfFirm(firmId, from, turnMs);
    if (after === undefined) return;
    const next = { ...turnJob(firmId, after), afterMs: isFailed ? failedMs : 0 };
    await inTransaction(knex, (trx) => enqueue(trx, next));
  };

  /**
   * Enqueues a turn for each firm with files to print.
   *
   * @throws Error if the oldest file of a firm could not be printed, so that the log has outages of the storage
   */
  async function search(): Promise<'done'> {
    const firms = await findFirmsToPrint(knex);
    const idle = firms.filter(({ isEnqueued }) => !isEnqueued);
    await inTransaction(knex, (trx) =>
      enqueueAll(
        trx,
        idle.map(({ firmId }) => ({ ...turnJob(firmId), keepsPlace: true })),
      ),
    );
    const failed = firms.find(({ failure }) => failure !== null);
    if (failed !== undefined) {
      throw new Error(`Some files are not printed yet, see \`file unprinted\`: ${failed.failure}`);
    }
    return 'done';
  }

  return {
    tasks: { printFilesOfFirm: Object.assign(printFilesOfFirm, { isRoutine: true }) },
    repeating: {
      printFiles: { name: 'printing files', pauseMs: searchMs, run: search },
    } satisfies Record<string, RepeatingWork>,
  };
}

/**
 * Creates the job that prints files of a firm for one turn.
 *
 * @param after - the id of the file after which to begin; without it, the oldest is the first
 */
function turnJob(firmId: string, after?: string): Job {
  const key = `printFilesOfFirm:${firmId}`;
  return { task: 'printFilesOfFirm', payload: { firmId, after }, key, queue: key };
}

/** A firm with files that have not been printed. */
interface UnprintedFirm {
  readonly firmId: string;
  /** Why the oldest of them could not be printed at its last attempt; null if it was not tried. */
  readonly failure: string | null;
  /** True if a turn of the firm waits or runs. One that failed is enqueued again. */
  readonly isEnqueued: boolean;
}

async function findFirmsToPrint(knex: Knex): Promise<UnprintedFirm[]> {
  const { rows } = await knex.raw<{ rows: UnprintedFirm[] }>(
    `select firms.id as "firmId", oldest.print_failure as failure,
            exists (select from graphile_worker.jobs
                     where key = 'printFilesOfFirm:' || firms.id
                       and (attempts = 0 or locked_at is not null)) as "isEnqueued"
       from firms
      cross join lateral (
            select print_failure from files
             where firm_id = firms.id and pdf_status = 'missing' order by id limit 1) oldest
      order by firms.id`,
  );
  return rows;
}
