import type { Migration } from './migration.js';

const schema = `
create table job_workers (
  id       text primary key,
  beat_on  timestamptz not null
);
comment on table job_workers is 'workers and their latest heartbeats, by the clock of the database';
`;

/** The job queue, in its own schema, and the heartbeats of workers. */
export const jobs: Migration = {
  name: '0005-jobs',
  async up(trx) {
    // Imported here, so that commands that do not migrate start without loading graphile-worker.
    const { installQueueSchema } = await import('../install-queue-schema.js');
    await installQueueSchema(trx);
    await trx.raw(schema);
  },
};
