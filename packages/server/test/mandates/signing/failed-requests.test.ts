import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.js';
import { refusal, startMailServer } from '../../mail/mail-server.js';
import { setUpMandates } from '../set-up-mandates.js';

/** The default of `MAIL_ATTEMPTS`: almost five days. */
const mailAttempts = 28;

const all = (status: string) => (statuses: readonly string[]) =>
  statuses.every((each) => each === status);

describe('§4.5 a signature request', () => {
  it('fails when all attempts have failed', async () => {
    let attempts = 0;
    const server = await startMailServer({
      onRcptTo(_address, _session, done) {
        attempts += 1;
        done(refusal(451, 'Later'));
      },
    });
    const work = await setUpMandates(server);
    await work.startWorkers();
    const customerId = await work.create();
    await work.hurry(() => work.statuses(customerId), all('error'));
    expect(attempts).toBe(3);
    for (const mandate of await work.mandates(customerId)) {
      expect(mandate.error_code).toBe('deliveryFailed');
      expect(mandate.error_message).toMatch(/\S/);
      const history = await work
        .knex('mandate_history')
        .where({ mandate_id: mandate.id })
        .orderBy('id');
      expect(history.map(({ trigger }) => trigger)).toEqual(['linked', 'deliveryFailed']);
    }
    expect(
      await eventually(
        () => work.queued(),
        ({ length }) => length === 0,
      ),
    ).toEqual([]);
  });

  it('fails only because of the mail server, not because of attempts that ended otherwise', async () => {
    const work = await setUpMandates();
    const customerId = await work.create();
    const requestId = await work.requestOf(customerId);
    const mailer = { send: () => Promise.reject(new Error('Later')), close() {} };
    const fail = (number: number, isLast = false) =>
      work.deliver(requestId, { mailer, attempt: { number, isLast } });
    await expect(fail(9)).rejects.toThrow('Later');
    await expect(fail(20)).rejects.toThrow('Later');
    expect(await work.statuses(customerId)).toEqual(['created', 'created']);
    await fail(21);
    expect(await work.statuses(customerId)).toEqual(['error', 'error']);
  });

  it('fails when no attempt follows, and starts a new count for another address', async () => {
    const work = await setUpMandates();
    const customerId = await work.create();
    const requestId = await work.requestOf(customerId);
    const mailer = { send: () => Promise.reject(new Error('Later')), close() {} };
    await expect(work.deliver(requestId, { mailer })).rejects.toThrow('Later');
    expect(await work.knex('outgoing_mails').first()).toMatchObject({
      ...{ failures: 1, last_failure: 'Later', address: 'an@bakkerij.example' },
    });
    await work.moveContact(customerId, 'bo@bakkerij.example');
    expect(await work.knex('outgoing_mails').where({ delivery: 2 }).first()).toMatchObject({
      ...{ failures: 0, last_failure: null, address: null },
    });
    await work.deliver(requestId, { mailer, delivery: 2, attempt: { isLast: true } });
    expect(await work.statuses(customerId)).toEqual(['error', 'error']);
  });

  it('D-25 fails at once if the mail server refuses the mailbox', async () => {
    const server = await startMailServer({
      onRcptTo: (_address, _session, done) => done(refusal(550, '5.1.1 No such user')),
    });
    const work = await setUpMandates(server);
    await work.startWorkers();
    const customerId = await work.create();
    await eventually(() => work.statuses(customerId), all('error'));
    const codes = (await work.mandates(customerId)).map(({ error_code }) => error_code);
    expect(codes).toEqual(['recipientRefused', 'recipientRefused']);
    expect(server.connections()).toBe(1);
    const last_failure = 'The mail server rejected the recipient (550 5.1.1)';
    const mail = await work.knex('outgoing_mails').first();
    expect(mail).toMatchObject({ failures: 1, last_failure });
  });

  it.each([
    ['RCPT', '554 5.7.1 <an@bakkerij.example>: Relay access denied'],
    ['RCPT', '550 5.1.8 <adx@adx.example>: Sender address rejected: Domain not found'],
    ['RCPT', '553 5.7.1 <adx@adx.example>: Sender address rejected: not owned by user'],
    ['RCPT', '504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname'],
    ['RCPT', '550 relay not permitted'],
    ['MAIL', '550 5.1.1 <adx@adx.example>: Sender address rejected: User unknown'],
    ['DATA', '554 5.7.1 Spam'],
  ])('D-25 waits for a server that answers %s with %s, for days', async (command, reply) => {
    let isMended = false;
    const answer = (done: (error?: Error | null) => void) =>
      done(isMended ? null : refusal(Number(reply.slice(0, 3)), reply.slice(4)));
    const server = await startMailServer({
      ...(command === 'MAIL' && { onMailFrom: (_a, _s, done) => answer(done) }),
      ...(command === 'RCPT' && { onRcptTo: (_a, _s, done) => answer(done) }),
      ...(command === 'DATA' && {
        onData: (stream, _s, done) => void stream.on('end', () => answer(done)).resume(),
      }),
    });
    const work = await setUpMandates(server);
    const customerId = await work.create();
    const requestId = await work.requestOf(customerId);
    const deliver = () => work.deliver(requestId, { mailAttempts });
    for (let attempt = 1; attempt < mailAttempts; attempt += 1) {
      await expect(deliver()).rejects.toThrow(reply.slice(0, 3));
    }
    expect(await work.statuses(customerId)).toEqual(['created', 'created']);
    isMended = true;
    await deliver();
    expect(await work.statuses(customerId)).toEqual(['waitingForSigner', 'waitingForSigner']);
  });
});
