import type { Task, Tasks } from '../jobs/job.js';
import type { Metrics } from './metrics.js';

/** Counts the runs of tasks. Repeating work reports its own, because its task ends well if a run fails. */
export function countedTasks(
  tasks: Tasks,
  { countJob, startJobCounters }: Pick<Metrics, 'countJob' | 'startJobCounters'>,
): Tasks {
  const counted = (name: string, task: Task): Task => {
    startJobCounters(name);
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
