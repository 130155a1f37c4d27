import { pino } from 'pino';
import { expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { createJobsDatabase, heldNotes, notes, signal } from './jobs-database.js';

test('jobs: a worker continues after its connections were terminated, also in the middle of a job', async () => {
  const database = await createJobsDatabase();
  const { started, goOn, done, note } = heldNotes();
  await database.startWorker({ note });
  await database.enqueue({ payload: { number: 1 } });
  await started.given;
  expect((await database.connections()).length).toBeGreaterThan(0);
  await database.endConnections();
  goOn.give();
  await database.untilEmpty();
  await database.enqueue({ payload: { number: 2 } });
  await database.untilEmpty();
  expect(done).toEqual([{ number: 1 }, { number: 2 }]);
});

test('jobs: a worker continues after its connections were cut in the middle of a statement', async () => {
  const database = await createJobsDatabase();
  const proxy = await database.openProxy();
  const { calls: done, note } = notes();
  await database.startWorker({ note }, { databaseUrl: proxy.url });
  await database.knex.transaction(async (trx) => {
    // A worker locks them in this order, so that they cannot deadlock.
    await trx.raw('lock table job_workers, graphile_worker._private_jobs');
    // One query for a job and one heartbeat; a worker that is starting makes more queries.
    const waiting = async () => (await database.connections()).filter(({ waits }) => waits);
    await eventually(waiting, ({ length }) => length >= 2);
    await proxy.cut();
  });
  await proxy.restore();
  await database.enqueue({ payload: { number: 1 } });
  await database.untilEmpty();
  expect(done).toEqual([{ number: 1 }]);
});

test('jobs: after an outage workers have time for a heartbeat before one of them is declared dead', async () => {
  const database = await createJobsDatabase();
  const proxies = [await database.openProxy(), await database.openProxy()];
  const [bothStarted, goOn] = [signal(), signal()];
  let calls = 0;
  const note = async () => {
    calls += 1;
    if (calls === 2) bothStarted.give();
    await goOn.given;
  };
  const heartbeat = { intervalMs: 100, timeoutMs: 6_000 };
  for (const { url } of proxies)
    await database.startWorker({ note }, { databaseUrl: url, heartbeat });
  for (const key of ['1', '2']) await database.enqueue({ key });
  await bothStarted.given;
  const beats = async () => {
    const { rows } = await database.knex.raw(
      `select max(beat_on) as latest, extract(epoch from now() - max(beat_on)) * 1000 as silence,
              extract(epoch from now() - min(beat_on)) * 1000 as longest from job_workers`,
    );
    const [{ latest, silence, longest }] = rows;
    return { latest: Number(latest), silence: Number(silence), longest: Number(longest) };
  };
  for (const proxy of proxies) await proxy.cut();
  // A worker counts from the answer to its heartbeat, which may come later.
  let seen = await eventually(beats, ({ silence }) => silence > heartbeat.timeoutMs + 1_000);
  // One worker is back before the other. It has two heartbeats in its first round, so the round in
  // which it could declare the other one dead has ended at its third heartbeat.
  await proxies[0]?.restore();
  for (let beat = 1; beat <= 3; beat += 1) {
    const { latest } = seen;
    seen = await eventually(beats, (now) => now.latest > latest);
  }
  await proxies[1]?.restore();
  await eventually(beats, ({ longest }) => longest < heartbeat.timeoutMs / 2);
  // A third worker would first run any jobs that were released, which would pause.
  await database.bringForward();
  await database.startWorker({ note, last: async () => {} });
  await database.enqueue({ task: 'last', key: 'last' });
  await eventually(database.queued, ({ length }) => length === 2);
  expect(calls).toBe(2);
  goOn.give();
  await database.untilEmpty();
});

test('jobs: a worker waits while the database is unreachable, and runs no job twice', async () => {
  const database = await createJobsDatabase();
  const proxy = await database.openProxy();
  const { started, goOn, done, note } = heldNotes();
  const bothAtOnce = signal();
  let underWay = 0;
  const lines: string[] = [];
  const logged = (text: string) =>
    eventually(async () => lines.some((line) => line.includes(text)));
  await database.startWorker(
    {
      note,
      meet: async () => {
        underWay += 1;
        if (underWay === 2) bothAtOnce.give();
        await bothAtOnce.given;
      },
    },
    {
      databaseUrl: proxy.url,
      concurrency: 2,
      logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    },
  );
  await database.enqueue({ payload: { number: 1 }, key: '1' });
  await started.given;
  await proxy.cut();
  goOn.give();
  await logged('the database is unreachable, retrying');
  await logged('could not be recorded; its worker is replaced');
  await database.enqueue({ payload: { number: 2 }, key: '2' });
  await proxy.restore();
  await logged('the database is reachable again');
  await database.untilEmpty();
  expect(done).toEqual([{ number: 1 }, { number: 2 }]);
  // It runs as many jobs at once as before.
  for (const key of ['3', '4']) await database.enqueue({ task: 'meet', key });
  await database.untilEmpty();
});

test('jobs: connections that stop responding are replaced by new ones', async () => {
  const database = await createJobsDatabase();
  const proxy = await database.openProxy();
  const { calls: done, note } = notes();
  await database.startWorker({ note }, { databaseUrl: proxy.url });
  await database.enqueue({ payload: { number: 1 } });
  await database.untilEmpty();
  proxy.stall();
  await database.enqueue({ payload: { number: 2 } });
  await database.untilEmpty();
  expect(done).toEqual([{ number: 1 }, { number: 2 }]);
});

test('D-67 jobs: a pool that replaces a broken one counts the jobs that still run under its limits', async () => {
  const database = await createJobsDatabase();
  const [started, goOn] = [signal(), signal()];
  const begun: unknown[] = [];
  const note = async (payload: unknown) => {
    begun.push(payload);
    started.give();
    await goOn.given;
  };
  const { calls: others, note: other } = notes();
  await database.startWorker({ note, other }, { concurrency: 2, lookMs: 200 });
  await database.enqueue({ payload: { number: 1 }, key: '1', limit: 'alone' });
  await started.given;
  await database.endConnections();
  const workers = () => database.knex('job_workers');
  await eventually(workers, ({ length }) => length === 4);
  await database.enqueue({ payload: { number: 2 }, key: '2', limit: 'alone' });
  await database.enqueue({ task: 'other', key: 'other', place: 1 });
  await eventually(async () => others.length === 1);
  expect(begun).toEqual([{ number: 1 }]);
  goOn.give();
  await database.untilEmpty();
  expect(begun).toEqual([{ number: 1 }, { number: 2 }]);
});
