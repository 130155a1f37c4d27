import { setTimeout as pause } from 'node:timers/promises';
import type { Mandate, MandatePage } from '@adx/contract';
import { createKnex } from '@adx/server';
import { expect } from 'vitest';
import type { Principal } from '../../../packages/server/src/identity/principal.js';
import { createDeployment } from './deployment.js';
import { type Written, writeMandates } from './write-mandates.js';

const WRITERS = 20;

/** While they write, the partner polls at least so often. */
const LEAST_POLLS = 10;

/** What came of a run. */
interface PollReport extends Written {
  readonly polls: number;
  /** Mandates whose last state the poller knows. */
  readonly mandates: number;
  /** Moments at which the history was looked at. */
  readonly looks: number;
}

/**
 * Lets 20 writers make so many changes of a firm's mandates while a partner polls with `updatedSince`,
 * each time from the greatest `updatedOn` seen. Asserts that the partner ends with the last state of every
 * mandate, and that nothing ever appeared before what was visible already.
 */
export async function pollUnderWrites(changes: number): Promise<PollReport> {
  const deployment = await createDeployment();
  // On a busy machine the last of the writers waits longer for its turn than a caller may.
  const knex = createKnex(deployment.databaseUrl, {
    ...{ poolSize: 2 * WRITERS, statementTimeoutMs: 0, connectionTimeoutMs: 60_000 },
  });
  try {
    const process = await deployment.start();
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
    // One that fails ends all.
    const untilEnd = <Result>(work: Promise<Result>) => work.finally(() => end.abort());
    const written: Written = { changes: 0, lost: 0 };
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
    const [, seen, looks] = await Promise.all([
      writing,
      untilEnd(poll(search, writing)),
      untilEnd(watchHistory(knex, end.signal)),
    ]);
    const open = await knex('mandates').whereNull('closed_on').orderBy('id');
    for (const { id, status, updated_on } of open) {
      expect(seen.get(id), id).toMatchObject({ status, updatedOn: updated_on.toISOString() });
    }
    await checkLooks(knex, looks);
    return { ...written, polls, mandates: open.length, looks: looks.length };
  } finally {
    await knex.destroy();
    await deployment.close();
  }
}

/** Follows changes until all are made, and then once more. */
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

interface Look {
  /** The latest change that was visible, and how many were; rows of the history. */
  readonly latest: Date | null;
  readonly count: number;
}

async function watchHistory(
  knex: ReturnType<typeof createKnex>,
  signal: AbortSignal,
): Promise<Look[]> {
  const looks: Look[] = [];
  while (!signal.aborted) {
    const [look] = await knex('mandate_history').select<Look[]>(
      knex.raw('max(happened_on) as latest, count(*) as count'),
    );
    if (look !== undefined && look.latest !== null) looks.push(look);
    await pause(2);
  }
  return looks;
}

/** Whether what was visible up to the latest change was all that there is up to it. */
async function checkLooks(
  knex: ReturnType<typeof createKnex>,
  looks: readonly Look[],
): Promise<void> {
  const times: Date[] = await knex('mandate_history').orderBy('happened_on').pluck('happened_on');
  let upTo = 0;
  for (const { latest, count } of looks) {
    while (upTo < times.length && Number(times[upTo]) <= Number(latest)) upTo += 1;
    expect(count, `changes up to ${latest?.toISOString()}`).toBe(upTo);
  }
}
