import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { DAY } from '../../src/dates/brussels-day.js';
import { inTransaction } from '../../src/db/transaction.js';
import { readHistory } from '../../src/mandates/operator-mandates.js';
import { reportStep } from '../../src/mandates/report-step.js';
import { removeExpired } from '../../src/uploads/deliveries/held-deliveries.js';
import { listDeliveries } from '../../src/uploads/deliveries/operator-deliveries.js';
import { releaseDelivery } from '../../src/uploads/deliveries/release-delivery.js';
import { removeDueObjects } from '../../src/uploads/object-removals.js';
import { createUploadTasks } from '../../src/uploads/tasks.js';
import {
  mandatesOf,
  newConnectedIban,
  newIban,
  serveByConnector,
} from '../mandates/linked-customer.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { keysOf, textOf } from '../storage/open-test-storage.js';
import { codaFile, codbFile, enterpriseNumber } from './sample-files.js';
import { runReleaseJobs, setUpUploads, type Uploads, withStore } from './set-up-uploads.js';

const signed = ['waitingForBank', 'confirmedByBank', 'finished'];
const unsigned = ['created', 'waitingForSigner', 'expired', 'rejectedBySigner', 'rejectedByBank'];

test.each(signed)('D-28 a delivery is listed under a mandate that is %s', async (status) => {
  const work = await setUpUploads();
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  await work.setStatus(customerId, status);
  expect(await work.deliver(codaFile({ iban }))).toMatchObject({
    isDone: true,
    listed: 1,
    held: 0,
  });
  expect(await work.files()).toMatchObject([{ customer_id: customerId }]);
  expect(await work.uploads()).toMatchObject([{ source: 'bank', grant_id: null }]);
});

