import { describe, expect, it, test } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.js';
import { createMandateStore } from '../../../src/mandates/mandate-store.js';
import { releaseRequests } from '../../../src/mandates/signing/due-mails.js';
import type { MailBudgets } from '../../../src/mandates/signing/mail-budgets.js';
import { asAuthor } from '../../support/as-author.js';
import { createLinkedCustomer, newPrincipal } from '../linked-customer.js';
import { type MandateSetUp, mailKeys, setUpMandates } from '../set-up-mandates.js';

const DAY = 86_400_000;

/** Links of one mandate. */
const links = { providers: ['sdworx'] };

/** Creates customers one minute apart, and returns their requests, oldest first. */
async function createCustomers(work: MandateSetUp, count: number): Promise<string[]> {
  const requests: string[] = [];
  for (let customer = 0; customer < count; customer += 1) {
    work.clock = new Date(work.clock.getTime() + 60_000);
    requests.push(await work.requestOf(await work.create(links)));
  }
  return requests;
}

const waiting = (work: MandateSetUp) =>
  work
    .knex('outgoing_mails')
    .whereNotNull('waits_for')
    .orderBy('request_id')
    .select('request_id as id', 'waits_for as owner');

const sentRequests = (work: MandateSetUp) =>
  work.mailServer.delivered.map(({ mail }) => /^<(\w+)\./.exec(mail.messageId ?? '')?.[1]);

/** Runs all jobs that send requests, until none is left. */
async function runJobs(work: MandateSetUp, mailBudgets: MailBudgets) {
  const jobs = work.knex('graphile_worker._private_jobs').whereRaw(mailKeys['request'] ?? '');
  const rows = await jobs.clone().orderBy('id').select('key');
  await jobs.clone().delete();
  for (const { key } of rows) {
    await work.send(key.replace('sendMail:', ''), { mailBudgets });
  }
}

