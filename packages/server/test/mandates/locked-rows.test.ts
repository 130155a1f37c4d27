import { expect, onTestFinished, test } from 'vitest';
import { offerRenewals } from '../../src/mandates/renewals.js';
import { releaseRequests, remindContacts } from '../../src/mandates/signing/due-mails.js';
import { createTestKnex } from '../support/knex-for-file.js';
import { consents, offeredOn } from './offered-renewals.js';
import { type MandateSetUp, setUpMandates } from './set-up-mandates.js';
import { waitUntilBlocked } from './wait-until-blocked.js';

/** Connections that do not wait long for a row, as those of a worker. */
function impatient(work: MandateSetUp) {
  const knex = createTestKnex(work.url, { poolSize: 2, lockTimeoutMs: 20 });
  onTestFinished(() => knex.destroy());
  return knex;
}

/** Locks a row, as a session that somebody left open in the middle of a change. */
async function lockRow(work: MandateSetUp, table: string, id: string) {
  const session = await work.knex.transaction();
  onTestFinished(async () => {
    if (!session.isCompleted()) await session.rollback();
  });
  await session(table).where({ id }).forNoKeyUpdate().first();
  return session;
}

const budgets = { customer: 10, firm: 5000, address: 100 };

test('D-24 a customer whose row cannot be locked does not delay the renewals of others, and is named in the error', async () => {
  const work = await setUpMandates();
  const stuck = await consents(work);
  const requestOf = (customerId: string) =>
    work.knex('signature_requests').where({ customer_id: customerId }).whereNotNull('renews_until');
  const other = await consents(work);
  work.clock = new Date(offeredOn);
  const session = await lockRow(work, 'customers', stuck);
  const worker = impatient(work);
  const offer = () => offerRenewals(worker, () => work.clock);
  await expect(offer()).rejects.toThrow(`customer ${stuck}`);
  expect(await requestOf(stuck)).toHaveLength(0);
  expect(await requestOf(other)).toHaveLength(1);
  await session.commit();
  await offer();
  expect(await requestOf(stuck)).toHaveLength(1);
  expect(await requestOf(other)).toHaveLength(1);
});

test('D-24 a consent that was renewed while its offer waited for a lock is not offered again', async () => {
  const work = await setUpMandates();
  const customerId = await consents(work);
  work.clock = new Date(offeredOn);
  const session = await lockRow(work, 'customers', customerId);
  const offering = offerRenewals(work.knex, () => work.clock);
  await waitUntilBlocked(work.knex);
  await session('mandates').update({ valid_until: '2027-03-01' });
  await session.commit();
  await offering;
  expect(await work.knex('mandates').whereNotNull('renewal_status')).toEqual([]);
});

test('D-25 a request whose row cannot be locked does not delay the reminders of others, and its customer is named in the error', async () => {
  const work = await setUpMandates();
  const [stuck, other] = [await work.create(), await work.create()];
  const [first, second] = [await work.requestOf(stuck), await work.requestOf(other)];
  for (const id of [first, second]) await work.deliver(id);
  work.passDays(7);
  const session = await lockRow(work, 'signature_requests', first);
  const worker = impatient(work);
  const remind = () => remindContacts(worker, budgets, () => work.clock);
  await expect(remind()).rejects.toThrow(`customer ${stuck}`);
  const keys = async () => (await work.queued('reminder')).map(({ key }) => key);
  expect(await keys()).toEqual([`sendMail:${second}.1.reminder.1`]);
  await session.commit();
  await remind();
  expect((await keys()).sort()).toEqual([first, second].map((id) => `sendMail:${id}.1.reminder.1`));
});

test('D-36 a request whose row cannot be locked does not delay those of other customers, and its customer is named in the error', async () => {
  const work = await setUpMandates();
  const [stuck, other] = [await work.create(), await work.create()];
  const [first, second] = [await work.requestOf(stuck), await work.requestOf(other)];
  const noneLeft = { mailBudgets: { ...budgets, customer: 0 } };
  for (const id of [first, second]) await work.deliver(id, noneLeft);
  await work.knex('graphile_worker._private_jobs').delete();
  const session = await lockRow(work, 'signature_requests', first);
  const worker = impatient(work);
  const release = () => releaseRequests(worker, budgets, () => work.clock);
  await expect(release()).rejects.toThrow(`customer ${stuck}`);
  // It is left to its job, which tries it again.
  const keys = (await work.queued('request')).map(({ key }) => key);
  expect(keys.sort()).toEqual([first, second].map((id) => `sendMail:${id}.1`));
  await session.commit();
  await work.deliver(first);
  expect(work.mailServer.delivered).toHaveLength(1);
});
