import { expect, test } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.js';
import { createLinkedCustomer, newPrincipal } from '../linked-customer.js';
import { type MandateSetUp, mailKeys, setUpMandates } from '../set-up-mandates.js';
import { createCustomers, links, runJobs, sentRequests } from './request-mails.js';

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
