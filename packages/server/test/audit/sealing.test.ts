import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { rounds } from '../../../../test/support/rounds.js';
import { insertAuditEntries } from '../../src/audit/audit-entry.js';
import { sealEntries } from '../../src/audit/seal-entries.js';
import { verifyTrail } from '../../src/audit/verify-trail.js';
import { listEntries } from '../../src/audit/visible-entries.js';
import { inSnapshot } from '../../src/db/transaction.js';
import { operatorScope } from '../../src/identity/operator-scope.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { createTestDatabase } from '../support/database.js';
import { createTestKnex } from '../support/knex-for-file.js';

async function newTrail() {
  const database = await createTestDatabase();
  const knex = createTestKnex(database.url);
  const begun: Knex.Transaction[] = [];
  onTestFinished(async () => {
    await Promise.all(begun.filter((trx) => !trx.isCompleted()).map((trx) => trx.rollback()));
    await knex.destroy();
    await database.release();
  });
  const add = (count = 1, run: Knex = knex) =>
    insertAuditEntries(
      run,
      Array.from({ length: count }, () => ({
        ...{ occurredOn: new Date(), actor: 'operator', operator: 'An Peeters' },
        ...{ action: 'firm list', outcome: 'done' },
      })),
    );
  const seal = (run: Knex = knex) => sealEntries(run, new Date());
  /** Begins a transaction that takes the ids of some entries. */
  const begin = async (count = 1) => {
    const trx = await knex.transaction();
    begun.push(trx);
    if (count > 0) await add(count, trx);
    return trx;
  };
  /** Adds an entry and seals it, several times, and returns the ids that are not settled then. */
  const goOn = async (times = 3): Promise<string> => {
    for (let time = 0; time < times; time += 1) {
      await add();
      await seal();
    }
    return (await knex('audit_sealing').first('unsettled')).unsettled;
  };
  const ranges = async () => (await knex('audit_seals').orderBy('number')).map((s) => s.entries);
  /** Seals the rest, and expects that entries and ids of seals are the same, each once. */
  const expectWhole = async () => {
    while ((await seal()) !== undefined);
    const entries = (await knex('audit_entries').pluck('id')).length;
    const { rows } = await knex.raw<{ rows: unknown[] }>(
      `select e.id, array_agg(s.number) from audit_entries e left join audit_seals s on s.entries @> e.id
        group by e.id having count(s.number) <> 1`,
    );
    expect(rows).toEqual([]);
    expect(await verifyTrail(knex)).toMatchObject({ entries, unsealed: 0, faults: [] });
  };
  return { knex, add, seal, begin, goOn, ranges, expectWhole };
}

test('D-58 an entry whose transaction takes long is sealed once it is committed, whatever was sealed meanwhile', async () => {
  const { add, seal, begin, goOn, ranges, expectWhole, knex } = await newTrail();
  const long = await begin();
  expect(await goOn()).toBe('{[1,2),[5,)}');
  expect(await verifyTrail(knex)).toMatchObject({ entries: 3, unsealed: 0, faults: [] });
  await long.commit();
  expect(await verifyTrail(knex)).toMatchObject({ entries: 3, unsealed: 1, faults: [] });
  const numbers = async () =>
    (await listEntries(knex, operatorScope(), {}, 10)).map((entry) => [entry.id, entry.seal]);
  expect((await numbers()).at(-1)).toEqual([1, null]);
  await add();
  expect(await seal()).toMatchObject({ number: 4, entries: 2 });
  expect(await ranges()).toEqual(['{[2,3)}', '{[3,4)}', '{[4,5)}', '{[1,2),[5,6)}']);
  expect(await numbers()).toEqual([5, 4, 3, 2, 1].map((id) => [id, id === 1 ? 4 : id - 1]));
  await expectWhole();
});

test('D-58 an entry that was committed late is sealed when no other comes', async () => {
  const { seal, begin, goOn, ranges, expectWhole } = await newTrail();
  const long = await begin();
  await goOn();
  await long.commit();
  expect(await seal()).toMatchObject({ number: 4, entries: 1 });
  expect((await ranges()).at(-1)).toBe('{[1,2)}');
  await expectWhole();
});

test('D-58 the id of an entry that was rolled back is settled once the transactions of its time have ended', async () => {
  const { begin, goOn, expectWhole } = await newTrail();
  const [long, failing] = [await begin(), await begin()];
  await failing.rollback();
  expect(await goOn()).toBe('{[1,3),[6,)}');
  await long.commit();
  await eventually(async () => /^\{\[\d+,\)\}$/.test(await goOn(1)));
  await expectWhole();
});

test('D-58 gaps that appear while others close are settled too', async () => {
  const { begin, goOn, expectWhole } = await newTrail();
  const first = await begin();
  await goOn(1);
  const second = await begin();
  await goOn(1);
  await first.rollback();
  await eventually(async () => (await goOn(1)).startsWith('{[3,4),'));
  await second.commit();
  await eventually(async () => /^\{\[\d+,\)\}$/.test(await goOn(1)));
  await expectWhole();
});