describe('D-36 budgets of mails', () => {
  it('of a firm are never exceeded by many workers at once, and the other requests wait as created', async () => {
    const work = await setUpMandates();
    const requests = await createCustomers(work, 12);
    const mailBudgets = { customer: 10, firm: 5, address: 100 };
    // Opens the connections first, so that all begin at the same time.
    await Promise.all(requests.map(() => work.knex.raw('select pg_sleep(0.2)')));
    await Promise.all(requests.map((request) => work.deliver(request, { mailBudgets })));
    expect(work.mailServer.delivered).toHaveLength(5);
    expect(await waiting(work)).toHaveLength(7);
    const statuses = await work.knex('mandates').select('status');
    expect(statuses.filter(({ status }) => status === 'created')).toHaveLength(7);
    expect(statuses.filter(({ status }) => status === 'waitingForSigner')).toHaveLength(5);
  });

  it('let the oldest request go first, when they have room again', async () => {
    const work = await setUpMandates();
    const requests = await createCustomers(work, 5);
    const mailBudgets = { customer: 10, firm: 2, address: 100 };
    const release = () => releaseRequests(work.knex, mailBudgets, () => work.clock);
    await runJobs(work, mailBudgets);
    await release();
    await runJobs(work, mailBudgets);
    expect(sentRequests(work)).toEqual(requests.slice(0, 2));
    work.passDays(1);
    // There is room again, but older requests wait.
    const [latest = ''] = await createCustomers(work, 1);
    await work.deliver(latest, { mailBudgets });
    expect(sentRequests(work)).toHaveLength(2);
    await release();
    await runJobs(work, mailBudgets);
    expect(sentRequests(work)).toEqual(requests.slice(0, 4));
    work.passDays(1);
    await release();
    await runJobs(work, mailBudgets);
    expect(sentRequests(work)).toEqual([...requests, latest]);
    expect(await waiting(work)).toEqual([]);
  });

  it('of a firm do not delay other firms', async () => {
    const work = await setUpMandates();
    const requests = await createCustomers(work, 3);
    const mailBudgets = { customer: 10, firm: 1, address: 100 };
    for (const request of requests) await work.deliver(request, { mailBudgets });
    const other = await newPrincipal(work.knex);
    const customerId = await createLinkedCustomer(work.knex, other, links, () => work.clock);
    const trx = await work.knex.transaction();
    // Another worker is counting a mail of the first firm.
    await trx.raw('select from firms where id = ? for no key update', [work.principal.firmId]);
    const request = await work.requestOf(customerId);
    await work.deliver(request, { mailBudgets });
    await trx.rollback();
    expect(sentRequests(work)).toEqual([requests[0], request]);
  });

  it('of a customer let its other mails wait, but not those of other customers', async () => {
    const work = await setUpMandates();
    const mailBudgets = { customer: 2, firm: 100, address: 100 };
    const customerId = await work.create(links);
    const requestId = await work.requestOf(customerId);
    for (const [place, name] of ['an', 'bo', 'cy', 'dre'].entries()) {
      if (place > 0) await work.moveContact(customerId, `${name}@bakkerij.example`);
      await work.deliver(requestId, { delivery: place + 1, mailBudgets });
    }
    const other = await work.requestOf(await work.create(links));
    await work.deliver(other, { mailBudgets });
    expect(sentRequests(work)).toEqual([requestId, requestId, other]);
    expect(await waiting(work)).toEqual([{ id: requestId, owner: 'customer' }]);
    for (const [waited, mails] of [
      [DAY - 1, 3],
      [1, 4],
    ] as const) {
      work.clock = new Date(work.clock.getTime() + waited);
      await releaseRequests(work.knex, mailBudgets, () => work.clock);
      await runJobs(work, mailBudgets);
      expect(work.mailServer.delivered).toHaveLength(mails);
    }
    expect(work.mailServer.delivered.at(-1)?.envelopeTo).toEqual(['dre@bakkerij.example']);
  });

  it('count a mail once, however often it has to be sent', async () => {
    const work = await setUpMandates();
    const mailBudgets = { customer: 1, firm: 1, address: 100 };
    const requestId = await work.requestOf(await work.create(links));
    const mailer = { send: () => Promise.reject(new Error('Later')), close() {} };
    const failing = work.deliver(requestId, { mailBudgets, mailer });
    await expect(failing).rejects.toThrow('Later');
    await work.deliver(requestId, { mailBudgets });
    expect(sentRequests(work)).toEqual([requestId]);
  });

  it('send a waiting request once, if two processes release it at the same time', async () => {
    const work = await setUpMandates();
    const mailBudgets = { customer: 10, firm: 1, address: 100 };
    for (const request of await createCustomers(work, 2))
      await work.deliver(request, { mailBudgets });
    expect(await waiting(work)).toHaveLength(1);
    const jobs = () =>
      work.knex('graphile_worker._private_jobs').whereRaw(mailKeys['request'] ?? '');
    await jobs().delete();
    work.passDays(1);
    const release = () => releaseRequests(work.knex, mailBudgets, () => work.clock);
    const locking = await work.knex.transaction();
    await locking.raw('select from firms for update');
    const releases = Promise.all([release(), release()]);
    // Both have found the request, and one of them waits for the lock of its firm.
    const blocked = () =>
      work
        .knex('pg_stat_activity')
        .whereRaw("datname = current_database() and wait_event_type = 'Lock'")
        .pluck('pid');
    await expect.poll(blocked).toHaveLength(2);
    await locking.rollback();
    await releases;
    expect(await jobs().select('revision')).toEqual([{ revision: 0 }]);
  });

  it('of an address that is used up do not delay newer requests of a firm that has room again', async () => {
    const work = await setUpMandates();
    const mailBudgets = { customer: 10, firm: 1, address: 1 };
    const [first = '', second = '', third = ''] = await createCustomers(work, 3);
    const { customer_id } = await work.knex('signature_requests').where({ id: second }).first();
    const stranger = { contact_email: 'stranger@elsewhere.example' };
    await work.knex('customers').where({ id: customer_id }).update(stranger);
    await runJobs(work, mailBudgets);
    work.passDays(1);
    const other = await newPrincipal(work.knex);
    const id = await createLinkedCustomer(work.knex, other, links, () => work.clock);
    await work.knex('customers').where({ id }).update(stranger);
    const request = await work.requestOf(id);
    await work.deliver(request, { mailBudgets });
    await releaseRequests(work.knex, mailBudgets, () => work.clock);
    await runJobs(work, mailBudgets);
    expect(sentRequests(work)).toEqual([first, request, third]);
    expect(await waiting(work)).toEqual([{ id: second, owner: 'address' }]);
  });

  it('do not let a request wait that no longer needs a mail', async () => {
    const work = await setUpMandates();
    const mailBudgets = { customer: 10, firm: 1, address: 100 };
    const [first = '', second = '', third = ''] = await createCustomers(work, 3);
    for (const request of [first, second, third]) await work.deliver(request, { mailBudgets });
    await work
      .knex('mandates')
      .where({ signature_request_id: second })
      .update({
        ...{ status: 'error', error_code: 'deliveryFailed', error_message: '-' },
      });
    work.passDays(1);
    await releaseRequests(work.knex, mailBudgets, () => work.clock);
    await runJobs(work, mailBudgets);
    expect(sentRequests(work)).toEqual([first, third]);
    expect(await waiting(work)).toEqual([]);
  });

  it('hold for requests that are made again', async () => {
    const work = await setUpMandates();
    const mailBudgets = { customer: 1, firm: 100, address: 100 };
    const customerId = await work.create(links);
    await work.deliver(await work.requestOf(customerId), { mailBudgets });
    const [mandate = expect.fail()] = await work.mandates(customerId);
    await work.knex('mandates').update({ status: 'expired' });
    const store = createMandateStore(work.knex, () => work.clock);
    await store.request(asAuthor(work.principal), mandate.id);
    await runJobs(work, mailBudgets);
    expect(await work.statuses(customerId)).toEqual(['created']);
    expect(await waiting(work)).toMatchObject([{ owner: 'customer' }]);
  });

  it('do not let others wait for a mail to an address that has changed meanwhile', async () => {
    const work = await setUpMandates();
    const customerId = await work.create(links);
    const requestId = await work.requestOf(customerId);
    const failing = { mailer: { send: () => Promise.reject(new Error('Later')), close() {} } };
    await expect(work.deliver(requestId, failing)).rejects.toThrow('Later');
    await work.knex('firms').update({ disabled_on: work.clock });
    await work.deliver(requestId);
    expect(await waiting(work)).toEqual([{ id: requestId, owner: 'firm' }]);
    await work.knex('firms').update({ disabled_on: null });
    await work.moveContact(customerId, 'bo@bakkerij.example');
    expect(await waiting(work)).toEqual([]);
    const [other = ''] = await createCustomers(work, 1);
    await work.deliver(other);
    expect(sentRequests(work)).toEqual([other]);
  });

  it('of an address hold for all customers and firms, in any spelling, also for many workers at once', async () => {
    const work = await setUpMandates();
    const mailBudgets = { customer: 10, firm: 100, address: 3 };
    const requests: string[] = [];
    for (let firm = 0; firm < 4; firm += 1) {
      const principal = await newPrincipal(work.knex);
      for (const spelling of ['A.N@GoogleMail.com', 'an+3@gmail.com']) {
        const id = await createLinkedCustomer(work.knex, principal, links, () => work.clock);
        await work.knex('customers').where({ id }).update({ contact_email: spelling });
        requests.push(await work.requestOf(id));
      }
    }
    const other = await work.requestOf(await work.create(links));
    await Promise.all(requests.map(() => work.knex.raw('select pg_sleep(0.2)')));
    await Promise.all(requests.map((request) => work.deliver(request, { mailBudgets })));
    expect(work.mailServer.delivered).toHaveLength(3);
    expect(new Set((await waiting(work)).map(({ owner }) => owner))).toEqual(new Set(['address']));
    await work.moveContact(
      (await work.knex('signature_requests').where({ id: other }).first()).customer_id,
      'bo@slagerij.example',
    );
    await work.deliver(other, { delivery: 2, mailBudgets });
    expect(work.mailServer.delivered.at(-1)?.envelopeTo).toEqual(['bo@slagerij.example']);
    await releaseRequests(work.knex, mailBudgets, () => work.clock);
    await runJobs(work, mailBudgets);
    expect(work.mailServer.delivered).toHaveLength(4);
    work.passDays(1);
    await releaseRequests(work.knex, mailBudgets, () => work.clock);
    await runJobs(work, mailBudgets);
    expect(work.mailServer.delivered).toHaveLength(7);
  });
});

