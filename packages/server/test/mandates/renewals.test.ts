import type { Knex } from 'knex';
import { describe, expect, it } from 'vitest';
import { createConsents } from '../../src/mandates/consents.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { createMandateStore } from '../../src/mandates/mandate-store.js';
import { offerRenewals } from '../../src/mandates/renewals.js';
import { reportStep } from '../../src/mandates/report-step.js';
import { viewSignatureRequest } from '../../src/mandates/signing/answer-signature-request.js';
import { remindContacts } from '../../src/mandates/signing/due-reminders.js';
import { endSigningPeriod, endValidity } from '../../src/mandates/tasks.js';
import { answerAsShown } from './answer-as-shown.js';
import { newConnectedIban } from './linked-customer.js';
import { declined, type MandateSetUp, setUpMandates, signed } from './set-up-mandates.js';

/** Signed on 10 March 2026, so valid until 6 September: its renewal is offered from 23 August on. */
const signedOn = '2026-03-10T10:00:00.000Z';
const offeredOn = '2026-08-22T22:00:00.000Z';
const ends = '2026-09-06T22:00:00.000Z';

async function consents(work: MandateSetUp, count = 1) {
  work.clock = new Date(signedOn);
  const customerId = await work.create({ ibans: Array.from({ length: count }, newConnectedIban) });
  await work.deliver(await work.requestOf(customerId));
  await answerAsShown(work.knex, work.token(), signed, work.clock);
  return customerId;
}

const offer = (work: MandateSetUp) => offerRenewals(work.knex, () => work.clock);
const answer = (work: MandateSetUp, given = signed) =>
  answerAsShown(work.knex, work.token(), given, work.clock);

/** Offers the renewals that are due and sends their latest request, whose id is returned. */
async function offerAndSend(work: MandateSetUp, at = offeredOn): Promise<string> {
  work.clock = new Date(at);
  await offer(work);
  const request = await work.knex('signature_requests').orderBy('id', 'desc').first();
  await work.deliver(request.id);
  return request.id;
}

/** A customer whose contact has the request to renew its consent, with its mandate as the interface shows it. */
async function asked(work: MandateSetUp) {
  const customerId = await consents(work);
  const requestId = await offerAndSend(work);
  const id = (await work.mandates(customerId))[0]?.id ?? '';
  const shown = () => createMandateStore(work.knex, () => work.clock).get(work.principal, id);
  const isCovered = async () => {
    const { bank_account_id: link } = await work.knex('mandates').where({ id }).first();
    const { coveredLinks } = createConsents(() => work.clock);
    return (await coveredLinks(work.knex, [link])).has(link);
  };
  const history = async () =>
    (await work.knex('mandate_history').where({ mandate_id: id }).orderBy('id')).map(
      ({ trigger, to_status }) => `${trigger} ${to_status}`,
    );
  return { customerId, requestId, id, shown, isCovered, history };
}