test.each([...unsigned, 'error'])(
  'D-28 a delivery is held and not listed while its mandate is %s',
  async (status) => {
    const work = await setUpUploads();
    const iban = newIban();
    const customerId = await work.create({ ibans: [iban] });
    await work.setStatus(customerId, status);
    const bytes = codaFile({ iban });
    expect(await work.deliver(bytes)).toMatchObject({
      ...{ isDone: true, listed: 0, held: 1 },
      findings: [{ code: 'held', severity: 'warning', record: 1 }],
    });
    expect(await work.files()).toEqual([]);
    expect(await work.statuses(customerId)).toEqual([status]);
    expect(await listDeliveries(work.knex)).toMatchObject([
      { product: 'CODA', iban, statementNumber: 14, mandates: [{ status, customerId }] },
    ]);
    const [key = ''] = await keysOf(work.storage, 'files');
    expect(key).toMatch(/^held\//);
    expect(await textOf(work.storage, 'files', key)).toBe(String(Buffer.from(bytes)));
  },
);

test('D-28 a delivery for an unknown or disabled account is held', async () => {
  const work = await setUpUploads();
  const [unknown, disabled] = [newIban(), newIban()];
  const customerId = await work.create({ ibans: [disabled] });
  await work.setStatus(customerId, 'finished');
  await work.knex('bank_accounts').update({ disabled_on: new Date() });
  await work.deliver(codaFile({ iban: unknown }, { iban: disabled }));
  expect(await work.files()).toEqual([]);
  expect(await listDeliveries(work.knex)).toMatchObject([
    { iban: unknown, linkId: null, mandates: [] },
    { iban: disabled, linkId: null },
  ]);
});

test.each([
  ['SD WORX vzw', ['finished', 'waitingForPayrollProvider']],
  ['Secrétariat Social Securex', ['waitingForPayrollProvider', 'finished']],
])(
  'D-28 a payroll file of %s is listed under the mandate of that provider',
  async (source, after) => {
    const work = await setUpUploads();
    const number = enterpriseNumber();
    const links = { providers: ['sdworx', 'securex'] };
    const customerId = await work.create(links, { enterprise_number: number });
    await work.setStatus(customerId, 'waitingForPayrollProvider');
    await work.deliver(codbFile({ enterpriseNumber: number, source }));
    expect(await work.files()).toHaveLength(1);
    expect(await work.uploads()).toMatchObject([{ source: 'payrollProvider' }]);
    expect(await work.statuses(customerId)).toEqual(after);
  },
);

test.each([
  ['Boekhouding Janssens', ['sdworx', 'securex']],
  ['Liantis', ['sdworx', 'securex']],
  ['Securex & SD Worx', ['sdworx', 'securex']],
  ['Partena', ['sdworx']],
])(
  'D-28 a payroll file of %s is held if it matches none of the providers %j, or several',
  async (source, providers) => {
    const work = await setUpUploads();
    const number = enterpriseNumber();
    const customerId = await work.create({ providers }, { enterprise_number: number });
    await work.setStatus(customerId, 'finished');
    await work.deliver(codbFile({ enterpriseNumber: number, source }));
    expect(await work.files()).toEqual([]);
    expect(await listDeliveries(work.knex)).toMatchObject([
      { product: 'CODB', enterpriseNumber: number, payrollProvider: source, linkId: null },
    ]);
  },
);

test('D-28 a payroll file of an unknown provider belongs to the only provider of the customer', async () => {
  const work = await setUpUploads();
  const number = enterpriseNumber();
  const customerId = await work.create({ providers: ['groups'] }, { enterprise_number: number });
  await work.setStatus(customerId, 'waitingForPayrollProvider');
  await work.deliver(codbFile({ enterpriseNumber: number, source: 'Groupe S' }));
  expect(await work.statuses(customerId)).toEqual(['finished']);
});

test('§3, D-28 held deliveries are listed as soon as their mandate is signed, and finish it', async () => {
  const work = await setUpUploads();
  const [iban, other] = [newIban(), newIban()];
  const customerId = await work.create({ ibans: [iban, other] });
  const numbers = [1, 2, 3, 4, 5];
  const statements = numbers.map((number) => ({ iban, number }));
  const file = codaFile(...statements.toReversed(), { iban: other, number: 1 });
  expect(await work.deliver(file)).toMatchObject({ held: 6 });
  const [mandate] = await mandatesOf(work.knex, customerId);
  await sign(work, mandate?.id ?? '');
  expect(await work.files()).toEqual([]);
  await runReleaseJobs(work);
  const listed = await work.files();
  expect(listed.map(({ statement_number }) => statement_number)).toEqual(numbers);
  expect(await textOf(work.storage, 'files', listed[0]?.pdf_key ?? '')).toMatch(/^%PDF-/);
  expect(await work.statuses(customerId)).toEqual(['finished', 'created']);
  const history = await readHistory(work.knex, mandate?.id ?? '');
  expect(history.map(({ trigger }) => trigger)).toEqual(['linked', 'signed', 'fileReceived']);
  expect(await listDeliveries(work.knex)).toMatchObject([{ iban: other }]);
  await removeDueObjects(work, new Date());
  expect(await keysOf(work.storage, 'files', 'held/')).toHaveLength(1);
});

/** Signs a mandate, without mail and signing page. */
async function sign(work: Uploads, mandateId: string): Promise<void> {
  await work.knex('mandates').where({ id: mandateId }).update({ status: 'waitingForSigner' });
  await reportStep(work.knex, {
    ...{ mandateId, actor: { kind: 'operator' }, now: new Date() },
    // Operators cannot report this step, but it works in the same way.
    trigger: 'signed' as 'bankConfirmed',
  });
}

test('D-28 deliveries held for the first firm are not listed for the second firm of an account', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  const first = await work.create({ ibans: [iban] });
  await work.deliver(codaFile({ iban, number: 1 }));
  await work.knex('bank_accounts').update({ disabled_on: new Date() });
  await work.knex('mandates').update({ closed_on: new Date() });
  await work.deliver(codaFile({ iban, number: 2 }));
  const second = await work.create({ ibans: [iban] });
  await work.deliver(codaFile({ iban, number: 3 }));
  const [mandate] = await mandatesOf(work.knex, second);
  await sign(work, mandate?.id ?? '');
  await runReleaseJobs(work);
  expect(await work.files()).toMatchObject([{ customer_id: second, statement_number: 3 }]);
  const held = await listDeliveries(work.knex);
  expect(held.map(({ statementNumber }) => statementNumber)).toEqual([1, 2]);
  expect(first).not.toBe(second);

  // The operator may release earlier deliveries under the signed mandate.
  const [, between] = held;
  const linkId = between?.mandates[0]?.linkId ?? '';
  expect(await releaseDelivery(work, between?.id ?? '', linkId)).toBe('listed');
  expect(await work.files()).toHaveLength(2);
});

