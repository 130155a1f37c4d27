import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import {
  attemptEach,
  checkedFirst,
  createRepeatingTasks,
  type Part,
  startRepeating,
} from '../../src/jobs/repeating-tasks.js';
import { createJobsDatabase } from './jobs-database.js';

/** The message and the error of a line of the log. */
const described = (line: string) => {
  const { msg, err } = JSON.parse(line);
  return err === undefined ? msg : `${msg}: ${err.message}`;
};

test('jobs: repeating work has one job for all workers, which is due after the pause by the clock of the database', async () => {
  const { knex, queued } = await createJobsDatabase();
  const work = { name: 'working', pauseMs: 3_600_000, run: async () => 'done' as const };
  await startRepeating(knex, { work });
  await startRepeating(knex, { work });
  expect(await queued()).toHaveLength(1);
  const dueIn = async () => {
    const { rows } = await knex.raw(
      `select round(extract(epoch from run_at - updated_at))::int as seconds
         from graphile_worker.jobs order by id`,
    );
    return rows.map(({ seconds }: { seconds: number }) => seconds);
  };
  expect(await dueIn()).toEqual([0]);
  const tasks = createRepeatingTasks(knex, pino({ level: 'silent' }), { work });
  const [{ id: jobId } = expect.fail()] = await queued();
  await tasks['work']?.run({}, { jobId, place: 0, number: 1, isLast: false });
  expect(await dueIn()).toEqual([3600]);
  await startRepeating(knex, { work });
  expect(await dueIn()).toEqual([0]);
});

test('D-72 checked work fails without being done while the check does', async () => {
  let failure: Error | undefined = new Error('a node is away');
  const work = { name: 'working', pauseMs: 1, run: async () => 'done' as const };
  const { checked } = checkedFirst({ checked: work }, () => {
    if (failure !== undefined) throw failure;
  });
  const part = { rest: undefined, share: async () => false };
  await expect(checked?.run(part)).rejects.toThrow('a node is away');
  failure = undefined;
  expect(await checked?.run(part)).toBe('done');
});

test('jobs: repeating work goes on after a failure, and at once if more is left; the log has the start and the end of an outage, and each change of its reason', async () => {
  const { knex, startWorker, bringForward } = await createJobsDatabase();
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => void lines.push(described(line)) });
  const ofOne = (reason: string) => new AggregateError([new Error(reason)], 'It failed for one');
  const failures = [new Error('none'), new Error('none'), new Error('still none')];
  // A run with nothing to do says nothing about the outage.
  const outcomes = [
    ...['moreLeft', failures[0], 'idle', ...failures.slice(1)],
    ...[ofOne('away'), ofOne('away'), 'idle', ofOne('refused'), 'done'],
  ] as const;
  let runs = 0;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = {
    name: 'working',
    pauseMs: 3_600_000,
    async run() {
      const outcome = outcomes[runs];
      runs += 1;
      if (runs > outcomes.length) end();
      if (outcome instanceof Error) throw outcome;
      return outcome ?? 'done';
    },
  };
  const tasks = createRepeatingTasks(knex, logger, { work });
  await startRepeating(knex, { work });
  await startWorker(tasks);
  const hurrying = setInterval(() => void bringForward(), 100);
  await ended;
  clearInterval(hurrying);
  expect(lines).toEqual([
    'working failed: none',
    'working failed: still none',
    'working failed: It failed for one',
    'working failed: It failed for one',
    'working works again',
  ]);
});

