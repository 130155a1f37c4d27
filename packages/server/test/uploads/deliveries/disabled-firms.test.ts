import { expect, test } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { setFirmDisabled } from '../../../src/identity/disable-firm.js';
import { createCoverage } from '../../../src/mandates/coverage.js';
import { deliveriesOfFirm } from '../../../src/mandates/disabled-firms.js';
import { scanUploads } from '../../../src/uploads/scan-uploads.js';
import { waitUntilBlocked } from '../../mandates/wait-until-blocked.js';
import { createSecondFirm, readDue } from '../reading/run-reading.js';
import { codaFile, codbFile, enterpriseNumber } from '../sample-files.js';
import { runReleaseJobs, setUpUploads, type Uploads } from '../set-up-uploads.js';

const setDisabled = (work: Uploads, isDisabled: boolean) =>
  setFirmDisabled(work.knex, deliveriesOfFirm, work.principal.firmId, isDisabled);

/** Creates a customer with a signed mandate for an account and one for a payroll provider. */
async function signedCustomer(work: Uploads) {
  const iban = newIban();
  const number = enterpriseNumber();
  const row = { enterprise_number: number };
  const customerId = await work.create({ ibans: [iban], providers: ['sdworx'] }, row);
  await work.setStatus(customerId, 'finished');
  return { iban, payroll: { enterpriseNumber: number, source: 'SD Worx' } };
}

test('D-60 deliveries for a disabled firm are held, and listed once it is enabled', async () => {
  const work = await setUpUploads();
  const { iban, payroll } = await signedCustomer(work);
  await setDisabled(work, true);
  expect(await work.deliver(codaFile({ iban }))).toMatchObject({ listed: 0, held: 1 });
  expect(await work.deliver(codbFile(payroll))).toMatchObject({ listed: 0, held: 1 });
  // A job from before, such as that of a mandate that was just signed, lists nothing.
  await setDisabled(work, false);
  await work.knex('firms').update({ disabled_on: new Date() });
  await runReleaseJobs(work);
  expect(await work.files()).toEqual([]);
  await setDisabled(work, false);
  await runReleaseJobs(work);
  expect(await work.files()).toHaveLength(2);
  expect(await work.knex('held_deliveries')).toEqual([]);
});

test.each([true, false])(
  'D-60 a delivery that is being recorded is complete before the firm is changed (disabled: %j)',
  async (isDisabled) => {
    const work = await setUpUploads();
    const { iban } = await signedCustomer(work);
    if (!isDisabled) await work.knex('firms').update({ disabled_on: new Date() });
    const coverage = createCoverage();
    let change: Promise<unknown> | undefined;
    const outcome = await work.deliver(codaFile({ iban }), {
      coverage: {
        ...coverage,
        async lockCoveredLinks(trx, links) {
          const covered = await coverage.lockCoveredLinks(trx, links);
          change ??= setDisabled(work, isDisabled);
          await waitUntilBlocked(work.knex);
          return covered;
        },
      },
    });
    await change;
    expect(outcome).toMatchObject(isDisabled ? { listed: 1, held: 0 } : { listed: 0, held: 1 });
    await runReleaseJobs(work);
    // A delivery that was held before the firm was enabled does not stay held.
    expect(await work.files()).toHaveLength(1);
  },
);

test('D-60 uploads of a disabled firm stay received until it is enabled, those of others are read', async () => {
  const work = await setUpUploads();
  const { iban } = await signedCustomer(work);
  const other = await createSecondFirm(work);
  await work.upload('CODA', 'a.cod', codaFile({ iban }));
  await other.upload('b.cod');
  // One was found before its firm was disabled, the other after.
  await scanUploads(work, work.now());
  await setDisabled(work, true);
  await work.upload('CODA', 'c.cod', codaFile({ iban, number: 2 }));
  await scanUploads(work, work.now());
  await readDue(work);
  expect(await work.files()).toMatchObject([{ firm_id: other.firmId }]);
  await scanUploads(work, work.now());
  expect(await work.knex('graphile_worker.jobs').where({ task_identifier: 'readUpload' })).toEqual(
    [],
  );
  await setDisabled(work, false);
  await scanUploads(work, work.now());
  await readDue(work);
  expect(await work.files()).toHaveLength(3);
});
