import { expect, it } from 'vitest';
import { transferCustomer } from '../../src/customers/transfer-customer.js';
import { operatorScope } from '../../src/identity/operator-scope.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { showMandate } from '../../src/mandates/listed-mandates.js';
import { createMandateStore } from '../../src/mandates/mandate-store.js';
import { reportStep } from '../../src/mandates/report-step.js';
import { viewSignatureRequest } from '../../src/mandates/signing/answer-signature-request.js';
import { remindContacts } from '../../src/mandates/signing/due-mails.js';
import { endValidity } from '../../src/mandates/tasks.js';
import { asAuthor } from '../support/as-author.js';
import { answerAsShown } from './answer-as-shown.js';
import { connectorId, newPrincipal, serveByConnector } from './linked-customer.js';
import { answer, asked, consents, ends, offer, offerAndSend } from './offered-renewals.js';
import { type MandateSetUp, setUpMandates, signed } from './set-up-mandates.js';

const budgets = { customer: 10, firm: 5000, address: 100 };

const remind = (work: MandateSetUp) => remindContacts(work.knex, budgets, () => work.clock);
const stateOf = async (work: MandateSetUp, token: string) =>
  (await viewSignatureRequest(work.knex, token, work.clock))?.state;

/** Transfers a customer to a new firm. */
async function transfer(work: MandateSetUp, customerId: string) {
  const next = await newPrincipal(work.knex);
  const outcome = await transferCustomer(
    work.knex,
    operatorScope(),
    createCustomerMandates(() => work.clock),
    { customerId, toFirmId: next.firmId, agreedBy: 'Jan Peeters' },
  );
  if (typeof outcome === 'string') expect.fail(outcome);
  const newId = outcome.transferredTo.id;
  const requestId = await work.requestOf(newId);
  return { next, newId, requestId };
}

it('D-48 a transfer stops reminders that are due or queued, and the new request has its own', async () => {
  const work = await setUpMandates();
  const [queued, due] = [await work.create(), await work.create()];
  const first = await work.requestOf(queued);
  await work.deliver(first);
  const token = work.token();
  work.passDays(7);
  await remind(work);
  await work.deliver(await work.requestOf(due));
  work.passDays(7);
  const { requestId } = await transfer(work, queued);
  await transfer(work, due);
  await work.send(`${first}.1.reminder.1`);
  await remind(work);
  expect(await work.queued('reminder')).toHaveLength(1);
  expect(work.mailServer.delivered).toHaveLength(2);
  expect(await work.knex('mandate_history').where({ trigger: 'reminded' })).toEqual([]);
  expect(await stateOf(work, token)).toBe('withdrawn');
  await work.deliver(requestId);
  expect(work.token()).not.toBe(token);
  work.passDays(7);
  await remind(work);
  expect((await work.queued('reminder')).map(({ key }) => key)).toContain(
    `sendMail:${requestId}.1.reminder.1`,
  );
});

it('D-48 D-24 D-66 a transfer withdraws the renewal that is offered, and its end changes nothing', async () => {
  const work = await setUpMandates();
  const { customerId, id, isCovered, history } = await asked(work);
  const token = work.token();
  const { next, newId, requestId } = await transfer(work, customerId);
  expect(await stateOf(work, token)).toBe('withdrawn');
  expect(await answerAsShown(work.knex, token, signed, work.clock)).toMatchObject({
    state: 'withdrawn',
  });
  expect(await isCovered()).toBe(false);
  await offer(work);
  await endValidity(work.knex, { firmId: work.principal.firmId, mandateId: id }, new Date(ends));
  expect((await history()).at(-1)).toBe('unlinked null');
  const [mandate] = await work.mandates(newId);
  expect(mandate).toMatchObject({
    status: 'created',
    connector_id: connectorId,
    valid_until: null,
  });
  await work.deliver(requestId);
  await answer(work);
  const store = createMandateStore(work.knex, () => work.clock);
  const mandateId = mandate?.id ?? '';
  expect(await store.get(next, mandateId)).toMatchObject({ status: 'waitingForBank' });
  await reportStep(work.knex, {
    ...{ mandateId, trigger: 'bankConfirmed', actor: { kind: 'operator' }, now: work.clock },
  });
  const shown = await store.get(next, mandateId);
  expect(shown).toMatchObject({ status: 'finished', validUntil: '2027-02-19' });
  expect(shown).not.toHaveProperty('renewal');
  expect(await store.get(work.principal, id)).toBeUndefined();
});

