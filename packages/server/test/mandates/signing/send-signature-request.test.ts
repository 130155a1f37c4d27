import { describe, expect, it } from 'vitest';
import { openDatabaseProxy } from '../../../../../test/support/database-proxy.js';
import { eventually } from '../../../../../test/support/eventually.js';
import { newIban } from '../../../../../test/support/numbers.js';
import { createCustomerLinks } from '../../../src/customers/customer-links.js';
import { longDate } from '../../../src/dates/brussels-day.js';
import { MailRejected } from '../../../src/mail/message.js';
import { createCustomerMandates } from '../../../src/mandates/customer-mandates.js';
import { createMandateStore } from '../../../src/mandates/mandate-store.js';
import { viewSignatureRequest } from '../../../src/mandates/signing/answer-signature-request.js';
import { startMailServer } from '../../mail/mail-server.js';
import { asAuthor } from '../../support/as-author.js';
import { iban, newConnectedIban } from '../linked-customer.js';
import { openMailer, setUpMandates } from '../set-up-mandates.js';

const DAY = 86_400_000;

const all = (status: string) => (statuses: readonly string[]) =>
  statuses.every((each) => each === status);

describe('§4.5 a signature request', () => {
  it('is sent to the contact, and its mandates wait for 30 days', async () => {
    const work = await setUpMandates();
    await work.startWorkers();
    const customerId = await work.create({
      ibans: [newIban(), newConnectedIban()],
      providers: ['sdworx'],
    });
    await eventually(() => work.statuses(customerId), all('waitingForSigner'));
    const [delivered, ...others] = work.mailServer.delivered;
    expect(others).toEqual([]);
    expect(delivered?.envelopeTo).toEqual(['an@bakkerij.example']);
    const [request] = await work.knex('signature_requests');
    expect(request).toMatchObject({
      sent_on: work.clock,
      sent_to: 'an@bakkerij.example',
      expires_on: new Date(work.clock.getTime() + 30 * DAY),
      answer: null,
    });
    expect(await work.queued('endSigningPeriod')).toMatchObject([
      { key: `endSigningPeriod:${request.id}`, run_at: request.expires_on },
    ]);
    const view = await viewSignatureRequest(work.knex, work.token(), work.clock);
    expect(view).toMatchObject({ state: 'pending', request: { asked: { length: 3 } } });
  });

  it('names the end of the signing period that is recorded, although it took long to send', async () => {
    const work = await setUpMandates();
    const requestId = await work.requestOf(await work.create());
    const began = work.clock;
    const mailer = await openMailer(`smtp://127.0.0.1:${work.mailServer.port}`);
    const slow = {
      ...mailer,
      async send(mail: Parameters<typeof mailer.send>[0]) {
        await mailer.send(mail);
        work.passDays(1);
      },
    };
    await work.deliver(requestId, { mailer: slow });
    const request = await work.knex('signature_requests').first();
    expect(request.sent_on).toEqual(work.clock);
    expect(request.expires_on).toEqual(new Date(began.getTime() + 30 * DAY));
    const text = work.mailServer.delivered[0]?.mail.text;
    expect(text).toContain(longDate(request.expires_on, 'nl'));
  });

  it('D-36 is answered to the firm, if its address is known', async () => {
    const work = await setUpMandates();
    await work.ask();
    const firm = { name: 'Kantoor', email: 'info@kantoor.example', phone: '09 000 00 01' };
    await work.knex('firms').update(firm);
    await work.ask();
    const [silent, known] = work.mailServer.delivered.map(({ mail }) => mail);
    expect(silent?.replyTo).toBeUndefined();
    expect(known?.replyTo).toEqual([{ name: firm.name, address: firm.email }]);
    expect(known?.text).toContain(`${firm.email}\n${firm.phone}`);
  });

  it('contains only linked accounts and providers, and is not sent if there are none', async () => {
    const work = await setUpMandates();
    const [kept, ended] = [newIban(), newIban()];
    const customerId = await work.create({ ibans: [kept, ended] });
    const gone = await work.create({ ibans: [newIban()] });
    const links = createCustomerLinks(createCustomerMandates());
    const { principal } = work;
    await work.knex.transaction(async (trx) => {
      await links.end(trx, { customerId, principal }, { iban: iban(ended) });
      await links.end(trx, { customerId: gone, principal });
    });
    await work.startWorkers();
    await work.runAll('request');
    expect(work.mailServer.delivered).toHaveLength(1);
    const text = work.mailServer.delivered[0]?.mail.text?.replaceAll(/\s/g, '');
    expect(text).toContain(kept);
    expect(text).not.toContain(ended);
    expect(await work.statuses(customerId)).toEqual(['waitingForSigner', 'created']);
    expect(await work.statuses(gone)).toEqual(['created']);
  });

  it('is retried after the mail server was unavailable', async () => {
    const server = await startMailServer();
    const proxy = await openDatabaseProxy(`smtp://127.0.0.1:${server.port}`);
    const work = await setUpMandates(server, proxy.url);
    await proxy.cut();
    await work.startWorkers();
    const customerId = await work.create();
    const [job] = await eventually(
      () => work.queued('request'),
      ([job]) => job?.last_error != null,
    );
    expect(job?.attempts).toBe(1);
    expect(await work.statuses(customerId)).toEqual(['created', 'created']);
    await proxy.restore();
    await work.hurry(() => work.statuses(customerId), all('waitingForSigner'));
    await proxy.close();
    expect(server.delivered).toHaveLength(1);
  });

  it('D-25 stays sent, whatever a worker that was slower then finds out', async () => {
    const work = await setUpMandates();
    const customerId = await work.create();
    const requestId = await work.requestOf(customerId);
    const mailer = {
      async send() {
        await work.deliver(requestId);
        throw new MailRejected('550 5.1.1');
      },
      close() {},
    };
    await work.deliver(requestId, { mailer });
    expect(await work.statuses(customerId)).toEqual(['waitingForSigner', 'waitingForSigner']);
  });

  it('D-25 is the same message with the same link if sending fails after the mail server accepted it', async () => {
    const work = await setUpMandates();
    const customerId = await work.create();
    const mailer = await openMailer(`smtp://127.0.0.1:${work.mailServer.port}`);
    let deaths = 0;
    await work.startWorkers(1, {
      mailer: {
        ...mailer,
        async send(message) {
          await mailer.send(message);
          deaths += 1;
          if (deaths === 1) throw new Error('killed');
        },
      },
    });
    await work.hurry(() => work.statuses(customerId), all('waitingForSigner'));
    const [first, second, ...others] = work.mailServer.delivered;
    expect(others).toEqual([]);
    expect(second?.mail.messageId).toBe(first?.mail.messageId);
    expect(second?.mail.messageId).toMatch(/^<.+@adx\.example>$/);
    expect(work.token(1)).toBe(work.token(0));
    expect(await work.knex('signing_urls')).toHaveLength(1);
  });

  it('D-25 changes the status once if several workers send it at the same time', async () => {
    const work = await setUpMandates();
    const customerId = await work.create();
    const requestId = await work.requestOf(customerId);
    await Promise.all([1, 2, 3, 4].map(() => work.deliver(requestId)));
    expect(await work.statuses(customerId)).toEqual(['waitingForSigner', 'waitingForSigner']);
    const steps = await work.knex('mandate_history').where({ trigger: 'requestSent' });
    expect(steps).toHaveLength(2);
    expect(new Set(work.mailServer.delivered.map((_, place) => work.token(place))).size).toBe(1);
    expect(await work.queued('endSigningPeriod')).toHaveLength(1);
  });

  it('D-25 is not sent after the signing period, however late its job runs', async () => {
    const work = await setUpMandates();
    const { requestId } = await work.ask();
    work.passDays(30);
    await work.deliver(requestId);
    expect(work.mailServer.delivered).toHaveLength(1);
  });

  it('D-01 has a new link when requested again, and the old link no longer works', async () => {
    const work = await setUpMandates();
    const { customerId } = await work.ask({ ibans: [newIban()] });
    const [mandate] = await work.mandates(customerId);
    const id = mandate?.id ?? '';
    await work
      .knex('mandates')
      .where({ id })
      .update({ status: 'error', error_code: 'deliveryFailed', error_message: '-' });
    const store = createMandateStore(work.knex, () => work.clock);
    expect(await store.request(asAuthor(work.principal), id)).toMatchObject({ status: 'created' });
    await work.startWorkers();
    await eventually(() => work.statuses(customerId), all('waitingForSigner'));
    expect(work.mailServer.delivered).toHaveLength(2);
    expect(work.token(1)).not.toBe(work.token(0));
    const states = [0, 1].map((place) =>
      viewSignatureRequest(work.knex, work.token(place), work.clock),
    );
    expect(await Promise.all(states)).toMatchObject([{ state: 'withdrawn' }, { state: 'pending' }]);
  });
});