describe('D-24 the renewal of a consent', () => {
  it('is offered 14 days before it ends, once, in one message for all that end together', async () => {
    const work = await setUpMandates();
    const customerId = await consents(work, 2);
    work.clock = new Date(Date.parse(offeredOn) - 1);
    await offer(work);
    expect(await work.knex('signature_requests')).toHaveLength(1);
    work.clock = new Date(offeredOn);
    await Promise.all([offer(work), offer(work), offer(work)]);
    await offer(work);
    const requests = await work.knex('signature_requests').orderBy('id');
    expect(requests.map(({ renews_until }) => renews_until)).toEqual([null, '2026-09-06']);
    expect(await work.queued('sendRenewalRequest')).toHaveLength(1);
    await work.deliver(requests[1].id);
    const { mail } = work.mailServer.delivered[1] ?? {};
    expect(mail?.subject).toMatch(/vernieuwen|renouveler|erneuern|renew/);
    const mandates = await work.mandates(customerId);
    for (const { iban } of mandates) {
      expect(mail?.text).toContain(iban?.replace(/(.{4})(?=.)/g, '$1 '));
    }
  });

  it('leaves it finished and its files delivered; signed in time it is valid for 180 days more', async () => {
    const work = await setUpMandates();
    const { id, shown, isCovered, history } = await asked(work);
    expect(await shown()).toMatchObject({
      ...{ status: 'finished', renewal: 'offered', validUntil: '2026-09-06' },
    });
    expect(await isCovered()).toBe(true);
    work.clock = new Date(Date.parse(ends) - 1);
    const before = await shown();
    expect(await answer(work)).toMatchObject({ state: 'signed' });
    const after = await shown();
    expect(after).toMatchObject({ status: 'finished', validUntil: '2027-03-05' });
    expect(after).not.toHaveProperty('renewal');
    expect(Date.parse(after?.updatedOn ?? '')).toBeGreaterThan(Date.parse(before?.updatedOn ?? ''));
    expect(await work.queued('endValidity')).toMatchObject([
      { run_at: new Date('2027-03-05T23:00:00.000Z') },
    ]);
    work.clock = new Date(ends);
    await endValidity(work.knex, id, work.clock);
    expect(await isCovered()).toBe(true);
    expect(await history()).toEqual([
      ...['linked created', 'requestSent waitingForSigner', 'signed finished'],
      ...['renewalOffered renewalOffered', 'signed finished'],
    ]);
    // It is offered again before the next end.
    await offerAndSend(work, '2027-02-19T12:00:00.000Z');
    expect(await shown()).toMatchObject({ renewal: 'offered', validUntil: '2027-03-05' });
  });

  it('unanswered: it ends on its day, and so does the link', async () => {
    const work = await setUpMandates();
    const { id, requestId, shown, isCovered } = await asked(work);
    expect(await work.knex('signature_requests').where({ id: requestId }).first()).toMatchObject({
      expires_on: new Date(ends),
    });
    work.clock = new Date(ends);
    // The contact is faster than the job.
    expect(await answer(work)).toMatchObject({ state: 'expired' });
    expect(await isCovered()).toBe(false);
    await Promise.all([
      endValidity(work.knex, id, work.clock),
      endSigningPeriod(work.knex, requestId, work.clock),
    ]);
    expect(await shown()).toMatchObject({ status: 'renewalRequired', validUntil: '2026-09-06' });
    expect(await shown()).not.toHaveProperty('renewal');
    expect(await answer(work)).toMatchObject({ state: 'expired' });
  });

  it('declined: it ends on its day, unless the firm asks again and the contact signs', async () => {
    const work = await setUpMandates();
    const { customerId, id, shown, isCovered } = await asked(work);
    expect(await answer(work, declined)).toMatchObject({ state: 'declined' });
    expect(await shown()).toMatchObject({ status: 'finished', renewal: 'declined' });
    expect(await isCovered()).toBe(true);
    await offer(work);
    const store = createMandateStore(work.knex, () => work.clock);
    expect(await store.request(work.principal, id)).toMatchObject({
      ...{ status: 'finished', renewal: 'offered', validUntil: '2026-09-06' },
    });
    expect(await store.request(work.principal, id)).toBe('notRequestable');
    const requests = await work.knex('signature_requests').orderBy('id');
    expect(requests).toHaveLength(3);
    await work.deliver(requests[2].id);
    await answer(work, declined);
    await endValidity(work.knex, id, new Date(ends));
    expect(await work.statuses(customerId)).toEqual(['renewalRequired']);
  });

  it('that cannot be delivered is shown, ends on its day, and can be asked again', async () => {
    const work = await setUpMandates();
    const { id, shown, isCovered } = await asked(work);
    const report = {
      mandateId: id,
      trigger: 'deliveryFailed',
      actor: { kind: 'operator' },
    } as const;
    expect(await reportStep(work.knex, { ...report, now: work.clock })).toEqual([
      { id, from: 'renewalOffered', to: 'renewalUndeliverable' },
    ]);
    expect(await shown()).toMatchObject({ status: 'finished', renewal: 'undeliverable' });
    expect(await shown()).not.toHaveProperty('error');
    expect(await isCovered()).toBe(true);
    expect((await viewSignatureRequest(work.knex, work.token(), work.clock))?.state).toBe(
      'withdrawn',
    );
    const store = createMandateStore(work.knex, () => work.clock);
    expect(await store.request(work.principal, id)).toMatchObject({ renewal: 'offered' });
  });

  it('is not signed for an account that was disabled, nor offered for it', async () => {
    const work = await setUpMandates();
    const { id } = await asked(work);
    await work.knex('mandates').where({ id }).update({ closed_on: work.clock });
    expect(await answer(work)).toMatchObject({ state: 'withdrawn' });
    await work.knex('mandates').where({ id }).update({ renewal_status: null });
    await offer(work);
    expect(await work.knex('signature_requests')).toHaveLength(2);
  });

  it('is answered once, by however many tabs at the same time', async () => {
    const work = await setUpMandates();
    const { history } = await asked(work);
    const views = await Promise.all(
      [signed, declined, signed, declined].map((given) => answer(work, given)),
    );
    expect(new Set(views.map((view) => view?.state)).size).toBe(1);
    const answers = (await history()).filter((entry) => /^(signed|declined)/.test(entry));
    // The first is that of the consent itself.
    expect(answers).toHaveLength(2);
  });

  it('follows the contact to another address, and the first link stops working', async () => {
    const work = await setUpMandates();
    const { customerId, requestId, shown } = await asked(work);
    const first = work.token();
    await work.moveContact(customerId, 'bo@bakkerij.example');
    await work.deliver(requestId, { delivery: 2 });
    expect(work.mailServer.delivered.at(-1)?.envelopeTo).toEqual(['bo@bakkerij.example']);
    expect((await viewSignatureRequest(work.knex, first, work.clock))?.state).toBe('withdrawn');
    await answer(work);
    expect(await shown()).toMatchObject({ validUntil: '2027-02-19' });
  });

  it('is reminded of after 7 days, and not after its end', async () => {
    const work = await setUpMandates();
    const { history } = await asked(work);
    const budgets = { customer: 10, firm: 10, address: 10 };
    for (const [at, reminders] of [
      ['2026-08-29T22:00:00.000Z', 1],
      ['2026-09-06T22:00:00.000Z', 1],
    ] as const) {
      work.clock = new Date(at);
      await remindContacts(work.knex, budgets, () => work.clock);
      expect(await work.queued('sendReminder')).toHaveLength(reminders);
    }
    work.clock = new Date('2026-08-29T22:00:00.000Z');
    const requestId = (await work.knex('signature_requests').orderBy('id', 'desc').first()).id;
    await work.sendReminder({ requestId, delivery: 1, reminder: 1 });
    expect((await history()).at(-1)).toBe('reminded renewalOffered');
  });

  it('is offered even if the workers stood still, and not after the end', async () => {
    const work = await setUpMandates();
    await consents(work);
    work.clock = new Date(ends);
    await offer(work);
    expect(await work.knex('signature_requests')).toHaveLength(1);
    work.clock = new Date(Date.parse(ends) - 1);
    await offer(work);
    expect(await work.knex('signature_requests')).toHaveLength(2);
  });

  it('survives answers, reminders, address changes, requests and its end at the same time', async () => {
    const work = await setUpMandates();
    const budgets = { customer: 100, firm: 100, address: 100 };
    for (let round = 0; round < 8; round += 1) {
      const { customerId, requestId, id } = await asked(work);
      const token = work.token();
      work.clock = new Date('2026-08-30T10:00:00.000Z');
      const store = createMandateStore(work.knex, () => work.clock);
      const { bank_account_id } = await work.knex('mandates').where({ id }).first();
      const disable = (trx: Knex.Transaction) =>
        createCustomerMandates().unlinked(trx, {
          ...{ customerId, principal: work.principal },
          ...{ bankAccountIds: [bank_account_id], payrollLinkIds: [] },
        });
      await Promise.all([
        answerAsShown(work.knex, token, signed, work.clock),
        answerAsShown(work.knex, token, declined, work.clock),
        remindContacts(work.knex, budgets, () => work.clock),
        work.sendReminder({ requestId, delivery: 1, reminder: 1 }),
        work.deliver(requestId),
        work.moveContact(customerId, `bo${round}@bakkerij.example`),
        offer(work),
        store.request(work.principal, id),
        round % 2 === 0 ? endValidity(work.knex, id, new Date(ends)) : undefined,
        round % 4 === 1 ? work.knex.transaction(disable) : undefined,
      ]);
      const history = await work
        .knex('mandate_history')
        .where({ mandate_id: id })
        .whereNot({ trigger: 'reminded' })
        .orderBy('id');
      for (const [place, { from_status }] of history.entries()) {
        expect(from_status).toBe(history[place - 1]?.to_status ?? null);
      }
      const mandate = await work.knex('mandates').where({ id }).first();
      const last = history.at(-1);
      const status = mandate.status === 'finished' ? mandate.renewal_status : null;
      expect(last.to_status).toBe(mandate.closed_on === null ? (status ?? mandate.status) : null);
      const request = await work.knex('signature_requests').where({ id: requestId }).first();
      const answers = history.filter(({ actor_id }) => actor_id === requestId);
      expect(answers).toHaveLength(request.answer === null ? 0 : 1);
      const isRenewed = request.answer === 'signed' && mandate.status === 'finished';
      if (isRenewed) expect(mandate.valid_until).toBe('2027-02-26');
    }
  });
});