it('D-48 D-37 after a transfer, what was signed partly keeps its evidence, its page and its mails', async () => {
  const work = await setUpMandates();
  const customerId = await work.create();
  const former = await work.requestOf(customerId);
  await work.knex('firms').update({ email: 'office@kantoor.example' });
  await work.deliver(former);
  const token = work.token();
  await answerAsShown(work.knex, token, { ...signed, excluded: [2] }, work.clock);
  const before = await viewSignatureRequest(work.knex, token, work.clock);
  const { newId, requestId } = await transfer(work, customerId);
  await work.knex('customers').where({ id: newId }).update({ name: 'Other name' });
  const after = await viewSignatureRequest(work.knex, token, work.clock);
  expect(after).toMatchObject({ state: 'partlySigned', evidence: before?.evidence });
  await work.send(`${former}.evidence.firm`);
  expect(work.mailServer.delivered.at(-1)?.envelopeTo).toEqual(['office@kantoor.example']);
  const ids = (await work.mandates(customerId)).map(({ id }) => id);
  const mandates = await Promise.all(ids.map((id) => showMandate(work.knex, operatorScope(), id)));
  const requests = mandates.flatMap((mandate) => mandate?.signatureRequests);
  expect(requests.map((request) => request?.answer)).toEqual(['signed', 'declined']);
  // The new firm asks for both, also for what was declined.
  expect(await work.statuses(newId)).toEqual(['created', 'created']);
  await work.deliver(requestId);
  expect(await stateOf(work, work.token())).toBe('pending');
});

it('D-24 a consent is renewed although its bank has no light connector any more', async () => {
  const work = await setUpMandates();
  const customerId = await consents(work);
  await work.knex('banks').where({ bic: 'BNAGBEBB' }).update({ connector_id: null });
  try {
    await offerAndSend(work);
    expect(work.mailServer.delivered.at(-1)?.mail.text).toMatch(/2026/);
    await answer(work);
    expect(await work.mandates(customerId)).toMatchObject([
      { status: 'finished', connector_id: connectorId, valid_until: '2027-02-19' },
    ]);
    const { newId } = await transfer(work, customerId);
    expect(await work.mandates(newId)).toMatchObject([{ status: 'created', connector_id: null }]);
  } finally {
    await serveByConnector(work.knex);
  }
});

it('D-25 a renewal whose contact moved is reminded of at the new address, 7 days after its message', async () => {
  const work = await setUpMandates();
  const { customerId, requestId } = await asked(work);
  work.passDays(3);
  await work.moveContact(customerId, 'bo@bakkerij.example');
  await work.deliver(requestId, { delivery: 2 });
  work.passDays(4);
  await remind(work);
  expect(await work.queued('reminder')).toEqual([]);
  work.passDays(3);
  await remind(work);
  await work.send(`${requestId}.2.reminder.1`);
  expect(work.mailServer.delivered.map(({ envelopeTo }) => envelopeTo[0])).toEqual([
    ...['an@bakkerij.example', 'an@bakkerij.example'],
    ...['bo@bakkerij.example', 'bo@bakkerij.example'],
  ]);
});

it('§4.15 callers who poll with updatedSince see each change of a renewal once, and no reminder', async () => {
  const work = await setUpMandates();
  const { customerId, requestId, id } = await asked(work);
  const store = createMandateStore(work.knex, () => work.clock);
  let updatedSince = new Date(0);
  const poll = async () => {
    const search = {
      sort: 'updatedOn',
      sortDirection: 'asc',
      includeFinished: true,
      updatedSince,
    } as const;
    const { records } = await store.search(work.principal, search, { limit: 10, offset: 0 });
    const last = records.at(-1);
    if (last !== undefined) updatedSince = new Date(Date.parse(last.updatedOn) + 1);
    return records.map((each) => ('renewal' in each ? each.renewal : each.status));
  };
  expect(await poll()).toEqual(['offered']);
  work.passDays(7);
  await remind(work);
  await work.send(`${requestId}.1.reminder.1`);
  expect(await poll()).toEqual([]);
  await answer(work, { ...signed, answer: 'declined', signerName: null });
  expect(await poll()).toEqual(['declined']);
  await store.request(asAuthor(work.principal), id);
  expect(await poll()).toEqual(['offered']);
  await endValidity(work.knex, { firmId: work.principal.firmId, mandateId: id }, new Date(ends));
  expect(await poll()).toEqual(['renewalRequired']);
  await transfer(work, customerId);
  expect(await poll()).toEqual([]);
});
