import { S3ServiceException } from '@aws-sdk/client-s3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { DAY } from '../../../src/dates/brussels-day.js';
import { inTransaction } from '../../../src/db/transaction.js';
import { removeDueObjects } from '../../../src/files/object-removals.js';
import { operatorScope } from '../../../src/identity/operator-scope.js';
import { showMandate } from '../../../src/mandates/listed-mandates.js';
import { removeExpired } from '../../../src/uploads/deliveries/held-deliveries.js';
import { listDeliveries } from '../../../src/uploads/deliveries/listed-deliveries.js';
import { releaseDelivery } from '../../../src/uploads/deliveries/release-delivery.js';
import { mandatesOf } from '../../mandates/linked-customer.js';
import { keysOf, textOf } from '../../storage/open-test-storage.js';
import { completeRows } from '../../support/rows.js';
import { codaFile, codbFile, enterpriseNumber } from '../sample-files.js';
import {
  recordLines,
  runReleaseJobs,
  setUpAccount,
  setUpUploads,
  sign,
  uploadTasks,
  wholeWork,
  withStore,
} from '../set-up-uploads.js';

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
  await work.printAll();
  expect(await textOf(work.storage, 'files', listed[0]?.pdf_key ?? '')).toMatch(/^%PDF-/);
  expect(await work.statuses(customerId)).toEqual(['finished', 'created']);
  const shown = await showMandate(work.knex, operatorScope(), mandate?.id ?? '');
  expect(shown?.history.map(({ trigger }) => trigger)).toEqual([
    ...['linked', 'signed', 'fileReceived'],
  ]);
  expect(await listDeliveries(work.knex, operatorScope())).toMatchObject([{ iban: other }]);
  await removeDueObjects(work, new Date());
  expect(await keysOf(work.storage, 'files', 'held/')).toHaveLength(1);
});

test('D-28 deliveries held for the first firm are not listed for the second firm of an account', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  const first = await work.create({ ibans: [iban] });
  await work.deliver(codaFile({ iban, number: 1 }));
  await work.knex('bank_accounts').update({ disabled_on: new Date() });
  await work.knex('mandates').update({ closed_on: new Date() });
  await completeRows(work.knex);
  await work.deliver(codaFile({ iban, number: 2 }));
  const second = await work.create({ ibans: [iban] });
  await work.deliver(codaFile({ iban, number: 3 }));
  const [mandate] = await mandatesOf(work.knex, second);
  await sign(work, mandate?.id ?? '');
  await runReleaseJobs(work);
  expect(await work.files()).toMatchObject([{ customer_id: second, statement_number: 3 }]);
  const held = await listDeliveries(work.knex, operatorScope());
  expect(held.map(({ statementNumber }) => statementNumber)).toEqual([1, 2]);
  expect(first).not.toBe(second);

  // The operator may release earlier deliveries under the signed mandate.
  const [, between] = held;
  const linkId = between?.mandates[0]?.linkId ?? '';
  expect(await releaseDelivery(work, between?.id ?? '', linkId)).toBe('listed');
  expect(await work.files()).toHaveLength(2);
});

test.each(['of another link', 'of another account', 'that is not signed'] as const)(
  'D-28 the operator cannot release a delivery to a mandate %s',
  async (kind) => {
    const work = await setUpUploads();
    const [iban, other] = [newIban(), newIban()];
    const customerId = await work.create({ ibans: [iban] });
    const others = await work.create({ ibans: [other] });
    await work.deliver(codaFile({ iban }));
    if (kind !== 'that is not signed') await work.setStatus(customerId, 'finished');
    await work.setStatus(others, 'finished');
    const [held] = await listDeliveries(work.knex, operatorScope());
    const linkIds = {
      'of another link': '0'.repeat(24),
      'of another account': (
        await work.knex('bank_accounts').where({ customer_id: others }).first('id')
      ).id,
      'that is not signed': held?.linkId ?? '',
    };
    expect(await releaseDelivery(work, held?.id ?? '', linkIds[kind])).toBe('notCovered');
    expect(await work.files()).toEqual([]);
    expect(await keysOf(work.storage, 'files')).toHaveLength(1);
    expect(await listDeliveries(work.knex, operatorScope())).toHaveLength(1);
  },
);

