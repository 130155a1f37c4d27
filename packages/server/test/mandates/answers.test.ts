import { describe, expect, it } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { createCustomerLinkStore } from '../../src/customers/customer-link-store.js';
import { createCustomerLinks } from '../../src/customers/customer-links.js';
import { createCustomerStore } from '../../src/customers/customer-store.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { resendSignatureRequests } from '../../src/mandates/signing/signature-requests.js';
import { endSigningPeriod } from '../../src/mandates/tasks.js';
import { asAuthor } from '../support/as-author.js';
import { answerAsShown } from './answer-as-shown.js';
import { iban, newConnectedIban } from './linked-customer.js';
import { type MandateSetUp, setUpMandates, signed } from './set-up-mandates.js';
import { waitUntilBlocked } from './wait-until-blocked.js';

const DAY = 86_400_000;

/** Creates a customer with a mandate of each kind, whose contact has the link. */
async function asked(work: MandateSetUp) {
  const ibans = [newIban(), newConnectedIban()] as const;
  const { customerId, requestId } = await work.ask({ ibans, providers: ['sdworx'] });
  return { customerId, requestId, token: work.token(), ibans };
}

/** Returns the token of a message that the worker has not recorded as sent. */
async function tokenBeforeRecord(work: MandateSetUp, customerId: string): Promise<string> {
  let text = '';
  const mailer = {
    async send(message: { readonly text: string }) {
      text = message.text;
      throw new Error('killed');
    },
    close() {},
  };
  const requestId = await work.requestOf(customerId);
  await expect(work.deliver(requestId, { mailer })).rejects.toThrow('killed');
  return /\/sign\/([\w-]{43})/.exec(text)?.[1] ?? '';
}

const disable = (work: MandateSetUp, customerId: string, text: string) =>
  work.knex.transaction((trx) =>
    createCustomerLinks(createCustomerMandates()).end(
      trx,
      { customerId, principal: work.principal },
      { iban: iban(text) },
    ),
  );

const answer = (work: MandateSetUp, token: string, given = signed) =>
  answerAsShown(work.knex, token, given, work.clock);