test('D-55 a run of repeating work has failed too if its next one could not be enqueued, and each is counted once', async () => {
  const { knex, startWorker } = await createJobsDatabase();
  // The transaction fails at its COMMIT, as without a database.
  await knex.raw(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'could not commit' using errcode = '53100'; end $$;
    create constraint trigger refuse after insert or update of run_at on graphile_worker._private_jobs
      deferrable initially deferred for each row when (new.attempts = 0) execute function refuse()`);
  await knex.raw('alter table graphile_worker._private_jobs disable trigger refuse');
  let runs = 0;
  const work = {
    name: 'working',
    pauseMs: 10,
    run: async () => {
      runs += 1;
      if (runs === 2) throw new Error('none');
      if (runs === 3)
        await knex.raw('alter table graphile_worker._private_jobs enable trigger refuse');
      return 'done' as const;
    },
  };
  const ended: [string, string][] = [];
  const logger = pino({ level: 'silent' });
  const tasks = createRepeatingTasks(knex, logger, { work });
  await startRepeating(knex, { work });
  await startWorker(tasks, { onEnd: ({ task, outcome }) => void ended.push([task, outcome]) });
  await expect
    .poll(() => ended.slice(0, 3))
    .toEqual([
      ['work', 'done'],
      ['work', 'failed'],
      ['work', 'failed'],
    ]);
});

test('jobs: if a worker starts during a run of repeating work, one run follows', async () => {
  const { knex, startWorker, queued } = await createJobsDatabase();
  const ends: (() => void)[] = [];
  const run = async () => {
    await new Promise<void>((resolve) => ends.push(resolve));
    return 'moreLeft' as const;
  };
  const works = { work: { name: 'working', pauseMs: 0, run } };
  const tasks = createRepeatingTasks(knex, pino({ level: 'silent' }), works);
  for (const started of [1, 2]) {
    await startRepeating(knex, works);
    await startWorker(tasks);
    await expect.poll(() => ends).toHaveLength(started);
  }
  ends[0]?.();
  await expect.poll(queued).toHaveLength(1);
  ends[1]?.();
  await expect.poll(() => ends).toHaveLength(3);
  await expect.poll(queued).toHaveLength(1);
  ends[2]?.();
});

test('D-67 repeating work of which more is left is shared by workers, and each of its parts ends', async () => {
  const { knex, startWorker, queued } = await createJobsDatabase();
  const items = Array.from({ length: 40 }, (_, item) => item);
  const left = [...items];
  const done: { item: number | undefined; worker: number }[] = [];
  const workers = [0, 1, 2];
  const busy = new Set<number>();
  const logger = pino({ level: 'silent' });
  const workOf = (worker: number) => ({
    name: 'working',
    pauseMs: 3_600_000,
    async run({ rest, share }: Part) {
      done.push({ item: left.shift(), worker });
      if (left.length === 0) return 'done' as const;
      await share({ from: worker });
      if (!busy.has(worker)) expect(worker === 0 || rest !== undefined).toBe(true);
      busy.add(worker);
      // Nobody goes on before each has a part.
      await expect.poll(() => busy.size).toBe(workers.length);
      return 'moreLeft' as const;
    },
  });
  await startRepeating(knex, { work: workOf(0) });
  for (const worker of workers) {
    await startWorker(createRepeatingTasks(knex, logger, { work: workOf(worker) }));
    await expect.poll(() => busy.size).toBeGreaterThan(worker);
  }
  await expect.poll(async () => (await queued()).map(({ key }) => key)).toEqual(['work']);
  expect(left).toEqual([]);
  const taken = done.flatMap(({ item }) => item ?? []);
  expect(taken.toSorted((a, b) => a - b)).toEqual(items);
});

test('jobs: an item that fails does not keep the work from the others, and an error names the first ten', async () => {
  const done: number[] = [];
  const items = Array.from({ length: 24 }, (_, item) => item);
  const attempt = attemptEach(
    items,
    (item) => `item ${item}`,
    async (item) => {
      if (item % 2 === 0) throw new Error(`${item} is even`);
      done.push(item);
    },
  );
  const error = await attempt.catch((reason) => reason);
  expect(error.message).toMatch(/^It failed for item 0, item 2, .*, item 18 and 2 more$/);
  expect(error.errors.map(({ message }: Error) => message)).toHaveLength(10);
  expect(done).toEqual(items.filter((item) => item % 2 === 1));
});

test('jobs: work for several items at once is for no more of them', async () => {
  const underWay = new Set<number>();
  const most: number[] = [];
  const items = Array.from({ length: 24 }, (_, item) => item);
  const work = async (item: number) => {
    underWay.add(item);
    most.push(underWay.size);
    await setImmediate();
    underWay.delete(item);
  };
  await attemptEach(items, String, work, 8);
  expect(most).toHaveLength(24);
  expect(Math.max(...most)).toBe(8);
});
