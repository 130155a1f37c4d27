import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.js';
import { newIban } from '../../../../../test/support/numbers.js';
import { createCustomerStore } from '../../../src/customers/customer-store.js';
import { createCustomerMandates } from '../../../src/mandates/customer-mandates.js';
import { createMandateStore } from '../../../src/mandates/mandate-store.js';
import { viewSignatureRequest } from '../../../src/mandates/signing/answer-signature-request.js';
import { resendSignatureRequests } from '../../../src/mandates/signing/signature-requests.js';
import { refusal, startMailServer } from '../../mail/mail-server.js';
import { asAuthor } from '../../support/as-author.js';
import { answerAsShown } from '../answer-as-shown.js';
import { declined, openMailer, setUpMandates, signed } from '../set-up-mandates.js';
import { waitUntilBlocked } from '../wait-until-blocked.js';

const all = (status: string) => (statuses: readonly string[]) =>
  statuses.every((each) => each === status);

describe('D-14 a contact with another e-mail address', () => {
  it('gets pending requests, and the old link no longer works', async () => {
    const work = await setUpMandates();
    await work.startWorkers();
    const customerId = await work.create();
    await eventually(() => work.statuses(customerId), all('waitingForSigner'));
    const expiresOn = (await work.knex('signature_requests').first()).expires_on;
    const before = await work.mandates(customerId);
    work.passDays(1);
    await work.moveContact(customerId, 'bo@bakkerij.example');
    await work.runAll('request');
    const { delivered } = work.mailServer;
    expect(delivered.map(({ envelopeTo }) => envelopeTo)).toEqual([
      ...[['an@bakkerij.example'], ['bo@bakkerij.example']],
    ]);
    expect(delivered[1]?.mail.messageId).not.toBe(delivered[0]?.mail.messageId);
    expect(await viewSignatureRequest(work.knex, work.token(0), work.clock)).toMatchObject({
      state: 'withdrawn',
    });
    expect(await viewSignatureRequest(work.knex, work.token(1), work.clock)).toMatchObject({
      state: 'pending',
    });
    expect(await work.mandates(customerId)).toEqual(before);
    expect(await work.knex('signature_requests').first()).toMatchObject({
      ...{ sent_to: 'bo@bakkerij.example', expires_on: expiresOn },
    });
  });

  it('gets the new request if a mandate is requested again at the same time', async () => {
    const work = await setUpMandates();
    const customerId = await work.create({ ibans: [newIban()] });
    await work.knex('mandates').update({ status: 'expired' });
    const [{ id = '' } = {}] = await work.mandates(customerId);
    const mandates = createMandateStore(work.knex, () => work.clock);
    let requesting: Promise<unknown> | undefined;
    const customers = createCustomerStore(work.knex, {
      ...createCustomerMandates(),
      async contactEmailChanged() {
        requesting = mandates.request(asAuthor(work.principal), id);
        await waitUntilBlocked(work.knex);
      },
    });
    const contact_email = 'bo@bakkerij.example';
    await customers.update(asAuthor(work.principal), customerId, { contact_email });
    await requesting;
    const [mandate] = await work.mandates(customerId);
    await work.deliver(mandate?.signature_request_id ?? '');
    expect(work.mailServer.delivered.map(({ envelopeTo }) => envelopeTo)).toEqual([
      [contact_email],
    ]);
  });

  it.each([
    ['back again', 'an@bakkerij.example', 3],
    ['to the same address', 'bo@bakkerij.example', 2],
  ])(
    'whose address two calls change at once, the second %s, is asked once for each change',
    async (_, last, delivery) => {
      const work = await setUpMandates();
      const customerId = await work.create();
      const mandates = createCustomerMandates();
      const customers = createCustomerStore(work.knex, mandates);
      let second: Promise<unknown> | undefined;
      const first = createCustomerStore(work.knex, {
        ...mandates,
        async contactEmailChanged(trx, customer) {
          const change = { contact_email: last };
          second = customers.update(asAuthor(work.principal), customerId, change);
          await waitUntilBlocked(work.knex);
          await mandates.contactEmailChanged(trx, customer);
        },
      });
      await first.update(asAuthor(work.principal), customerId, {
        contact_email: 'bo@bakkerij.example',
      });
      await second;
      expect(await work.knex('signature_requests').first()).toMatchObject({ delivery });
      await work.deliver(await work.requestOf(customerId), { delivery });
      expect(work.mailServer.delivered.map(({ envelopeTo }) => envelopeTo)).toEqual([[last]]);
    },
  );

  it('gets another message if the address changes while the first is being sent, which then has no effect', async () => {
    const work = await setUpMandates();
    const customerId = await work.create();
    const requestId = await work.requestOf(customerId);
    const mailer = await openMailer(`smtp://127.0.0.1:${work.mailServer.port}`);
    await work.deliver(requestId, {
      mailer: {
        ...mailer,
        async send(message) {
          await mailer.send(message);
          await work.moveContact(customerId, 'bo@bakkerij.example');
        },
      },
    });
    expect(await work.statuses(customerId)).toEqual(['created', 'created']);
    await work.deliver(requestId, { delivery: 2 });
    expect(await work.statuses(customerId)).toEqual(['waitingForSigner', 'waitingForSigner']);
    expect(work.mailServer.delivered[1]?.envelopeTo).toEqual(['bo@bakkerij.example']);
  });

  it('gets another message if the address changes while the sending is being recorded', async () => {
    const work = await setUpMandates();
    const customerId = await work.create();
    const requestId = await work.requestOf(customerId);
    const mailer = await openMailer(`smtp://127.0.0.1:${work.mailServer.port}`);
    const trx = await work.knex.transaction();
    const delivering = work.deliver(requestId, {
      mailer: {
        ...mailer,
        async send(message) {
          await mailer.send(message);
          await trx('customers').update({ contact_email: 'bo@bakkerij.example' });
          await resendSignatureRequests(trx, { ...work.principal, customerId });
        },
      },
    });
    await waitUntilBlocked(work.knex);
    await trx.commit();
    await delivering;
    expect(await work.statuses(customerId)).toEqual(['created', 'created']);
    expect(await work.knex('signature_requests').first()).toMatchObject({ sent_on: null });
  });

  it.each(['signed', 'declined'] as const)('gets nothing that was %s already', async (answer) => {
    const work = await setUpMandates();
    const { customerId } = await work.ask();
    const given = answer === 'signed' ? signed : declined;
    await answerAsShown(work.knex, work.token(), given, work.clock);
    await work.moveContact(customerId, 'bo@bakkerij.example');
    expect(await work.knex('signature_requests').first()).toMatchObject({ delivery: 1 });
  });

  it.each(['expired', 'finished', 'waitingForBank'])('gets nothing that is %s', async (status) => {
    const work = await setUpMandates();
    const customerId = await work.create({ ibans: [newIban()] });
    await work.knex('mandates').update({ status });
    await work.moveContact(customerId, 'bo@bakkerij.example');
    expect(await work.knex('signature_requests').first()).toMatchObject({ delivery: 1 });
  });

  it('fails the mandates if the new address is refused', async () => {
    const server = await startMailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('bo@') ? refusal(550, 'No such user') : null),
    });
    const work = await setUpMandates(server);
    const { customerId, requestId } = await work.ask();
    await work.moveContact(customerId, 'bo@bakkerij.example');
    await work.deliver(requestId, { delivery: 2 });
    const codes = (await work.mandates(customerId)).map(({ error_code }) => error_code);
    expect(codes).toEqual(['recipientRefused', 'recipientRefused']);
  });

  it('gets all attempts again at an address to which mails failed before', async () => {
    const server = await startMailServer({
      onRcptTo: (_address, _session, done) => done(refusal(451, 'Later')),
    });
    const work = await setUpMandates(server);
    const customerId = await work.create({ ibans: [newIban()] });
    const requestId = await work.requestOf(customerId);
    for (const _ of [1, 2]) await expect(work.deliver(requestId)).rejects.toThrow('451');
    for (const name of ['bo', 'an']) await work.moveContact(customerId, `${name}@bakkerij.example`);
    for (const _ of [1, 2]) await expect(work.deliver(requestId)).rejects.toThrow('451');
    expect(await work.statuses(customerId)).toEqual(['created']);
    await work.deliver(requestId);
    expect(await work.statuses(customerId)).toEqual(['error']);
  });

  it('D-25 keeps what waits for the contact if the new address cannot be reached', async () => {
    let isMended = false;
    const server = await startMailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(
          isMended || address.startsWith('an@')
            ? null
            : refusal(554, '5.7.1 <bo@bakkerij.example>: Relay access denied'),
        ),
    });
    const work = await setUpMandates(server);
    const { customerId, requestId } = await work.ask();
    await work.moveContact(customerId, 'bo@bakkerij.example');
    const deliver = (isLast = false) =>
      work.deliver(requestId, { delivery: 2, attempt: { isLast } });
    for (let attempt = 0; attempt < 10; attempt += 1)
      await expect(deliver()).rejects.toThrow('554');
    await deliver(true);
    expect(await work.statuses(customerId)).toEqual(['waitingForSigner', 'waitingForSigner']);
    isMended = true;
    await deliver();
    const view = await viewSignatureRequest(work.knex, work.token(), work.clock);
    expect([server.delivered.length, view?.state]).toEqual([2, 'pending']);
  });
});

it.each([
  ['that the contact gets back', ['bo@bakkerij.example', 'an@bakkerij.example']],
  ['that changes only in upper and lower case', ['An@Bakkerij.example']],
])('D-36 an address %s gets no second mail, and its link works', async (_, addresses) => {
  const work = await setUpMandates();
  const { customerId, token } = await work.ask();
  const stateOf = async () => (await viewSignatureRequest(work.knex, token, work.clock))?.state;
  for (const address of addresses) {
    await work.moveContact(customerId, address);
    expect(await stateOf()).toBe(address.startsWith('bo') ? 'withdrawn' : 'pending');
  }
  await work.startWorkers();
  await work.runAll('request');
  expect(work.mailServer.delivered).toHaveLength(1);
  expect(await stateOf()).toBe('pending');
});

it('D-36 a mail to a changed address waits until the address has settled', async () => {
  const work = await setUpMandates();
  const customerId = await work.create();
  const before = Date.now();
  await work.moveContact(customerId, 'bo@bakkerij.example');
  const [first, second] = await work.queued('request');
  expect(first?.run_at.getTime()).toBeLessThanOrEqual(Date.now());
  expect(second?.run_at.getTime()).toBeGreaterThanOrEqual(before + 30_000);
});