test.each(['link', 'account', 'unsigned'] as const)(
  'D-28 the operator cannot release a delivery to a mandate of another %s',
  async (kind) => {
    const work = await setUpUploads();
    const [iban, other] = [newIban(), newIban()];
    const customerId = await work.create({ ibans: [iban] });
    const others = await work.create({ ibans: [other] });
    await work.deliver(codaFile({ iban }));
    if (kind !== 'unsigned') await work.setStatus(customerId, 'finished');
    await work.setStatus(others, 'finished');
    const [held] = await listDeliveries(work.knex);
    const linkIds = {
      link: '0'.repeat(24),
      account: (await work.knex('bank_accounts').where({ customer_id: others }).first('id')).id,
      unsigned: held?.linkId ?? '',
    };
    expect(await releaseDelivery(work, held?.id ?? '', linkIds[kind])).toBe('notCovered');
    expect(await work.files()).toEqual([]);
    expect(await keysOf(work.storage, 'files')).toHaveLength(1);
    expect(await listDeliveries(work.knex)).toHaveLength(1);
  },
);

test('D-28 a repeated delivery is held once, and its holding period starts again', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  await work.create({ ibans: [iban] });
  await work.deliver(codaFile({ iban }));
  const past = new Date('2026-01-01T00:00:00Z');
  await work.knex('held_deliveries').update({ held_on: past });
  await work.deliver(codaFile({ iban, duplicate: true }));
  const [held, ...others] = await listDeliveries(work.knex);
  expect(others).toEqual([]);
  expect(held?.heldOn.getTime()).toBeGreaterThan(past.getTime());
  const [, last] = await work.uploads();
  expect(held?.uploadId).toBe(last?.id);
  await removeDueObjects(work, new Date());
  const [key = '', ...otherKeys] = await keysOf(work.storage, 'files');
  expect(otherKeys).toEqual([]);
  const bytes = await textOf(work.storage, 'files', key);
  expect(bytes).toBe(Buffer.from(codaFile({ iban, duplicate: true })).toString('latin1'));
});

test('D-28 a statement that the firm has uploaded itself is listed once, and its delivery finishes the mandate', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  await work.upload('CODA', 'a.cod', codaFile({ iban }));
  await work.readAll();
  expect(await work.files()).toHaveLength(1);
  expect(await work.statuses(customerId)).toEqual(['created']);
  await work.setStatus(customerId, 'waitingForBank');
  await work.upload('CODA', 'b.cod', codaFile({ iban, number: 15 }));
  await work.readAll();
  expect(await work.statuses(customerId)).toEqual(['waitingForBank']);
  expect(await work.deliver(codaFile({ iban }))).toMatchObject({ listed: 0, repeated: 1 });
  expect(await work.files()).toHaveLength(2);
  expect(await work.statuses(customerId)).toEqual(['finished']);
});

test('D-28 only a delivery held for too long is deleted, with its object, and logged', async () => {
  const work = await setUpUploads();
  const [old, young] = [newIban(), newIban()];
  await work.create({ ibans: [old, young] });
  await work.deliver(codaFile({ iban: old }));
  await work.deliver(codaFile({ iban: young }));
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  await work
    .knex('held_deliveries')
    .where({ iban: old })
    .update({ held_on: days(31) });
  await work
    .knex('held_deliveries')
    .where({ iban: young })
    .update({ held_on: days(29) });
  const [expired] = await work.knex('held_deliveries').where({ iban: old });
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => void lines.push(line) });
  const tasks = createUploadTasks({ ...work, logger, heldDeliveryDays: 30 });
  const attempt = { number: 1, isLast: false };
  await tasks['cleanUpUploads']?.({}, attempt);
  expect(await work.knex('held_deliveries')).toMatchObject([{ iban: young }]);
  expect(await keysOf(work.storage, 'files')).toHaveLength(1);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ delivery: expired.id }]);
  await tasks['cleanUpUploads']?.({}, attempt);
  expect(lines).toHaveLength(1);
  expect(await work.knex('graphile_worker.jobs').pluck('key')).toContain('cleanUpUploads');
});

/** Creates consents that run `change` between the first outcomes and the transaction that lists. */
function interrupted(work: Uploads, change: () => Promise<unknown>): Uploads['consents'] {
  let isFirst = true;
  return {
    ...work.consents,
    async coveredLinks(...parameters) {
      const covered = await work.consents.coveredLinks(...parameters);
      if (isFirst) await change();
      isFirst = false;
      return covered;
    },
  };
}

