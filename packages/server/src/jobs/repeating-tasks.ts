import type { Knex } from 'knex';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { inTransaction } from '../db/transaction.js';
import { enqueue, enqueueAll, type Job, type Task, type TaskPool } from './job.js';

/** Work that is repeated as long as a worker runs. */
export interface RepeatingWork {
  /** Names the work in the log, such as `printing files`. */
  readonly name: string;
  /** The pause after each run, in ms. */
  readonly pauseMs: number;
  /**
   * Returns `'moreLeft'` if the next run should follow without a pause, and `'idle'` if it had
   * nothing to do and so may still fail: then the log does not say that the work works again. If that is all
   * that follows an outage, the next one with the same reason is not logged.
   */
  run(): Promise<'done' | 'moreLeft' | 'idle'>;
}

/** Repeating work by the name of its task. */
export type RepeatingWorks = Readonly<Record<string, RepeatingWork>>;

/**
 * Creates a pool with a task for each work. Each task enqueues itself again, so that each work runs in
 * one worker at a time, except for a run during which another worker starts. The log has the start and
 * the end of an outage, and each change of its reason.
 */
export function createRepeatingPool(knex: Knex, logger: Logger, works: RepeatingWorks): TaskPool {
  const toTask = (task: string, { name, pauseMs, run }: RepeatingWork) => {
    let failure: string | undefined;
    const attempt = () =>
      run().then(
        (outcome) => {
          if (outcome === 'idle') return outcome;
          if (failure !== undefined) logger.info(`${name} works again`);
          failure = undefined;
          return outcome;
        },
        (error: unknown) => {
          const reason = reasonOf(error);
          if (failure !== reason) logger.warn({ err: error }, `${name} failed`);
          failure = reason;
          return 'failed' as const;
        },
      );
    const repeat: Task = async (_payload, { jobId }) => {
      const outcome = await attempt();
      const afterMs = outcome === 'moreLeft' ? 0 : pauseMs;
      await inTransaction(knex, async (trx) => {
        if (!(await isReplaced(trx, task, jobId))) await enqueue(trx, repeatingJob(task, afterMs));
      });
      return outcome === 'failed' ? outcome : undefined;
    };
    return Object.assign(repeat, { isRoutine: true });
  };
  const entries = Object.entries(works);
  return {
    tasks: Object.fromEntries(entries.map(([task, work]) => [task, toTask(task, work)])),
    concurrency: entries.length,
  };
}

/** Returns what an error says; of failed items, also what each error says. */
function reasonOf(error: unknown): string {
  return [error, ...(error instanceof AggregateError ? error.errors : [])].join('\n');
}

/** The largest number of failed items that an error names. */
const LOGGED_FAILURES = 10;

/**
 * Does the work for each item. An item that fails does not keep it from the others.
 *
 * @param nameOf - returns what names an item in the log, such as `customer 6b04…`
 * @param atOnce - for how many items at once
 * @throws AggregateError that names the items that failed, with their errors, once all others are done
 */
export async function attemptEach<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  work: (item: Item) => Promise<void>,
  atOnce = 1,
): Promise<void> {
  const failed = new Map<string, unknown>();
  await pLimit(atOnce).map(items, (item) =>
    work(item).catch((error: unknown) => void failed.set(nameOf(item), error)),
  );
  if (failed.size === 0) return;
  const logged = [...failed].slice(0, LOGGED_FAILURES);
  const names = logged.map(([name]) => name).join(', ');
  const others = failed.size - logged.length;
  throw new AggregateError(
    logged.map(([, error]) => error),
    `It failed for ${names}${others > 0 ? ` and ${others} more` : ''}`,
  );
}

/** Returns true if a worker that started during the run has enqueued another one, which goes on. */
async function isReplaced(trx: Knex.Transaction, key: string, jobId: string): Promise<boolean> {
  const other = await trx('graphile_worker.jobs')
    .where({ key })
    .whereNot({ id: jobId })
    .first('id');
  return other !== undefined;
}

/** Enqueues the first run of each work, or moves the next one forward. Each worker does this at its start. */
export function startRepeating(knex: Knex, works: RepeatingWorks): Promise<void> {
  const jobs = Object.keys(works).map((task) => repeatingJob(task, 0));
  return inTransaction(knex, (trx) => enqueueAll(trx, jobs));
}

function repeatingJob(task: string, afterMs: number): Job {
  return { task, payload: {}, key: task, afterMs };
}

/**
 * Deletes the queues without jobs. graphile-worker keeps them, and locks each free queue whenever it
 * looks for a job, so that thousands of them would slow all workers down.
 *
 * A job whose queue is deleted before its transaction commits would never run. So the table is locked,
 * which waits for such transactions; briefly, because jobs wait for the lock meanwhile.
 */
export function deleteUnusedQueues(knex: Knex): RepeatingWork {
  return {
    name: 'deleting unused queues',
    pauseMs: 60_000,
    async run() {
      await inTransaction(knex, async (trx) => {
        await trx.raw(
          `set local lock_timeout = '1s';
           lock table graphile_worker._private_job_queues in share row exclusive mode`,
        );
        await trx.raw(
          `delete from graphile_worker._private_job_queues q
            where q.locked_at is null
              and not exists (select from graphile_worker._private_jobs j where j.job_queue_id = q.id)`,
        );
      });
      return 'done';
    },
  };
}
