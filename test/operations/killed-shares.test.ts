import { expect, onTestFinished, test } from 'vitest';
import { printResult } from '../proofs/print-result.js';
import { eventually } from '../support/eventually.js';
import { rounds } from '../support/rounds.js';
import { createDeployment, type Deployment } from './support/deployment.js';
import type { RunningProgram } from './support/running-program.js';

const count = rounds({ short: 2, proof: 4 });
const objects = rounds({ short: 1_600, proof: 6_000 });

/** The number of objects that a part of a removal takes. */
const batch = 500;

/** Counts how often the removal of each object is begun. */
async function countRemovals({ knex }: Deployment): Promise<void> {
  await knex.raw(`
    create table begun (object_key text);
    create function count_removal() returns trigger language plpgsql as
      $$ begin insert into begun values (new.object_key); return null; end $$;
    create trigger count_removal after update on object_removals
      for each row when (new.is_begun) execute function count_removal()`);
}

/** Runs the repeating work at once. */
async function hurry({ knex }: Deployment, task: string): Promise<void> {
  await knex.raw(
    `select graphile_worker.reschedule_jobs(array_agg(id), run_at => now())
       from graphile_worker.jobs where key = ? and locked_at is null`,
    [task],
  );
}

/** Returns how many runs of the task, also of its parts, a worker has logged. */
const runsOf = (worker: RunningProgram, task: string) =>
  worker.output().match(new RegExp(`"key":"${task}(:\\d+)?".*"job done"`, 'g'))?.length ?? 0;

test(`D-67 ${count} workers share the removal of objects; one that is killed loses none, and no object is removed twice`, async () => {
  const deployment = await createDeployment();
  onTestFinished(() => deployment.close());
  const { knex } = deployment;
  const settings = { LOG_LEVEL: 'debug' };
  const workers = await Promise.all(
    Array.from({ length: count }, () => deployment.startWorker(settings)),
  );
  // Until the work of the start is done.
  const isWaiting = { key: 'removeObjects', locked_at: null };
  await eventually(async () => {
    const job = await knex('graphile_worker.jobs').where(isWaiting).first('run_at');
    return job !== undefined && job.run_at > new Date(Date.now() + 60_000);
  });
  const before = workers.map((worker) => runsOf(worker, 'removeObjects'));
  await countRemovals(deployment);
  await knex.raw(
    `insert into object_removals (object_key, remove_after)
     select 'held/' || n || '.cod', now() - interval '1 second' from generate_series(1, ?::int) n`,
    [objects],
  );
  await hurry(deployment, 'removeObjects');
  // A worker takes two parts at most, so another one has begun the third.
  await eventually(async () => (await knex('begun')).length >= 3 * batch);
  const [killed, ...others] = workers;
  killed?.kill('SIGKILL');
  await killed?.exited;
  const due = knex('object_removals').where('remove_after', '<=', new Date());
  await eventually(async () => (await due.clone().limit(1)).length === 0);
  // The others end what they have begun, and the jobs of the killed one are released.
  const left = async () => (await knex('object_removals').pluck('object_key')).length;
  await eventually(async () => (await left()) <= 2 * batch);
  await eventually(async () => {
    const jobs = await knex('graphile_worker.jobs').whereRaw("key like 'removeObjects%'");
    return jobs.every(({ locked_at }) => locked_at === null);
  });
  const repeated = await left();
  expect(repeated).toBeLessThanOrEqual(2 * batch);
  // An hour later.
  await knex('object_removals').update({ remove_after: new Date(0), is_begun: false });
  await hurry(deployment, 'removeObjects');
  for (const most of [batch, 0]) await eventually(async () => (await left()) <= most);
  const { rows } = await knex.raw(
    `select count(distinct object_key)::int as once, count(*)::int - count(distinct object_key)::int as again
       from begun`,
  );
  expect(rows).toEqual([{ once: objects, again: repeated }]);
  const runs = workers.map((worker, n) => runsOf(worker, 'removeObjects') - (before[n] ?? 0));
  expect(Math.min(...runs.slice(1))).toBeGreaterThan(0);
  printResult({ workers: 1 + others.length, objects, repeated, runsOfEach: runs });
});
