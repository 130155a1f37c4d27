import { expect, onTestFinished, test } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { DAY } from '../../../src/dates/brussels-day.js';
import { removeDueObjects } from '../../../src/files/object-removals.js';
import { operatorScope } from '../../../src/identity/operator-scope.js';
import { listDeliveries } from '../../../src/uploads/deliveries/listed-deliveries.js';
import { mandatesOf } from '../../mandates/linked-customer.js';
import { waitUntilBlocked } from '../../mandates/wait-until-blocked.js';
import { keysOf } from '../../storage/open-test-storage.js';
import { completeRows, insertBankAccount } from '../../support/rows.js';
import { codaFile } from '../sample-files.js';
import {
  runReleaseJobs,
  setUpAccount,
  setUpUploads,
  sign,
  type Uploads,
} from '../set-up-uploads.js';

/**
 * Creates a coverage that runs `change` between the first outcomes and the transaction that lists.
 */
function interrupted(work: Uploads, change: () => Promise<unknown>): Uploads['coverage'] {
  let isFirst = true;
  return {
    ...work.coverage,
    async coveredLinks(...parameters) {
      const covered = await work.coverage.coveredLinks(...parameters);
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
  const { work, iban } = await setUpAccount('finished');
  const coverage = interrupted(work, async () => {
    await work.knex(table).update(change);
    await completeRows(work.knex);
  });
  expect(await work.deliver(codaFile({ iban }), { coverage })).toMatchObject({
    ...{ listed: 0, held: 1 },
  });
  expect(await work.files()).toEqual([]);
  // No copy is left under the key of a listed file.
  await removeDueObjects(work, new Date(Date.now() + 2 * DAY));
  expect(await work.knex('held_deliveries').pluck('object_key')).toEqual(
    await keysOf(work.storage, 'files'),
  );
});

test('D-28 a delivery is listed if its mandate is signed while it is being held', async () => {
  const { work, iban, customerId } = await setUpAccount();
  const coverage = interrupted(work, () => work.setStatus(customerId, 'finished'));
  expect(await work.deliver(codaFile({ iban }), { coverage })).toMatchObject({
    listed: 1,
    held: 0,
  });
  expect(await work.knex('held_deliveries')).toEqual([]);
  await removeDueObjects(work, new Date(Date.now() + 2 * DAY));
  expect(await keysOf(work.storage, 'files', 'held/')).toEqual([]);
});

test('D-28 a delivery is ingested although a firm adds and ends an account in it all the time', async () => {
  const work = await setUpUploads();
  const [iban, changing] = [newIban(), newIban()];
  const customerId = await work.create({ ibans: [iban] });
  await work.setStatus(customerId, 'finished');
  const changingId = await work.create({ ibans: [changing] });
  const coverage = {
    ...work.coverage,
    async coveredLinks(...parameters: Parameters<Uploads['coverage']['coveredLinks']>) {
      const covered = await work.coverage.coveredLinks(...parameters);
      await work
        .knex('bank_accounts')
        .where({ iban: changing })
        .update({ disabled_on: new Date() });
      await completeRows(work.knex);
      await insertBankAccount(work.knex, changingId, { iban: changing });
      return covered;
    },
  };
  const delivered = await work.deliver(codaFile({ iban }, { iban: changing }), { coverage });
  expect(delivered).toMatchObject({ isDone: true, listed: 1, held: 1 });
  expect(await work.files()).toMatchObject([{ customer_id: customerId }]);
  const [held] = await work.knex('held_deliveries');
  const current = await work.knex('bank_accounts').where({ iban: changing, disabled_on: null });
  expect(current).toMatchObject([{ id: held.bank_account_id }]);
  await removeDueObjects(work, new Date(Date.now() + 2 * DAY));
  expect((await keysOf(work.storage, 'files')).sort()).toEqual(
    [...(await work.files()).map(({ object_key }) => object_key), held.object_key].sort(),
  );
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
  expect(await listDeliveries(work.knex, operatorScope())).toEqual([]);
});

/** Begins a transaction that locks a row as an update does, until the test commits it. */
async function lock(
  work: Uploads,
  table: string,
  id: string,
  firm_id: string = work.principal.firmId,
) {
  const trx = await work.knex.transaction();
  onTestFinished(async () => {
    if (!trx.isCompleted()) await trx.rollback();
  });
  await trx(table).where({ id, firm_id }).forNoKeyUpdate().first('id');
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
  await completeRows(change);
  await change.commit();
  expect(await first).toMatchObject({ listed: 0, held: 1 });

  await work.knex('bank_accounts').where({ iban }).update({ disabled_on: null });
  await completeRows(work.knex);
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
  const holder = await lock(work, 'held_deliveries', first.id, first.firm_id);
  const delivering = work.deliver(lastFirst);
  await waitUntilBlocked(work.knex);
  // The delivery waits for the first, so it has not locked the last.
  const { id, firm_id } = last;
  await holder('held_deliveries').where({ id, firm_id }).forNoKeyUpdate().noWait().first('id');
  await holder.commit();
  expect(await delivering).toMatchObject({ held: 2 });
});

test('D-09 the lists of several customers are locked in one order, independent of their order in the file', async () => {
  const work = await setUpUploads();
  const accounts: { iban: string; customerId: string }[] = [];
  for (const iban of [newIban(), newIban()]) {
    const customerId = await work.create({ ibans: [iban] });
    await work.setStatus(customerId, 'finished');
    accounts.push({ iban, customerId });
  }
  const [low, high] = accounts.toSorted((a, b) => (a.customerId < b.customerId ? -1 : 1));
  if (low === undefined || high === undefined) expect.fail();
  const deliver = (number: number, ...order: { iban: string }[]) =>
    work.deliver(codaFile(...order.map(({ iban }, i) => ({ iban, number: number + i }))));
  await deliver(1, low, high);

  const holder = await work.knex.transaction();
  onTestFinished(async () => {
    if (!holder.isCompleted()) await holder.rollback();
  });
  const listOf = ({ customerId }: typeof low) =>
    holder('file_arrivals')
      .where({ customer_id: customerId, product: 'CODA', firm_id: work.principal.firmId })
      .forNoKeyUpdate();
  await listOf(low).first('latest');
  const delivering = deliver(3, high, low);
  await waitUntilBlocked(work.knex);
  // The delivery waits for the first, so it has not locked the last.
  await listOf(high).noWait().first('latest');
  await holder.commit();
  expect(await delivering).toMatchObject({ listed: 2 });
});
