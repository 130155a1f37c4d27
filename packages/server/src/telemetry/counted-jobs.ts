import type { Task, Tasks } from '../jobs/job.js';
import type { RepeatingWorks } from '../jobs/repeating-tasks.js';
import type { Metrics } from './metrics.js';

type JobCounters = Pick<Metrics, 'countJob' | 'startJobCounters'>;

/** Counts the runs of tasks. */
export function countedTasks(tasks: Tasks, { countJob, startJobCounters }: JobCounters): Tasks {
  const counted = (name: string, task: Task): Task => {
    startJobCounters(name, ['done', 'failed', 'givenUp']);
    const run: Task = async (payload, attempt) => {
      const started = performance.now();
      const end = (outcome: 'done' | 'failed' | 'givenUp') =>
        countJob({ task: name, outcome, seconds: (performance.now() - started) / 1000 });
      try {
        await task(payload, attempt);
        end('done');
      } catch (error) {
        end(attempt.isLast ? 'givenUp' : 'failed');
        throw error;
      }
    };
    return Object.assign(run, task);
  };
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, counted(name, task)]),
  );
}

/** Counts the runs of repeating work. Its task never fails, because it repeats the work anyway. */
export function countedWorks(
  works: RepeatingWorks,
  { countJob, startJobCounters }: JobCounters,
): RepeatingWorks {
  for (const task of Object.keys(works)) startJobCounters(task, ['done', 'failed']);
  return Object.fromEntries(
    Object.entries(works).map(([task, work]) => [
      task,
      {
        ...work,
        async run() {
          const started = performance.now();
          let outcome: 'done' | 'failed' = 'failed';
          try {
            const isLeft = await work.run();
            outcome = 'done';
            return isLeft;
          } finally {
            countJob({ task, outcome, seconds: (performance.now() - started) / 1000 });
          }
        },
      },
    ]),
  );
}
