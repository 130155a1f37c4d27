import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.js';
import { newObjectId } from '../../../src/identifiers/object-id.js';
import { releaseRequests } from '../../../src/mandates/signing/due-mails.js';
import { createLinkedCustomer, newPrincipal } from '../linked-customer.js';
import { type MandateSetUp, mailKeys, setUpMandates } from '../set-up-mandates.js';
import { createCustomers, links, runJobs, sentRequests } from './request-mails.js';

test('D-36 at most 50 waiting requests of a firm are released at once, the oldest first in the queue', async () => {
  const work = await setUpMandates();
  const { knex, clock } = work;
  const waiting = () => knex('outgoing_mails').whereNotNull('waits_for').pluck('request_id');
  const first = await work.requestOf(await work.create());
  work.clock = new Date(clock.getTime() + 1000);
  const second = await work.requestOf(await work.create());
  await knex('outgoing_mails').update({ waits_for: 'firm' });
  await knex('graphile_worker._private_jobs').delete();
  const { customer_id, firm_id } = await knex('signature_requests').first();
  // Requests without mandates, which are released without a message.
  const others = Array.from({ length: 49 }, (_, place) => ({
    ...{ id: newObjectId(), customer_id, firm_id },
    created_on: new Date(clock.getTime() + 2000 + place),
  }));
  await knex('signature_requests').insert(others);
  await knex('outgoing_mails').insert(
    others.map(({ id }) => ({
      ...{
        id: `${id}.1`,
        kind: 'request',
        request_id: id,
        customer_id,
        firm_id,
        waits_for: 'firm',
      },
    })),
  );
  const budgets = { customer: 10, firm: 100, address: 100 };
  await releaseRequests(knex, budgets, () => work.clock);
  expect(await waiting()).toEqual([others[48]?.id]);
  const jobs = await knex('graphile_worker.jobs').orderBy('priority').select('key', 'priority');
  expect(jobs).toEqual([
    { key: `sendMail:${first}.1`, priority: 0 },
    { key: `sendMail:${second}.1`, priority: 1 },
  ]);
});

test('D-36 a waiting request that cannot be released does not delay the later ones of its firm, and the operator sees why', async () => {
  const work = await setUpMandates();
  const { knex, clock } = work;
  const customerIds: string[] = [];
  for (const seconds of [1, 2, 3]) {
    work.clock = new Date(clock.getTime() + seconds * 1000);
    customerIds.push(await work.create({ providers: ['sdworx'] }));
  }
  const [failing = '', ...others] = await Promise.all(customerIds.map(work.requestOf));
  await knex('outgoing_mails').update({ waits_for: 'firm' });
  await knex('graphile_worker._private_jobs').delete();
  await knex.raw(
    `alter table outgoing_mails add constraint unacceptable
       check (request_id <> '${failing}' or allowed_on is null)`,
  );
  onTestFinished(() => knex.raw('alter table outgoing_mails drop constraint unacceptable'));
  const budgets = { customer: 10, firm: 100, address: 100 };
  const release = releaseRequests(knex, budgets, () => work.clock);
  await expect(release).rejects.toThrow(`customer ${customerIds[0]}`);
  expect((await work.queued()).map(({ key }) => key).sort()).toEqual(
    [failing, ...others].map((id) => `sendMail:${id}.1`),
  );
  const sent = knex('outgoing_mails').orderBy('request_id');
  expect(await sent.select('waits_for', 'last_failure')).toEqual([
    { waits_for: null, last_failure: expect.stringContaining('unacceptable') },
    { waits_for: null, last_failure: null },
    { waits_for: null, last_failure: null },
  ]);
});

test('D-60 a request of a disabled firm waits, also one that was counted but not sent, and is sent once the firm is enabled', async () => {
  const work = await setUpMandates();
  const { knex } = work;
  const sent = () => work.mailServer.delivered.length;
  const release = () =>
    releaseRequests(knex, { customer: 10, firm: 100, address: 100 }, () => work.clock);
  const [counted, fresh] = [
    await work.requestOf(await work.create()),
    await work.requestOf(await work.create()),
  ];
  const failure = { mailer: { send: () => Promise.reject(new Error('no')), close: () => {} } };
  await expect(work.deliver(counted, failure)).rejects.toThrow('no');
  await knex('firms').update({ disabled_on: work.clock });
  for (const requestId of [counted, fresh]) await work.deliver(requestId);
  await release();
  expect(sent()).toBe(0);
  expect(await knex('outgoing_mails').pluck('waits_for')).toEqual(['firm', 'firm']);
  await knex('firms').update({ disabled_on: null });
  await knex('graphile_worker._private_jobs').delete();
  await release();
  expect(await knex('outgoing_mails').pluck('waits_for')).toEqual([null, null]);
  expect((await work.queued('request')).map(({ key }) => key).sort()).toEqual(
    [counted, fresh].map((id) => `sendMail:${id}.1`).sort(),
  );
  for (const requestId of [counted, fresh]) await work.deliver(requestId);
  expect(sent()).toBe(2);
});

test('D-38 the mails of a firm that requests many signatures at once do not delay those of others', async () => {
  const work = await setUpMandates();
  await createCustomers(work, 6);
  const other = await newPrincipal(work.knex);
  const customerId = await createLinkedCustomer(work.knex, other, links, () => work.clock);
  const request = await work.requestOf(customerId);
  await work.startWorkers();
  await eventually(
    async () => work.mailServer.delivered,
    (mails) => mails.length === 7,
  );
  // Two mails are sent at once.
  expect(sentRequests(work).slice(0, 3)).toContain(request);
});

const priorities = (work: MandateSetUp) =>
  work
    .knex('graphile_worker._private_jobs')
    .whereRaw(mailKeys['request'] ?? '')
    .orderBy('id')
    .pluck<number[]>('priority');

test('D-38 requests that no longer need a mail, or wait for a budget, do not delay later ones', async () => {
  const work = await setUpMandates();
  const [answered, undelivered, waitsForBudget] = await createCustomers(work, 3);
  const answer = { answer: 'declined', answered_on: work.clock };
  const evidence = {
    ...{ request_id: answered, firm_id: work.principal.firmId },
    ...{ content: '{}\n', sha256: Buffer.alloc(32) },
  };
  await work.knex('signature_evidence').insert(evidence);
  await work.knex('signature_requests').where({ id: answered }).update(answer);
  await work
    .knex('mandates')
    .where({ signature_request_id: undelivered })
    .update({ status: 'error', error_code: 'deliveryFailed', error_message: '-' });
  const waits = { waits_for: 'customer' };
  await work.knex('outgoing_mails').where({ request_id: waitsForBudget }).update(waits);
  await work.knex('graphile_worker._private_jobs').delete();
  await createCustomers(work, 2);
  expect(await priorities(work)).toEqual([0, 1]);
});

test('D-38 mails to changed addresses take turns with those of other firms too', async () => {
  const work = await setUpMandates();
  const requests = await createCustomers(work, 3);
  await runJobs(work, { customer: 10, firm: 100, address: 100 });
  const rows = await work.knex('signature_requests').whereIn('id', requests).orderBy('id');
  for (const { customer_id } of rows) await work.moveContact(customer_id, 'bo@bakkerij.example');
  expect(await priorities(work)).toEqual([0, 1, 2]);
});
