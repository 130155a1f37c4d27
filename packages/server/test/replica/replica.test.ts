import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { insertAuditEntries, type NewAuditEntry } from '../../src/audit/audit-entry.js';
import { inTransaction } from '../../src/db/transaction.js';
import { checkReplica } from '../../src/operator/doctor/check-replica.js';
import { makeMark } from '../../src/replica/marks.js';
import { openReplica } from '../../src/replica/replica.js';
import { createTestDatabase } from '../support/database.js';
import { createTestKnex } from '../support/knex-for-file.js';
import {
  type ReplicatedDatabase,
  startReplicatedDatabase,
} from '../support/replicated-database.js';

let database: ReplicatedDatabase;
let primary: Knex;
beforeAll(async () => {
  database = await startReplicatedDatabase();
  primary = createTestKnex(database.url);
}, 240_000);
afterAll(async () => {
  await primary?.destroy();
  await database?.release();
});

const firmId = 'a'.repeat(24);

function open() {
  const lags: number[] = [];
  const replica = openReplica({
    primary,
    url: database.replica.url,
    onRead: () => {},
    onLag: (seconds) => lags.push(seconds),
  });
  onTestFinished(() => replica.close());
  /** Returns where a list is read from. */
  const readFrom = (firm = firmId) =>
    replica.readsOf(firm)(async (knex) => {
      const { rows } = await knex.raw('select pg_is_in_recovery() as "isReplica"');
      return rows[0].isReplica ? 'replica' : 'primary';
    });
  const untilRead = (from: 'replica' | 'primary', firm?: string) =>
    eventually(
      () => readFrom(firm),
      (found) => found === from,
    );
  return { ...replica, lags, readFrom, untilRead };
}

const entry: NewAuditEntry = {
  ...{ occurredOn: new Date(), actor: 'user', userId: 'b', apiKeyId: 'c', firmId },
  ...{ action: 'updateCustomer', outcome: 'done' },
};

const pauseReplay = () => database.replica.query('select pg_wal_replay_pause()');
const resumeReplay = () => database.replica.query('select pg_wal_replay_resume()');

describe('D-71 lists of a firm', () => {
  test('D-71 are read from the replica, from its change on from the primary, until the replica has the change', async () => {
    const { readFrom, untilRead } = open();
    await untilRead('replica');
    await pauseReplay();
    onTestFinished(() => resumeReplay().then(() => {}));
    await inTransaction(primary, (trx) => insertAuditEntries(trx, [entry]));
    expect(await readFrom()).toBe('primary');
    await resumeReplay();
    await untilRead('replica');
  });

  test('D-71 are read from the primary after a change that began first and was committed last', async () => {
    const { readFrom, untilRead } = open();
    await untilRead('replica');
    let commit = () => {};
    const isCommitting = new Promise<void>((resolve) => (commit = resolve));
    let began = () => {};
    const hasBegun = new Promise<void>((resolve) => (began = resolve));
    const first = inTransaction(primary, async (trx) => {
      // In a savepoint, which has a number of its own.
      await inTransaction(trx, (inner) => insertAuditEntries(inner, [entry]));
      began();
      await isCommitting;
    });
    await hasBegun;
    await inTransaction(primary, (trx) => insertAuditEntries(trx, [entry]));
    await untilRead('replica');
    await pauseReplay();
    onTestFinished(() => resumeReplay().then(() => {}));
    commit();
    await first;
    expect(await readFrom()).toBe('primary');
  });

  test('D-71 are read from the replica after reads, and after changes of other firms', async () => {
    const { readFrom, untilRead } = open();
    const ofOther = { ...entry, firmId: 'e'.repeat(24) };
    onTestFinished(() => resumeReplay().then(() => {}));
    // Again if this took so long that the replica was too far behind.
    await eventually(async () => {
      await resumeReplay();
      await untilRead('replica');
      await pauseReplay();
      await insertAuditEntries(primary, [entry]);
      await inTransaction(primary, (trx) => insertAuditEntries(trx, [ofOther]));
      return (await readFrom()) === 'replica';
    });
  });

  test('D-71 are read from the primary while the replica is too far behind, of which checks tell', async () => {
    const { untilRead, check, lags } = open();
    await untilRead('replica');
    await check();
    await pauseReplay();
    onTestFinished(() => resumeReplay().then(() => {}));
    await untilRead('primary');
    const reason = await eventually(
      () => check().then(String, String),
      (found) => found !== 'undefined',
    );
    expect(reason).toMatch(/^Error: The replica is \d+ s behind$/);
    expect(lags.at(-1)).toBeGreaterThan(5);
    await resumeReplay();
    await untilRead('replica');
    await eventually(() => check().then(() => true));
  });
});

test('D-71 a replica that is far behind is known by the age of the mark that it shows', async () => {
  const shown = (ageMs: number) => ({ id: randomUUID(), madeOn: new Date(Date.now() - ageMs) });
  expect(Math.round((await makeMark(primary, shown(90_000))) ?? 0)).toBe(90);
  // It would still be there.
  expect(await makeMark(primary, shown(30_000))).toBeUndefined();
});

test('D-71 doctor makes a mark and sees it on the replica, and names a server that is none', async () => {
  const { url, replica } = database;
  expect(await checkReplica(url, replica.url)).toEqual([
    {
      ...{ name: 'replica', result: 'ok' },
      found:
        'it follows the database; with hot_standby_feedback = on it would cancel fewer queries',
    },
  ]);
  expect(await checkReplica(url, url)).toMatchObject([
    {
      result: 'problem',
      found: 'DATABASE_READ_URL leads to no replica, or to one that was promoted',
    },
  ]);
  const other = await createTestDatabase();
  onTestFinished(() => other.release());
  expect(await checkReplica(other.url, replica.url)).toMatchObject([
    { result: 'problem', found: 'it does not follow the database of DATABASE_URL' },
  ]);
});

/** Starts a query that ends on the primary at once, and on the replica after five minutes. */
async function startLongRead() {
  const replica = open();
  await replica.untilRead('replica');
  const sleep = `select case when pg_is_in_recovery() then pg_sleep(300) end,
                        pg_is_in_recovery() as "isReplica"`;
  const from = replica.readsOf(firmId)(async (knex) => {
    const { rows } = await knex.raw(sleep);
    return rows[0].isReplica ? 'replica' : 'primary';
  });
  const isRunning = async () => (await sleeping('count(*)::int as value'))[0]?.['value'];
  await eventually(isRunning);
  return { from };
}

const sleeping = (columns: string) =>
  database.replica.query(
    `select ${columns} from pg_stat_activity
      where query like '%pg_sleep(300)%' and pid <> pg_backend_pid()`,
  );

describe('D-71 a list whose query the replica does not answer is read from the primary', () => {
  test.each([
    ['cancels', () => sleeping('pg_cancel_backend(pid)'), async () => {}],
    ['ends the connection of', () => sleeping('pg_terminate_backend(pid)'), async () => {}],
    [
      'hangs during',
      () => database.replica.signal('SIGSTOP'),
      () => database.replica.signal('SIGCONT'),
    ],
    ['stops during', () => database.replica.stop(), () => database.replica.start()],
    // It stays so.
    ['is promoted during', () => database.promote(), async () => {}],
  ] as const)('D-71 if it %s the query', async (_, disturb, mend) => {
    const reading = await startLongRead();
    await disturb();
    expect(await reading.from).toBe('primary');
    await mend();
  });
});