test.each([
  ['its mandate ends', 'mandates', { status: 'rejectedByBank' }],
  ['its mandate is closed', 'mandates', { closed_on: new Date() }],
  ['its account is disabled', 'bank_accounts', { disabled_on: new Date() }],
  ['its customer is archived', 'customers', { archived_on: new Date() }],
])('D-28 a delivery is held if %s while its objects are stored', async (_, table, change) => {
  const work = await setUpUploads();
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  await work.setStatus(customerId, 'finished');
  const consents = interrupted(work, () => work.knex(table).update(change));
  expect(await work.deliver(codaFile({ iban }), { consents })).toMatchObject({
    ...{ listed: 0, held: 1 },
  });
  expect(await work.files()).toEqual([]);
  expect(await work.knex('held_deliveries')).toHaveLength(1);
});

test('D-28 a delivery is listed if its mandate is signed while it is being held', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  const consents = interrupted(work, () => work.setStatus(customerId, 'finished'));
  expect(await work.deliver(codaFile({ iban }), { consents })).toMatchObject({
    listed: 1,
    held: 0,
  });
  expect(await work.knex('held_deliveries')).toEqual([]);
  await removeDueObjects(work, new Date(Date.now() + 2 * DAY));
  expect(await keysOf(work.storage, 'files', 'held/')).toEqual([]);
});

test('D-28 concurrent deliveries and signatures lose nothing and hold nothing that is signed', async () => {
  const work = await setUpUploads();
  const ibans = Array.from({ length: 40 }, () => newIban());
  const mandates: string[] = [];
  for (const iban of ibans) {
    const [mandate] = await mandatesOf(work.knex, await work.create({ ibans: [iban] }));
    mandates.push(mandate?.id ?? '');
  }
  await Promise.all([
    ...ibans.map((iban) => work.deliver(codaFile({ iban }))),
    ...mandates.map((id) => sign(work, id)),
  ]);
  await runReleaseJobs(work);
  expect(await work.files()).toHaveLength(ibans.length);
  expect(await listDeliveries(work.knex)).toEqual([]);
});

test('D-28 a payroll file that matches several mandates is released to the chosen one', async () => {
  const work = await setUpUploads();
  const number = enterpriseNumber();
  const providers = ['sdworx', 'securex'];
  const customerId = await work.create({ providers }, { enterprise_number: number });
  await work.knex('mandates').update({ enterprise_number: number });
  await work.setStatus(customerId, 'waitingForPayrollProvider');
  await work.deliver(codbFile({ enterpriseNumber: number, source: 'Boekhouding Janssens' }));
  const [held] = await listDeliveries(work.knex);
  expect(held?.mandates.map(({ payrollProviderCode }) => payrollProviderCode)).toEqual(providers);
  const [, securex] = held?.mandates ?? [];
  expect(await releaseDelivery(work, held?.id ?? '', securex?.linkId ?? '')).toBe('listed');
  expect(await work.files()).toHaveLength(1);
  expect(await work.statuses(customerId)).toEqual(['waitingForPayrollProvider', 'finished']);
});

/** Begins a transaction that locks a row as an update does, until the test commits it. */
async function lock(work: Uploads, table: string, id: string) {
  const trx = await work.knex.transaction();
  onTestFinished(async () => {
    if (!trx.isCompleted()) await trx.rollback();
  });
  await trx(table).where({ id }).forNoKeyUpdate().first('id');
  return trx;
}

test('D-28 a delivery waits for a change of its customer, and for a step of its mandate', async () => {
  const work = await setUpUploads();
  const [iban, other] = [newIban(), newIban()];
  const customerId = await work.create({ ibans: [iban, other] });
  await work.setStatus(customerId, 'finished');
  const [mandate] = await mandatesOf(work.knex, customerId);

  const change = await lock(work, 'customers', customerId);
  const first = work.deliver(codaFile({ iban }));
  await waitUntilBlocked(work.knex);
  await change('bank_accounts').where({ iban }).update({ disabled_on: new Date() });
  await change.commit();
  expect(await first).toMatchObject({ listed: 0, held: 1 });

  await work.knex('bank_accounts').where({ iban }).update({ disabled_on: null });
  const step = await lock(work, 'mandates', mandate?.id ?? '');
  const second = work.deliver(codaFile({ iban, number: 15 }));
  await waitUntilBlocked(work.knex);
  await step('mandates').where({ id: mandate?.id }).update({ status: 'rejectedByBank' });
  await step.commit();
  expect(await second).toMatchObject({ listed: 0, held: 1 });
  expect(await work.files()).toEqual([]);
});

