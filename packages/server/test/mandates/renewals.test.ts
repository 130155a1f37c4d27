import { describe, expect, it } from 'vitest';
import { longDay } from '../../src/dates/brussels-day.js';
import { createMandateStore } from '../../src/mandates/mandate-store.js';
import { reportStep } from '../../src/mandates/report-step.js';
import { viewSignatureRequest } from '../../src/mandates/signing/answer-signature-request.js';
import { remindContacts } from '../../src/mandates/signing/due-mails.js';
import { showRequest } from '../../src/mandates/signing/shown-request.js';
import { languages, textsIn } from '../../src/mandates/signing/texts/all-texts.js';
import { endSigningPeriod, endValidity } from '../../src/mandates/tasks.js';
import { asAuthor } from '../support/as-author.js';
import {
  answer,
  asked,
  consents,
  ends,
  offer,
  offerAndSend,
  offeredOn,
} from './offered-renewals.js';
import { declined, type MandateSetUp, setUpMandates } from './set-up-mandates.js';

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
    await work.deliver(requests[1].id);
    const { mail } = work.mailServer.delivered[1] ?? {};
    expect(mail?.subject).toMatch(/vernieuwen|renouveler|erneuern|renew/);
    const mandates = await work.mandates(customerId);
    for (const { iban } of mandates) {
      expect(mail?.text).toContain(iban?.replace(/(.{4})(?=.)/g, '$1 '));
    }
  });

  it.each(languages)('is shown on the page with its last day and meaning: %s', async (language) => {
    const work = await setUpMandates();
    await asked(work);
    const view = await viewSignatureRequest(work.knex, work.token(), work.clock);
    const { sections, refusal } = showRequest(view?.request ?? expect.fail(), language).text;
    const { renewal } = textsIn[language].mail;
    const { accountsPurpose, consent } = renewal('2026-09-06');
    expect(sections).toMatchObject([{ purpose: accountsPurpose(1) }]);
    expect(sections[0]?.entries[0]?.notes.at(-1)).toBe(consent(180));
    for (const text of [consent(180), refusal])
      expect(text).toContain(longDay('2026-09-06', language));
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
    await endValidity(work.knex, { firmId: work.principal.firmId, mandateId: id }, work.clock);
    expect(await isCovered()).toBe(true);
    expect(await history()).toEqual([
      ...['linked created', 'requestSent waitingForSigner', 'signed finished'],
      ...['renewalOffered renewalOffered', 'signed finished'],
    ]);
    // It is offered again before the next end.
    await offerAndSend(work, '2027-02-19T12:00:00.000Z');
    expect(await shown()).toMatchObject({ renewal: 'offered', validUntil: '2027-03-05' });
  });

  it('D-60 is not offered while the firm is disabled', async () => {
    const work = await setUpMandates();
    await consents(work, 1);
    work.clock = new Date(offeredOn);
    await work.knex('firms').update({ disabled_on: work.clock });
    await offer(work);
    expect(await work.knex('signature_requests')).toHaveLength(1);
    await work.knex('firms').update({ disabled_on: null });
    await offer(work);
    expect(await work.knex('signature_requests')).toHaveLength(2);
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
      endValidity(work.knex, { firmId: work.principal.firmId, mandateId: id }, work.clock),
      endSigningPeriod(work.knex, { firmId: work.principal.firmId, requestId }, work.clock),
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
    expect(await store.request(asAuthor(work.principal), id)).toMatchObject({
      ...{ status: 'finished', renewal: 'offered', validUntil: '2026-09-06' },
    });
    expect(await store.request(asAuthor(work.principal), id)).toEqual({
      notRequestable: { kind: 'lightConnector', status: 'renewalOffered' },
    });
    const requests = await work.knex('signature_requests').orderBy('id');
    expect(requests).toHaveLength(3);
    await work.deliver(requests[2].id);
    await answer(work, declined);
    await endValidity(work.knex, { firmId: work.principal.firmId, mandateId: id }, new Date(ends));
    expect(await work.statuses(customerId)).toEqual(['renewalRequired']);
  });

  it.each([
    ['declined', (work: MandateSetUp) => answer(work, declined)],
    ['unanswered', async () => {}],
  ])(
    '%s: requested after its last day, it is asked anew, even before its job has ended it',
    async (_name, answered) => {
      const work = await setUpMandates();
      const { customerId, id, history } = await asked(work);
      await answered(work);
      work.clock = new Date(ends);
      const store = createMandateStore(work.knex, () => work.clock);
      const requested = await store.request(asAuthor(work.principal), id);
      expect(requested).toMatchObject({ status: 'created' });
      expect(requested).not.toHaveProperty('validUntil');
      await endValidity(work.knex, { firmId: work.principal.firmId, mandateId: id }, work.clock);
      const requests = await work.knex('signature_requests').orderBy('id');
      await work.deliver(requests[2].id);
      expect(await work.statuses(customerId)).toEqual(['waitingForSigner']);
      expect((await history()).slice(-3)).toEqual([
        ...['validityEnded renewalRequired', 'requested created', 'requestSent waitingForSigner'],
      ]);
    },
  );

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
    expect(await store.request(asAuthor(work.principal), id)).toMatchObject({ renewal: 'offered' });
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

  it('is reminded of after 7 days and on its last day, and not after its end', async () => {
    const work = await setUpMandates();
    const { history } = await asked(work);
    const budgets = { customer: 10, firm: 10, address: 10 };
    for (const [at, reminders] of [
      ['2026-08-29T22:00:00.000Z', 1],
      ['2026-09-05T22:00:00.000Z', 2],
      ['2026-09-06T22:00:00.000Z', 2],
    ] as const) {
      work.clock = new Date(at);
      await remindContacts(work.knex, budgets, () => work.clock);
      expect(await work.queued('reminder')).toHaveLength(reminders);
    }
    work.clock = new Date('2026-08-29T22:00:00.000Z');
    const requestId = (await work.knex('signature_requests').orderBy('id', 'desc').first()).id;
    await work.send(`${requestId}.1.reminder.1`);
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
});
