/** Heartbeats of workers. The queue has a schema of its own. */
export const jobs = `
create table job_workers (
  id text primary key,
  beat_on timestamptz not null
);
comment on table job_workers is 'workers and their latest heartbeats, by the clock of the database';
`;
