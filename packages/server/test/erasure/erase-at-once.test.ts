import { expect, onTestFinished, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { eraseCustomer } from '../../src/erasure/erase-customer.js';
import { enqueue } from '../../src/jobs/job.js';
import { startWorker } from '../../src/jobs/worker.js';
import { createLogger } from '../../src/logger.js';
import { releaseJob } from '../../src/mandates/mandate-jobs.js';
import { captureProgram } from '../../src/operator/program.js';
import { signal } from '../jobs/jobs-database.js';
import { codaFile, enterpriseNumber } from '../uploads/sample-files.js';
import { setUpUploads, type Uploads, withStore } from '../uploads/set-up-uploads.js';
import { objectsWith, removeLater, rowsWith } from './find-traces.js';
import { setUpMarkedFirm } from './marked-firm.js';

/** Starts a command several times at once, and returns what each printed on standard error. */
async function runAtOnce(work: Uploads, ...parameters: string[]): Promise<string[]> {
  const settings = { ...work.storage.settings, DATABASE_URL: work.url };
  const runs = await Promise.all([1, 2, 3].map(() => captureProgram(parameters, settings)));
  for (const { exitCode, stderr } of runs) expect(exitCode).toBe(stderr === '' ? 0 : 1);
  return runs.map(({ stderr }) => stderr);
}

/** Evidence is kept, and the audit trail has ids. */
const kept = ['audit_entries', 'kept_evidence'];

test('D-63 a customer that is erased by several commands at once leaves nothing but evidence', async () => {
  const { work, customerId, number, traces } = await setUpMarkedFirm(onTestFinished);
  const erase = ['customer', 'erase', customerId, '--confirm', number, '--with-unread'];
  const errors = await runAtOnce(work, ...erase);
  expect(errors).toContain('');
  for (const error of errors.filter((each) => each !== ''))
    expect(error).toContain('There is no customer');
  await removeLater(work);
  const left = await rowsWith(work.knex, traces);
  expect([...left.keys()]).toEqual([...kept, 'firms', 'users'].toSorted());
  expect(left.get('kept_evidence')).toHaveLength(1);
  expect(await objectsWith(work.storage, traces)).toEqual([]);
});

test('D-63 a firm that is erased by several commands at once leaves nothing but evidence', {
  tags: 'long',
}, async () => {
  const { work, firmId, traces } = await setUpMarkedFirm(onTestFinished);
  const { knex } = work;
  await knex('firms').where({ id: firmId }).update({ disabled_on: new Date() });
  await knex('upload_grants').update('issued_on', new Date(Date.now() - 3_700_000));
  const errors = await runAtOnce(work, 'firm', 'erase', firmId, '--confirm', 'Kantoor Xqzfirm');
  expect(errors).toContain('');
  for (const error of errors.filter((each) => each !== ''))
    expect(error).toContain('There is no firm');
  await removeLater(work);
  const left = await rowsWith(knex, [...traces, firmId]);
  // Workers delete the queue of the firm.
  left.delete('graphile_worker._private_job_queues');
  expect([...left.keys()]).toEqual(kept);
  expect(left.get('kept_evidence')).toHaveLength(1);
  expect(await objectsWith(work.storage, [...traces, firmId])).toEqual([]);
});

test.each(['while', 'just after'])(
  'D-63 a delivery that is recorded %s its customer is erased leaves nothing that leads to the customer',
  async (moment) => {
    const work = await setUpUploads();
    const iban = newIban();
    const number = enterpriseNumber();
    const customerId = await work.create({ ibans: [iban] }, { enterprise_number: number });
    const linkIds = await work.knex('bank_accounts').pluck('id');
    await work.knex('customers').where({ id: customerId }).update({ archived_on: new Date() });
    const delivery = codaFile({ iban });
    const erase = (parts: Uploads) => eraseCustomer(parts, customerId, number);
    if (moment === 'while') {
      // Once the files are erased.
      let lists = 0;
      const erasing = withStore(work, {
        async *list(...parameters) {
          lists += 1;
          if (lists === 4) await work.deliver(delivery);
          yield* work.storage.store.list(...parameters);
        },
      });
      expect(await erase(erasing)).toMatchObject({ id: customerId });
    } else {
      const delivering = withStore(work, {
        async put(...parameters) {
          await work.storage.store.put(...parameters);
          expect(await erase(work)).toMatchObject({ id: customerId });
        },
      });
      expect(await work.deliver(delivery, delivering)).toMatchObject({ held: 1 });
    }
    await removeLater(work);
    // One that is recorded after the erasure is of no customer, like all that come later.
    const isHeld = moment === 'just after';
    expect(await work.knex('held_deliveries')).toMatchObject(
      isHeld ? [{ iban, bank_account_id: null }] : [],
    );
    expect(await objectsWith(work.storage, [iban])).toHaveLength(isHeld ? 1 : 0);
    const left = await rowsWith(work.knex, [customerId, number, iban, ...linkIds]);
    expect([...left.keys()]).toEqual(isHeld ? ['held_deliveries', 'uploads'] : []);
    expect([...(await rowsWith(work.knex, [customerId, number, ...linkIds])).keys()]).toEqual([]);
  },
);

test('D-63 a job of a customer that runs while the customer is erased does not keep the jobs of its firm from running', async () => {
  const work = await setUpUploads();
  const { knex } = work;
  const number = enterpriseNumber();
  const customerId = await work.create({ ibans: [newIban()] }, { enterprise_number: number });
  await knex('customers').where({ id: customerId }).update({ archived_on: new Date() });
  const [linkId] = await knex('bank_accounts').pluck('id');
  const enqueueRelease = (link: string) =>
    knex.transaction((trx) =>
      enqueue(trx, releaseJob({ firmId: work.principal.firmId, linkId: link })),
    );
  const [isRunning, goOn] = [signal(), signal()];
  const released: unknown[] = [];
  const { stop } = await startWorker({
    ...{ databaseUrl: work.url, logger: createLogger('silent'), drainMs: 1_000 },
    concurrency: 1,
    tasks: {
      releaseDeliveries: {
        async run(payload) {
          isRunning.give();
          await goOn.given;
          released.push(payload);
        },
      },
    },
  });
  onTestFinished(stop);
  await enqueueRelease(linkId);
  await isRunning.given;
  expect(await eraseCustomer(work, customerId, number)).toMatchObject({ id: customerId });
  await enqueueRelease('other');
  goOn.give();
  await expect
    .poll(() => released, { timeout: 10_000 })
    .toMatchObject([{ linkId }, { linkId: 'other' }]);
});
