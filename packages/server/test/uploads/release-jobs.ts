import { createLogger } from '../../src/logger.js';
import { createUploadTasks } from '../../src/uploads/tasks.js';
import type { Uploads } from './set-up-uploads.js';

/** Runs the enqueued jobs that release deliveries, as a worker does. */
export async function runReleaseJobs(work: Uploads): Promise<void> {
  const options = { logger: createLogger('silent'), heldDeliveryDays: 90 };
  const tasks = createUploadTasks({ ...work, ...options });
  const { rows } = await work.knex.raw(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = 'releaseDeliveries' returning j.payload`,
  );
  const attempt = { number: 1, isLast: false };
  for (const { payload } of rows) await tasks['releaseDeliveries']?.(payload, attempt);
}
