import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  type ReplicatedDatabase,
  startReplicatedDatabase,
} from '../../packages/server/test/support/replicated-database.js';
import { seededRandom } from '../../packages/server/test/support/seeded-random.js';
import { printResult } from '../proofs/print-result.js';
import { freePort } from '../support/free-port.js';
import { isProof, rounds } from '../support/rounds.js';
import { createDeployment, type ServiceProcess } from './support/deployment.js';
import { countReads, createCaller, startTicks } from './support/replica-callers.js';

const PROCESSES = 3;
const callers = rounds({ short: 6, proof: 30 });
const all = rounds({ short: 150, proof: 2_000 });
const random = seededRandom(71);

test('D-71 callers of several processes read back what they wrote, and nothing too old, while the replica lags, hangs, stops and is promoted', {
  tags: 'long',
}, async () => {
  const database = await startReplicatedDatabase();
  const deployment = await createDeployment(database);
  const ticks = startTicks(deployment.knex);
  try {
    const metricsPorts = await Promise.all(Array.from({ length: PROCESSES }, freePort));
    const start = isProof ? deployment.start : deployment.startHere;
    const processes: Pick<ServiceProcess, 'url'>[] = [];
    for (const port of metricsPorts) {
      const settings = { DATABASE_READ_URL: database.replica.url, METRICS_PORT: String(port) };
      processes.push(await start(settings));
    }
    const everyone: Awaited<ReturnType<typeof createCaller>>[] = [];
    // One after the other, because sign-ins with an API key have few places.
    for (let index = 0; index < callers; index += 1) {
      const options = { random, changes: index % 3 > 0 };
      everyone.push(await createCaller(deployment, processes, ticks, options));
    }
    let done = 0;
    const call = (until: number, signal: AbortSignal) =>
      everyone.map(async ({ round }) => {
        for (; done < until && !signal.aborted; done += 1) await round();
      });
    const end = new AbortController();
    const ended = Promise.all(call(all * 0.8, end.signal)).finally(() => end.abort());
    const [disturbances] = await Promise.all([disturb(database, end.signal), ended]);
    const before = await countReads(metricsPorts);
    expect(before.replica).toBeGreaterThan(all / 20);

    await database.promote();
    await database.replica.query(`update customers set name = 'written by another'`);
    await Promise.all(call(all, new AbortController().signal));
    const after = await countReads(metricsPorts);
    for (const { url } of processes) {
      const readyz = await fetch(`${url}/readyz`);
      expect([readyz.status, await readyz.json()]).toMatchObject([
        200,
        { status: 'degraded', checks: { database: { status: 'ok' } } },
      ]);
    }
    printResult({
      rounds: done,
      callers,
      processes: PROCESSES,
      disturbances,
      listsReadFrom: after,
    });
  } finally {
    await ticks.stop();
    await deployment.close();
  }
});

/** Disturbs the replica in turn, and returns how often. */
async function disturb({ replica }: ReplicatedDatabase, signal: AbortSignal): Promise<number> {
  const aWhile = (ms: number) => pause(ms, undefined, { signal }).catch(() => {});
  const configure = async (delay: string) => {
    await replica.query(`alter system set recovery_min_apply_delay = '${delay}'`);
    await replica.query('select pg_reload_conf()');
  };
  const ofBackends = `from pg_stat_activity
                      where application_name like 'adx-server%' and pid <> pg_backend_pid()`;
  const ways: readonly (() => Promise<unknown>)[] = [
    async () => {
      await replica.query('select pg_wal_replay_pause()');
      await aWhile(4_000 * (1 + 2 * random()));
      await replica.query('select pg_wal_replay_resume()');
    },
    async () => {
      await configure('2s');
      await aWhile(5_000);
      await configure('0');
    },
    async () => {
      await replica.signal('SIGSTOP');
      await aWhile(3_000 * random());
      await replica.signal('SIGCONT');
    },
    async () => {
      for (let times = 0; times < 20 && !signal.aborted; times += 1) {
        const end = times % 2 === 0 ? 'pg_cancel_backend' : 'pg_terminate_backend';
        await replica.query(`select ${end}(pid) ${ofBackends}`);
        await aWhile(100);
      }
    },
    async () => {
      await replica.stop();
      await aWhile(2_000 * random());
      await replica.start();
    },
  ];
  let count = 0;
  while (!signal.aborted) {
    // Time in which it is read.
    await aWhile(4_000);
    await ways[count % ways.length]?.();
    count += 1;
  }
  return count;
}
