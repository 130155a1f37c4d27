import { describe, expect, it, test } from 'vitest';
import { lockFirm } from '../../../src/db/firms.js';
import { createMandateStore } from '../../../src/mandates/mandate-store.js';
import { releaseRequests } from '../../../src/mandates/signing/due-mails.js';
import { asAuthor } from '../../support/as-author.js';
import { createLinkedCustomer, newPrincipal } from '../linked-customer.js';
import { type MandateSetUp, mailKeys, setUpMandates } from '../set-up-mandates.js';
import { waitUntilBlocked } from '../wait-until-blocked.js';
import { createCustomers, links, runJobs, sentRequests } from './request-mails.js';

const DAY = 86_400_000;

const waiting = (work: MandateSetUp) =>
  work
    .knex('outgoing_mails')
    .whereNotNull('waits_for')
    .orderBy('request_id')
    .select('request_id as id', 'waits_for as owner');

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
    await lockFirm(trx, work.principal.firmId);
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
    await lockFirm(locking, work.principal.firmId);
    const releases = Promise.all([release(), release()]);
    // Both have found the request, and one of them waits for the lock of its firm.
    await waitUntilBlocked(work.knex, 2);
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
