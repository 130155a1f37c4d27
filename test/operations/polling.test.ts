import { setTimeout as pause } from 'node:timers/promises';
import type { Mandate, MandatePage } from '@adx/contract';
import { createKnex } from '@adx/server';
import { expect, test } from 'vitest';
import type { Principal } from '../../packages/server/src/identity/principal.js';
import { printResult } from '../proofs/print-result.js';
import { rounds } from '../support/rounds.js';
import { createDeployment } from './support/deployment.js';
import { type Written, writeMandates } from './support/write-mandates.js';

const changes = rounds({ short: 40, proof: 2_000 });
test('§4.15, D-26 polling with updatedSince misses nothing while 20 writers change mandates without conflicts', async () => {
  const report = await pollUnderWrites(changes);
  printResult(report);
  if (changes === 2_000) expect(report.mandates).toBeGreaterThan(200);
  expect(report.conflicts).toBe(0);
});

const WRITERS = 20;

const LEAST_POLLS = 10;

interface PollReport extends Written {
  readonly polls: number;
  /** Mandates whose last state the poller received. */
  readonly mandates: number;
  readonly snapshots: number;
}

/** Changes mandates while a partner polls, each time from the latest `updatedOn` received. */
async function pollUnderWrites(changes: number): Promise<PollReport> {
  const deployment = await createDeployment();
  // On a busy machine the last writer waits longer for a lock than a caller may.
  const knex = createKnex(deployment.databaseUrl, {
    ...{ poolSize: 2 * WRITERS, statementTimeoutMs: 0, connectionTimeoutMs: 60_000 },
  });
  try {
    const process = await deployment.startHere();
    const { idToken } = await deployment.signIn(process);
    const { firmId } = deployment;
    const { id: userId } = await knex('users').where({ firm_id: firmId }).first('id');
    const principal: Principal = {
      ...{ firmId, userId, accessLevel: 'administrator', seesCustomers: 'all' },
    };
    let polls = 0;
    const search = async (body: object): Promise<Mandate[]> => {
      polls += 1;
      const call = { method: 'POST', idToken, body };
      const response = await deployment.call(process, '/mandates', call);
      expect(response.status).toBe(200);
      return ((await response.json()) as MandatePage).records;
    };

    const end = new AbortController();
    // If one writer fails, all stop.
    const untilEnd = <Result>(work: Promise<Result>) => work.finally(() => end.abort());
    const written: Written = { changes: 0, conflicts: 0 };
    const write = async () => {
      const writers = Array.from({ length: WRITERS }, () =>
        untilEnd(writeMandates(knex, principal, written, end.signal)),
      );
      while (!end.signal.aborted && (written.changes < changes || polls < LEAST_POLLS)) {
        await pause(10);
      }
      end.abort();
      await Promise.all(writers);
    };
    const writing = write();
    const [, seen, snapshots] = await Promise.all([
      writing,
      untilEnd(poll(search, writing)),
      untilEnd(watchHistory(knex, end.signal)),
    ]);
    const open = await knex('mandates').whereNull('closed_on').orderBy('id');
    for (const { id, status, updated_on } of open) {
      expect(seen.get(id), id).toMatchObject({ status, updatedOn: updated_on.toISOString() });
    }
    await checkSnapshots(knex, snapshots);
    return { ...written, polls, mandates: open.length, snapshots: snapshots.length };
  } finally {
    await knex.destroy();
    await deployment.close();
  }
}

async function poll(search: (body: object) => Promise<Mandate[]>, writing: Promise<unknown>) {
  const seen = new Map<string, Mandate>();
  let updatedSince = '2020-01-01T00:00:00.000Z';
  let isWritten = false;
  const written = () => {
    isWritten = true;
  };
  writing.then(written, written);
  for (let isLast = false; !isLast; ) {
    const isComplete = isWritten;
    const records = await search({
      ...{ updatedSince, includeFinished: true, sort: 'updatedOn', sortDirection: 'asc' },
      limit: 200,
    });
    const times = records.map(({ updatedOn }) => updatedOn);
    // No two changes of a firm have the same time.
    expect(times).toEqual([...new Set(times)].toSorted());
    for (const mandate of records) seen.set(mandate.id, mandate);
    updatedSince = times.at(-1) ?? updatedSince;
    isLast = isComplete && records.length < 2;
  }
  return seen;
}

interface HistorySnapshot {
  /** The latest visible change and the number of visible changes, from the history. */
  readonly latest: Date | null;
  readonly count: number;
}

async function watchHistory(
  knex: ReturnType<typeof createKnex>,
  signal: AbortSignal,
): Promise<HistorySnapshot[]> {
  const snapshots: HistorySnapshot[] = [];
  while (!signal.aborted) {
    const [snapshot] = await knex('mandate_history').select<HistorySnapshot[]>(
      knex.raw('max(happened_on) as latest, count(*) as count'),
    );
    if (snapshot !== undefined && snapshot.latest !== null) snapshots.push(snapshot);
    await pause(2);
  }
  return snapshots;
}

/** Asserts that no change appeared later with a time before that of the latest visible change. */
async function checkSnapshots(
  knex: ReturnType<typeof createKnex>,
  snapshots: readonly HistorySnapshot[],
): Promise<void> {
  const times: Date[] = await knex('mandate_history').orderBy('happened_on').pluck('happened_on');
  let upTo = 0;
  for (const { latest, count } of snapshots) {
    while (upTo < times.length && Number(times[upTo]) <= Number(latest)) upTo += 1;
    expect(count, `changes up to ${latest?.toISOString()}`).toBe(upTo);
  }
}
