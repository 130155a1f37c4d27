import type { Migration } from './migration.js';

const schema = `
create table job_workers (
  id       text primary key,
  beat_on  timestamptz not null
);
comment on table job_workers is 'who works on jobs and when it last said so, by the clock of the database';
`;

/** The queue of jobs, in a schema of its own, and the workers that are alive. */
export const jobs: Migration = {
  name: '0005-jobs',
  async up(trx) {
    // Loaded here alone: commands that do not migrate start without the library of the queue.
    const { installQueueSchema } = await import('../install-queue-schema.js');
    await installQueueSchema(trx);
    await trx.raw(schema);
  },
};