test('D-58 a gap stays unsettled for a transaction that took the id and has not written its entry yet', async () => {
  const { knex, add, begin, goOn, expectWhole } = await newTrail();
  // The sequence gives the first transaction a number, and then only every 32nd one.
  await add();
  const blocking = await begin(0);
  await blocking.raw('select pg_advisory_xact_lock(7)');
  await knex.raw(
    `create function wait() returns trigger language plpgsql as $$
     begin perform pg_advisory_xact_lock(7); return new; end $$;
     create trigger wait before insert on audit_entries for each row
       when (new.action = 'late') execute function wait()`,
  );
  const stored = insertAuditEntries(knex, [
    { occurredOn: new Date(), actor: 'operator', operator: 'x', action: 'late', outcome: 'done' },
  ]);
  await waitUntilBlocked(knex);
  expect(await goOn(5)).toBe('{[2,3),[8,)}');
  await blocking.rollback();
  await stored;
  await expectWhole();
});

test('D-58 a gap stays unsettled for a transaction that began after one that still runs', async () => {
  const { add, begin, seal, goOn, expectWhole } = await newTrail();
  // The last transaction that has ended is older than those that run.
  const oldest = await begin(0);
  await oldest.raw('select pg_current_xact_id()');
  const [earlier, later] = [await begin(), await begin()];
  await add(1, oldest);
  await oldest.commit();
  await seal();
  await earlier.rollback();
  expect(await goOn()).toMatch(/^\{\[(1|2),3\),\[7,\)\}$/);
  await later.commit();
  await expectWhole();
});

test('D-58 gaps with more entries than fit under one seal are sealed completely', async () => {
  const { begin, goOn, expectWhole } = await newTrail();
  const many = await begin(2_500);
  await goOn();
  await many.commit();
  await expectWhole();
});

test('D-58 sealing within a transaction that has written before closes no gap', async () => {
  const { add, seal, begin, goOn, expectWhole } = await newTrail();
  const outer = await begin(0);
  await outer.raw('select pg_current_xact_id()');
  const late = await begin();
  await add();
  await seal(outer);
  await outer.commit();
  expect(await goOn()).toBe('{[1,2),[6,)}');
  await late.commit();
  await expectWhole();
});

test('D-58 workers that seal at once seal each entry once', async () => {
  const { add, seal, knex, expectWhole } = await newTrail();
  await add(2_500);
  const seals = await Promise.all(Array.from({ length: 6 }, () => seal()));
  expect(seals.flatMap((each) => each?.number ?? []).toSorted()).toEqual([1, 2, 3]);
  expect((await verifyTrail(knex)).unsealed).toBe(0);
  await expectWhole();
});

test('D-58 a worker that is killed between the steps of sealing leaves nothing behind', async () => {
  const { knex, add, seal, begin, expectWhole } = await newTrail();
  await add(3);
  // The seal is stored, and its entries cannot be settled.
  const blocking = await begin(0);
  await blocking.raw('select from audit_sealing for update');
  const sealing = seal().then(
    () => 'sealed',
    () => 'killed',
  );
  await waitUntilBlocked(knex);
  await blocking.raw(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  expect(await sealing).toBe('killed');
  await blocking.rollback();
  expect(await verifyTrail(knex)).toMatchObject({ seals: 0, unsealed: 3 });
  expect(await seal()).toMatchObject({ number: 1, entries: 3 });
  await expectWhole();
});

test('D-58 in a database that was restored from a dump, gaps are settled although its transactions have lower numbers', async () => {
  const { knex, begin, goOn, expectWhole } = await newTrail();
  const lost = await begin();
  expect(await goOn(1)).toBe('{[1,2),[3,)}');
  await lost.rollback();
  await knex('audit_sealing').update({ closing_before: '18446744073709551615' });
  expect(await goOn(1)).toBe('{[4,)}');
  await expectWhole();
});

test('D-58 retention removes what is old, also if an entry was committed late or is missing', async () => {
  const { knex, add, begin, goOn, seal, expectWhole } = await newTrail();
  const [late, missing, open] = [await begin(), await begin(), await begin()];
  await goOn(1);
  await missing.rollback();
  await late.commit();
  await goOn(60);
  const remove = async () =>
    (await knex.raw('select remove_audit_entries(now()) as removed')).rows[0].removed;
  expect([await remove(), await remove(), await remove()]).toEqual([51, 11, 0]);
  const removed = { seals: 0, entries: 0, removedSeals: 61, unsealed: 0, faults: [] };
  expect(await verifyTrail(knex)).toMatchObject(removed);
  await open.commit();
  await add();
  expect(await seal()).toMatchObject({ number: 62, entries: 2 });
  await expectWhole();
});

test('D-58 while entries are added, rolled back and sealed, the trail is whole at any time', async () => {
  const { knex, add, seal, expectWhole } = await newTrail();
  let isEnding = false;
  const committed: number[] = [];
  const writer = async () => {
    for (let round = rounds({ short: 15, all: 100 }); round > 0; round -= 1) {
      const trx = await knex.transaction();
      const count = 1 + Math.floor(Math.random() * 3);
      await add(count, trx);
      await wait(Math.random() ** 4 * 100);
      if (Math.random() < 0.2) await trx.rollback();
      else {
        await trx.commit();
        committed.push(count);
      }
    }
  };
  const repeat = async (work: () => Promise<unknown>) => {
    while (!isEnding) await work();
  };
  const others = [
    repeat(() => seal()),
    repeat(() => seal()),
    repeat(async () => {
      const { faults } = await inSnapshot(knex, (trx) => verifyTrail(trx));
      expect(faults).toEqual([]);
    }),
  ];
  await Promise.all(Array.from({ length: 5 }, writer));
  isEnding = true;
  await Promise.all(others);
  await expectWhole();
  const { entries } = await verifyTrail(knex);
  expect(entries).toBe(committed.reduce((sum, count) => sum + count, 0));
});