test('D-28 D-66 a payroll file is released to a mandate of its sender only, however it was held', async () => {
  const work = await setUpUploads();
  const number = enterpriseNumber();
  const providers = ['sdworx', 'securex'];
  await work.deliver(codbFile({ enterpriseNumber: number, source: 'Janssens' }), {
    from: 'securex',
  });
  const customerId = await work.create({ providers }, { enterprise_number: number });
  await work.knex('mandates').update({ enterprise_number: number });
  await work.setStatus(customerId, 'waitingForPayrollProvider');
  const [held] = await listDeliveries(work.knex, operatorScope());
  expect(held?.mandates.map(({ payrollProviderCode }) => payrollProviderCode)).toEqual(['securex']);
  const [sdworx, securex] = await mandatesOf(work.knex, customerId);
  const release = (mandate?: { payroll_link_id: string | null }) =>
    releaseDelivery(work, held?.id ?? '', mandate?.payroll_link_id ?? '');
  expect(await release(sdworx)).toBe('notCovered');
  await work.knex('uploads').update({ sender: 'liantis' });
  expect(await release(securex)).toBe('notCovered');
  await work.knex('uploads').update({ sender: 'gone' });
  expect(await release(securex)).toBe('notOfSender');
  await work.knex('uploads').update({ sender: 'securex' });
  expect(await release(securex)).toBe('listed');
  expect(await work.files()).toHaveLength(1);
  expect(await work.statuses(customerId)).toEqual(['waitingForPayrollProvider', 'finished']);
});

test('D-28 a repeated delivery is held once, and its holding period starts again', async () => {
  const { work, iban } = await setUpAccount();
  await work.deliver(codaFile({ iban }));
  const past = new Date('2026-01-01T00:00:00Z');
  await work.knex('held_deliveries').update({ held_on: past });
  await work.deliver(codaFile({ iban, duplicate: true }));
  const [held, ...others] = await listDeliveries(work.knex, operatorScope());
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

test('D-28 only a delivery held for too long is deleted, with its object, and logged', async () => {
  const work = await setUpUploads();
  const [old, young] = [newIban(), newIban()];
  await work.create({ ibans: [old, young] });
  await work.deliver(codaFile({ iban: old }));
  await work.deliver(codaFile({ iban: young }));
  for (const [iban, days] of [[old, 31] as const, [young, 29] as const]) {
    const held_on = new Date(Date.now() - days * DAY);
    await work.knex('held_deliveries').where({ iban }).update({ held_on });
  }
  const [expired] = await work.knex('held_deliveries').where({ iban: old });
  const { lines, logger } = recordLines();
  const { repeating, cleanUp } = uploadTasks(work, { logger, heldDeliveryDays: 30 });
  // The clock is ahead, as if both were old.
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * DAY });
  await expect(cleanUp.run()).rejects.toThrow('ahead of that of the database');
  await expect(repeating.removeObjects.run(wholeWork)).rejects.toThrow(
    'ahead of that of the database',
  );
  vi.useRealTimers();
  await cleanUp.run();
  await repeating.removeObjects.run(wholeWork);
  expect(await work.knex('held_deliveries')).toMatchObject([{ iban: young }]);
  expect(await keysOf(work.storage, 'files')).toHaveLength(1);
  expect(lines).toMatchObject([{ delivery: expired.id }]);
  await cleanUp.run();
  expect(lines).toHaveLength(1);
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
  await expect(runReleaseJobs(work)).rejects.toThrow(
    `It failed for delivery ${damaged.id}, delivery ${missing.id}`,
  );
  expect(await work.files()).toMatchObject([{ statement_number: 3 }]);
  const held = await listDeliveries(work.knex, operatorScope());
  expect(held.map(({ statementNumber }) => statementNumber)).toEqual([1, 2]);

  // Another delivery without a signed mandate replaces its object.
  await work.knex('mandates').update({ status: 'created' });
  await work.deliver(codaFile({ iban, number: 2 }));
  await work.knex('mandates').update({ status: 'finished' });
  expect(
    await releaseDelivery(work, missing.id, (await work.knex('bank_accounts').first('id')).id),
  ).toBe('listed');
});

/** Delivers a statement that is held, and whose mandate is signed then. */
async function holdDelivery() {
  const { work, iban } = await setUpAccount();
  await work.deliver(codaFile({ iban }));
  await work.knex('mandates').update({ status: 'finished' });
  const [held] = await listDeliveries(work.knex, operatorScope());
  return { work, held };
}

test('D-28 a held delivery whose object is archived is unreadable, and stays held', async () => {
  const { work, held } = await holdDelivery();
  const archived = withStore(work, {
    async get() {
      throw new S3ServiceException({
        ...{ name: 'InvalidObjectState', $fault: 'client', $metadata: { httpStatusCode: 403 } },
        message: 'The operation is not valid for the storage class of the object',
      });
    },
  });
  expect(await releaseDelivery(archived, held?.id ?? '', held?.linkId ?? '')).toBe('unreadable');
  expect(await listDeliveries(work.knex, operatorScope())).toHaveLength(1);
});

test('D-28 a delivery that expires while it is being released is not listed', async () => {
  const { work, held } = await holdDelivery();
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