test('D-36 addresses that a provider delivers to one mailbox share its budget, and no others', async () => {
  const { knex } = await setUpMandates();
  const mailboxes = {
    'janp@gmail.com': [
      'jan.p@gmail.com',
      'J.A.N.P@GoogleMail.com',
      'jan.p+adx@googlemail.com',
      'janp@gmail.com.',
    ],
    'jan@outlook.com': ['JAN@Outlook.com', 'jan+adx@outlook.com', 'jan+a+b@outlook.com'],
    'ja.n@outlook.com': ['ja.n+1@outlook.com'],
    'jan@icloud.com': ['jan@me.com', 'jan+x@mac.com'],
    'janp@proton.me': ['jan.p@protonmail.com', 'jan-p@pm.me', 'jan_p+1@proton.me'],
    'jan.p@bakkerij.example': ['jan.p+gmail.com@bakkerij.example'],
    'jan.p@gmail.com.example': ['Jan.P@gmail.com.example'],
    'jan.p@notgmail.com': ['jan.p+@notgmail.com'],
    'jan@xn--bcker-gra.example': ['jan+1@XN--BCKER-GRA.example'],
    '+jan@x.example': ['+jan@x.example'],
  };
  for (const [mailbox, addresses] of Object.entries(mailboxes)) {
    const { rows } = await knex.raw(
      'select mailbox_of(address) as of from unnest(?::text[]) address',
      [[mailbox, ...addresses]],
    );
    expect(rows).toEqual([mailbox, ...addresses].map(() => ({ of: mailbox })));
  }
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
