import { expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { reportStep } from '../../src/mandates/report-step.js';
import { requestAgain } from '../../src/mandates/signing/signature-requests.js';
import { setUpMandates } from './set-up-mandates.js';
import { waitUntilBlocked } from './wait-until-blocked.js';

async function returned(options: { readonly meanwhile: boolean }) {
  const work = await setUpMandates();
  const { knex, principal, clock: now } = work;
  const { customerId } = await work.ask({ ibans: [newIban(), newIban()] });
  const [{ id: mandateId = '' } = {}] = await work.mandates(customerId);
  const report = () =>
    reportStep(knex, { mandateId, trigger: 'deliveryFailed', actor: { kind: 'operator' }, now });
  if (!options.meanwhile) {
    await report();
    return work.statuses(customerId);
  }
  await knex('mandates').where({ id: mandateId }).update({ status: 'expired' });
  const trx = await knex.transaction();
  expect(await requestAgain(trx, principal, mandateId, now)).toBe('requested');
  const reporting = report();
  await waitUntilBlocked(knex);
  await trx.commit();
  await reporting;
  return work.statuses(customerId);
}

test('D-24 all mandates of a returned message fail together', async () => {
  expect(await returned({ meanwhile: false })).toEqual(['error', 'error']);
});

test('D-24 mandates of an earlier message do not fail with one that was requested again', async () => {
  expect(await returned({ meanwhile: true })).toEqual(['error', 'waitingForSigner']);
});