describe('D-24 the answer of the contact', () => {
  it('signed: each mandate takes the step of its kind, and the proof is stored', async () => {
    const work = await setUpMandates();
    const { customerId, requestId, token } = await asked(work);
    work.clock = new Date('2026-03-10T23:30:00.000Z');
    await work.knex('signature_requests').update({ expires_on: '2026-04-01' });
    expect(await answer(work, token)).toMatchObject({
      state: 'signed',
      request: { requestId, answer: 'signed' },
    });
    const mandates = await work.mandates(customerId);
    expect(mandates).toMatchObject([
      { status: 'waitingForBank', valid_until: null },
      // In Belgium it is the 11th.
      { status: 'finished', valid_until: '2026-09-07' },
      { status: 'waitingForPayrollProvider', valid_until: null },
    ]);
    expect(await work.knex('signature_requests').first()).toMatchObject({
      ...{ answer: 'signed', answered_on: work.clock, signer_name: 'An Peeters' },
      ...{ signer_address: '192.0.2.7', signer_user_agent: 'Browser/1' },
    });
    const proofs = await work.knex('asked_mandates');
    expect(proofs.map(({ is_answered }) => is_answered)).toEqual([true, true, true]);
    const steps = await work.knex('mandate_history').where({ trigger: 'signed' });
    expect(steps).toHaveLength(3);
    for (const step of steps) expect(step).toMatchObject({ actor: 'signer', actor_id: requestId });
  });

  it('counts before the message is recorded as sent, which then changes nothing', async () => {
    const work = await setUpMandates();
    const customerId = await work.create();
    const requestId = await work.requestOf(customerId);
    let recorded: unknown;
    await work.deliver(requestId, {
      mailer: {
        async send({ text }) {
          const [, token = ''] = /\/sign\/([\w-]{43})/.exec(text) ?? [];
          expect(await answer(work, token)).toMatchObject({ state: 'signed' });
          recorded = await work.knex('signature_requests').first();
        },
        close() {},
      },
    });
    expect(await work.statuses(customerId)).toEqual([
      ...['waitingForBank', 'waitingForPayrollProvider'],
    ]);
    expect(await work.knex('signature_requests').first()).toEqual(recorded);
    expect(recorded).toMatchObject({
      ...{ sent_on: work.clock, sent_to: 'an@bakkerij.example', answered_on: work.clock },
      expires_on: new Date(work.clock.getTime() + 30 * DAY),
    });
    const history = await work.knex('mandate_history').orderBy('id');
    expect(history.map(({ trigger }) => trigger)).toEqual([
      ...['linked', 'linked', 'requestSent', 'requestSent', 'signed', 'signed'],
    ]);
  });

  it('neither waits for nor blocks a change of the customer', async () => {
    const work = await setUpMandates();
    const customerId = await work.create();
    const token = await tokenBeforeRecord(work, customerId);
    const mandates = createCustomerMandates();
    const customers = createCustomerStore(work.knex, {
      ...mandates,
      async renamed(trx, id) {
        expect(await answer(work, token)).toMatchObject({ state: 'signed' });
        await mandates.renamed(trx, id);
      },
    });
    const changed = await customers.update(asAuthor(work.principal), customerId, {
      name: 'Bakkerij Bo',
    });
    expect(changed?.name).toBe('Bakkerij Bo');
  });

  it('does not wait for an account that is being added', async () => {
    const work = await setUpMandates();
    const customerId = await work.create();
    const token = await tokenBeforeRecord(work, customerId);
    const links = createCustomerLinkStore(work.knex, {
      ...createCustomerMandates(),
      async linked() {
        await answer(work, token);
      },
    });
    await links.addBankAccount(asAuthor(work.principal), customerId, iban(newIban()));
    expect(await work.knex('signature_requests').first()).toMatchObject({ answer: 'signed' });
  });

  it('applies only to accounts and providers that are still linked', async () => {
    const work = await setUpMandates();
    const { customerId, token, ibans } = await asked(work);
    await disable(work, customerId, ibans[0]);
    const view = await answer(work, token);
    expect(view).toMatchObject({ state: 'signed' });
    const proofs = await work.knex('asked_mandates').orderBy('mandate_id').pluck('is_answered');
    expect(proofs).toEqual([false, true, true]);
    expect(await work.statuses(customerId)).toEqual([
      ...['waitingForSigner', 'finished', 'waitingForPayrollProvider'],
    ]);
  });

  it('is refused if the last account is disabled at the same time', async () => {
    const work = await setUpMandates();
    const text = newIban();
    const { customerId } = await work.ask({ ibans: [text] });
    const trx = await work.knex.transaction();
    const links = createCustomerLinks(createCustomerMandates());
    await links.end(trx, { customerId, principal: work.principal }, { iban: iban(text) });
    const answering = answer(work, work.token());
    await waitUntilBlocked(work.knex);
    await trx.commit();
    expect(await answering).toMatchObject({ state: 'withdrawn' });
    expect(await work.knex('signature_requests').first()).toMatchObject({ answer: null });
  });

  it('is too late if the request goes to another address at the same time', async () => {
    const work = await setUpMandates();
    const { customerId, token } = await asked(work);
    const trx = await work.knex.transaction();
    await trx('customers').update({ contact_email: 'bo@bakkerij.example' });
    await resendSignatureRequests(trx, { ...work.principal, customerId });
    const answering = answer(work, token);
    await waitUntilBlocked(work.knex);
    await trx.commit();
    expect(await answering).toMatchObject({ state: 'withdrawn' });
    expect(await work.statuses(customerId)).toEqual(Array(3).fill('waitingForSigner'));
  });

  it('is too late after 30 days, whether or not the job has run', async () => {
    const work = await setUpMandates();
    const { customerId, requestId, token } = await asked(work);
    work.passDays(30);
    expect(await answer(work, token)).toMatchObject({ state: 'expired' });
    expect(await work.statuses(customerId)).toEqual(Array(3).fill('waitingForSigner'));
    await endSigningPeriod(work.knex, { firmId: work.principal.firmId, requestId }, work.clock);
    expect(await answer(work, token)).toMatchObject({ state: 'expired' });
    expect(await work.statuses(customerId)).toEqual(Array(3).fill('expired'));
    expect(await work.knex('signature_requests').first()).toMatchObject({ answer: null });
  });

  it('is in time until the last millisecond', async () => {
    const work = await setUpMandates();
    const { token } = await asked(work);
    work.clock = new Date(work.clock.getTime() + 30 * DAY - 1);
    expect(await answer(work, token)).toMatchObject({ state: 'signed' });
  });
});
