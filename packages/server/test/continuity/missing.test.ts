import type { MissingStatements } from '@adx/contract';
import { type StatementDraft, writeCoda } from '@adx/statements';
import { expect, test } from 'vitest';
import { createMissingStore, listMissing } from '../../src/continuity/missing-store.js';
import { newIban } from '../support/belgian-iban.js';
import { setUpUploads, type Uploads } from '../uploads/set-up-uploads.js';

/** Returns a statement with the balances of its day: each statement takes 10.00. */
function draft(iban: string, day: number, changes: Partial<StatementDraft> = {}): StatementDraft {
  const date = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
  return {
    header: { creationDate: date, bic: 'GKCCBEBB' },
    account: { structure: 2, number: iban, currency: 'EUR' },
    statementNumber: day + 100,
    oldBalance: { amount: 9_000_000n - 10_000n * BigInt(day), date },
    newBalance: { date },
    movements: [
      {
        ...{ amount: -10_000n, entryDate: date },
        transactionCode: { type: 0, family: '01', operation: '01', category: '000' },
      },
    ],
    ...changes,
  };
}

async function list(work: Uploads, now = work.now()): Promise<MissingStatements[]> {
  const store = createMissingStore(work.knex, () => now);
  const page = await store.list(work.principal, {}, { limit: 50, offset: 0 });
  expect(page.recordsTotal).toBe(page.records.length);
  return page.records;
}

const holesOf = (records: readonly MissingStatements[]) =>
  records.map(({ fromNumber, toNumber }) => [fromNumber, toNumber]).sort();

test('D-30 missing numbers are listed until they arrive, and whoever brings the next statement is warned', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  const bring = async (...days: number[]) => {
    const name = `${days.join()}.cod`;
    await work.upload('CODA', name, writeCoda(days.map((day) => draft(iban, day))));
    await work.readAll();
    const upload = (await work.uploads()).find(({ object_key }) => object_key.endsWith(name));
    return upload?.findings.map(({ code, message, record }) => [code, message, record]);
  };
  expect(await bring(1, 2, 3)).toEqual([]);
  expect(await bring(8)).toEqual([
    [
      'numberMissing',
      `Statement numbers before this one are missing: ${iban} (2026/108): 108 instead of 104`,
      1,
    ],
  ]);
  const [record, ...others] = await list(work);
  expect(others).toEqual([]);
  expect(record).toMatchObject({
    ...{ customerId, iban, currency: 'EUR', kind: 'gap', fromNumber: 104, toNumber: 107 },
    ...{ after: '2026-01-03', before: '2026-01-08' },
  });
  // A part of it arrives: the rest was detected at the same time.
  await bring(5);
  const rest = await list(work);
  expect(holesOf(rest)).toEqual([
    [104, 104],
    [106, 107],
  ]);
  expect(rest.map(({ detectedOn }) => detectedOn)).toEqual(Array(2).fill(record?.detectedOn));
  await bring(7, 4);
  expect(holesOf(await list(work))).toEqual([[106, 106]]);
  await bring(6);
  expect(await list(work)).toEqual([]);
  expect(await work.knex('missing_statements').where({ closed_on: null, kind: 'gap' })).toEqual([]);
});

test('D-30 an old balance that differs, and a number with other content, are a warning and a record until corrected', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  await work.create({ ibans: [iban] });
  const right = draft(iban, 2);
  const wrong = {
    ...right,
    movements: right.movements?.map((each) => ({ ...each, amount: -7_000n })) ?? [],
  };
  const bytes = writeCoda([draft(iban, 1), wrong, draft(iban, 3)]);
  await work.upload('CODA', '1.cod', bytes);
  await work.readAll();
  const seen = '8970.000 instead of 8973.000';
  expect((await work.uploads())[0]?.findings.map(({ message }) => message)).toEqual([
    `The old balance is not the new balance of the statement before: ${iban} (2026/103): ${seen}`,
  ]);
  expect(await list(work)).toMatchObject([{ kind: 'balanceBreak', before: '2026-01-03' }]);
  await work.upload('CODA', '2.cod', writeCoda([right]));
  await work.readAll();
  expect((await work.uploads())[1]?.findings.map(({ code }) => code)).toEqual(['numberRepeated']);
  expect(await list(work)).toEqual([]);
});

test('D-30 a statement with the BIC of another bank is listed, with a warning', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  await work.create({ ibans: [iban] });
  const header = { creationDate: '2026-01-01', bic: 'KREDBEBB' };
  await work.upload('CODA', '1.cod', writeCoda([draft(iban, 1, { header })]));
  await work.readAll();
  expect(await work.files()).toHaveLength(1);
  expect(await work.codes()).toEqual(['bicOfAnotherBank']);
});

test('D-30 an account under a signed mandate is overdue after its habit, until its next statement', async () => {
  const work = await setUpUploads();
  const [iban, uploaded] = [newIban(), newIban()];
  await work.setStatus(await work.create({ ibans: [iban] }), 'finished');
  await work.create({ ibans: [uploaded] });
  const days = Array.from({ length: 30 }, (_, index) => index + 1);
  const drafts = (account: string) => days.map((day) => draft(account, day));
  await work.deliver(writeCoda(drafts(iban)));
  await work.upload('CODA', '1.cod', writeCoda(drafts(uploaded)));
  await work.readAll();
  expect(await list(work, new Date('2026-02-03T12:00:00Z'))).toEqual([]);
  const late = new Date('2026-03-31T12:00:00Z');
  const [record, ...others] = await list(work, late);
  expect(others).toEqual([]);
  expect(record).toMatchObject({ kind: 'overdue', iban, after: '2026-01-30' });
  expect(record?.before).toBeUndefined();
  expect((record?.detectedOn ?? '') < '2026-02-20').toBe(true);
  await work.deliver(writeCoda([draft(iban, 31)]));
  expect(await list(work, late)).toMatchObject([{ kind: 'overdue', after: '2026-01-31' }]);
  await work.knex('bank_accounts').where({ iban }).update({ disabled_on: new Date() });
  expect(await list(work, late)).toEqual([]);
});

test('D-30 the same is missing, in whatever order the statements arrive', async () => {
  const work = await setUpUploads();
  const missing = new Set([5, 11, 12, 13, 29]);
  const days = Array.from({ length: 40 }, (_, index) => index + 1).filter(
    (day) => !missing.has(day),
  );
  for (const iban of [newIban(), newIban()]) {
    await work.create({ ibans: [iban] });
    const ordered = iban.endsWith('0') ? days.toReversed() : days;
    const shuffled = ordered.toSorted((one, other) => ((one * 17) % 41) - ((other * 17) % 41));
    for (let from = 0; from < shuffled.length; from += 9) {
      const part = shuffled.slice(from, from + 9).map((day) => draft(iban, day));
      await work.deliver(writeCoda(part));
      await work.upload('CODA', `${iban} ${from}.cod`, writeCoda(part));
    }
  }
  await work.readAll();
  const listed = await listMissing(
    work.knex,
    { firmId: work.principal.firmId, customerId: undefined, kind: 'gap' },
    work.now(),
  );
  const hole = [
    [105, 105],
    [111, 113],
    [129, 129],
  ];
  expect(holesOf(listed)).toEqual([...hole, ...hole].sort());
});
