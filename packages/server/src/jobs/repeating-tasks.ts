import type { Knex } from 'knex';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { z } from 'zod';
import { enqueue, enqueueAll, type Job, noJob, type Task, type Tasks } from './job.js';

/** A part of the work of a run. */
export interface Part {
  /** The work that another part left to this one; undefined for the whole work. */
  readonly rest: unknown;
  /**
   * Leaves a rest to the next part, which any worker may take, and which may do the same: so more
   * workers share the work as long as there is more. A part that ends is not repeated.
   *
   * @returns false if the next part is still busy, so that this one does it all
   */
  share(rest: object): Promise<boolean>;
}

/** Work that is repeated as long as a worker runs, together with others. */
export interface RepeatingStep {
  /** Names the work in the log, such as `removing objects`. */
  readonly name: string;
  /**
   * Returns `'moreLeft'` if the next run should follow without a pause, and `'idle'` if it had
   * nothing to do and so may still fail: then the log does not say that the work works again. If
   * that is all that follows an outage, the next one with the same reason is not logged.
   */
  run(): Promise<Outcome>;
}

type Outcome = 'done' | 'moreLeft' | 'idle';

/** Work that is repeated by itself. */
export interface RepeatingWork extends RepeatingStep {
  /** The pause after each run, in ms. */
  readonly pauseMs: number;
}

/** Repeating work that may leave parts of it to other workers. */
interface SharedWork extends Omit<RepeatingWork, 'run'> {
  run(part: Part): Promise<Outcome>;
}

/**
 * Returns a run of several steps, one after the other. One that fails does not keep the others from
 * running.
 */
export function inSteps(steps: readonly RepeatingStep[]): RepeatingStep['run'] {
  return async () => {
    let isLeft = false;
    await attemptEach(
      steps,
      ({ name }) => name,
      async ({ run }) => {
        if ((await run()) === 'moreLeft') isLeft = true;
      },
    );
    return isLeft ? 'moreLeft' : 'done';
  };
}

/** Repeating work by the name of its task. */
export type RepeatingWorks = Readonly<Record<string, SharedWork>>;

/** Has each run of the works fail at once if the check throws. */
export function checkedFirst(works: RepeatingWorks, check: () => void): RepeatingWorks {
  const checked = (work: SharedWork): SharedWork => ({
    ...work,
    async run(part) {
      check();
      return work.run(part);
    },
  });
  return Object.fromEntries(Object.entries(works).map(([name, work]) => [name, checked(work)]));
}

/**
 * Creates a task for each work. Each task enqueues itself again, so that each work runs in one
 * worker at a time, except for a run during which another worker starts, and for the parts that it
 * leaves to others. The log has the start and the end of an outage, and each change of its reason.
 */
export function createRepeatingTasks(knex: Knex, logger: Logger, works: RepeatingWorks): Tasks {
  const toTask = (name: string, work: SharedWork): Task => {
    let failure: string | undefined;
    const attempt = (part: Part) =>
      work.run(part).then(
        (outcome) => {
          if (outcome === 'idle') return outcome;
          if (failure !== undefined) logger.info(`${work.name} works again`);
          failure = undefined;
          return outcome;
        },
        (error: unknown) => {
          const reason = reasonOf(error);
          if (failure !== reason) logger.warn({ err: error }, `${work.name} failed`);
          failure = reason;
          return 'failed' as const;
        },
      );
    return {
      isRoutine: true,
      async run(payload, { jobId }) {
        const { part = 0, rest } = partOfWork.parse(payload);
        const share = (left: object) =>
          enqueue(knex, { ...jobOfPart(name, part + 1, left), follows: noJob });
        const outcome = await attempt({ rest, share });
        const isLeft = outcome === 'moreLeft';
        const next =
          part === 0
            ? repeatingJob(name, isLeft ? 0 : work.pauseMs)
            : isLeft && jobOfPart(name, part, rest);
        // A worker that has started meanwhile may have enqueued one.
        if (next) await enqueue(knex, { ...next, follows: jobId });
        return outcome === 'failed' ? outcome : undefined;
      },
    };
  };
  return Object.fromEntries(
    Object.entries(works).map(([name, work]) => [name, toTask(name, work)]),
  );
}

/** Returns what an error says; of failed items, also what each error says. */
function reasonOf(error: unknown): string {
  const inner = error instanceof AggregateError ? error.errors.map(reasonOf) : [];
  return [error, ...inner].join('\n');
}

/** The largest number of failed items that an error names. */
const LOGGED_FAILURES = 10;

/**
 * Does the work for each item. An item that fails does not keep it from the others.
 *
 * @param nameOf - returns what names an item in the log, such as `customer 6b04…`
 * @param atOnce - for how many items at once
 * @throws AggregateError that names the items that failed, with their errors, once all others are
 *   done
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

/**
 * Enqueues the first run of each work, or moves the next one forward. Each worker does this at its
 * start.
 */
export async function startRepeating(knex: Knex, works: RepeatingWorks): Promise<void> {
  const jobs = Object.keys(works).map((task) => repeatingJob(task, 0));
  await enqueueAll(knex, jobs);
}

function repeatingJob(task: string, afterMs: number): Job {
  return { task, payload: {}, key: task, afterMs };
}

const partOfWork = z.object({ part: z.number().optional(), rest: z.unknown().optional() });

function jobOfPart(task: string, part: number, rest: unknown): Job {
  return { task, payload: { part, rest }, key: `${task}:${part}`, limit: 'shared' };
}