test('D-28 held deliveries are locked in one order, independent of their order in the file', async () => {
  const work = await setUpUploads();
  const [one, other] = [{ iban: newIban() }, { iban: newIban() }];
  await work.deliver(codaFile(one, other));
  const [first, last] = await work.knex('held_deliveries').orderBy('content_hash');
  const lastFirst = last.iban === one.iban ? codaFile(one, other) : codaFile(other, one);
  const holder = await lock(work, 'held_deliveries', first.id);
  const delivering = work.deliver(lastFirst);
  await waitUntilBlocked(work.knex);
  // The delivery waits for the first, so it has not locked the last.
  await holder('held_deliveries').where({ id: last.id }).forNoKeyUpdate().noWait().first('id');
  await holder.commit();
  expect(await delivering).toMatchObject({ held: 2 });
});

test('D-28 a consent whose last day has passed covers nothing, even if its job is late', async () => {
  const work = await setUpUploads();
  await serveByConnector(work.knex);
  const iban = newConnectedIban();
  await work.create({ ibans: [iban] });
  const until = (valid_until: string) =>
    work.knex('mandates').update({ status: 'finished', valid_until });
  await until('2026-01-01');
  expect(await work.deliver(codaFile({ iban }))).toMatchObject({ listed: 0, held: 1 });
  await until('2999-12-31');
  expect(await work.deliver(codaFile({ iban, number: 15 }))).toMatchObject({ listed: 1 });
});

test('D-28 a damaged held delivery stays held, and the others are listed', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  const [mandate] = await mandatesOf(work.knex, await work.create({ ibans: [iban] }));
  await work.deliver(codaFile({ iban, number: 1 }));
  await work.deliver(codaFile({ iban, number: 2 }));
  await work.deliver(codaFile({ iban, number: 3 }));
  const [damaged, missing] = await work.knex('held_deliveries').orderBy('statement_number');
  const { store, buckets } = work.storage;
  await store.put(buckets.files, damaged.object_key, Buffer.from('damaged'), 'text/plain');
  await store.remove(buckets.files, missing.object_key);
  await sign(work, mandate?.id ?? '');
  await expect(runReleaseJobs(work)).rejects.toThrow('Some deliveries were not released');
  expect(await work.files()).toMatchObject([{ statement_number: 3 }]);
  const held = await listDeliveries(work.knex);
  expect(held.map(({ statementNumber }) => statementNumber)).toEqual([1, 2]);

  // Another delivery without a signed mandate replaces its object.
  await work.knex('mandates').update({ status: 'created' });
  await work.deliver(codaFile({ iban, number: 2 }));
  await work.knex('mandates').update({ status: 'finished' });
  expect(
    await releaseDelivery(work, missing.id, (await work.knex('bank_accounts').first('id')).id),
  ).toBe('listed');
});

test('D-28 a delivery that expires while it is being released is not listed', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  await work.create({ ibans: [iban] });
  await work.deliver(codaFile({ iban }));
  await work.knex('mandates').update({ status: 'finished' });
  const [held] = await listDeliveries(work.knex);
  const changed = withStore(work, {
    async get(...parameters) {
      const found = await work.storage.store.get(...parameters);
      const inTwoDays = new Date(Date.now() + 2 * DAY);
      await inTransaction(work.knex, (trx) => removeExpired(trx, inTwoDays, work.now()));
      return found;
    },
  });
  expect(await releaseDelivery(changed, held?.id ?? '', held?.linkId ?? '')).toBe('gone');
  expect(await work.files()).toEqual([]);
});

test('D-28 consents are found for more statements than a query may have parameters', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  await work.setStatus(customerId, 'finished');
  const linkIds = Array(70_000).fill((await work.knex('bank_accounts').first('id')).id);
  expect((await work.consents.coveredLinks(work.knex, linkIds)).size).toBe(1);
});
