import { createCoverage } from '../../src/mandates/coverage.js';
import { createMandateStore } from '../../src/mandates/mandate-store.js';
import { offerRenewals } from '../../src/mandates/renewals.js';
import { answerAsShown } from './answer-as-shown.js';
import { newConnectedIban } from './linked-customer.js';
import { type MandateSetUp, signed } from './set-up-mandates.js';

/**
 * Signed on 10 March 2026, so valid until 6 September: its renewal is offered from 23 August on.
 */
const signedOn = '2026-03-10T10:00:00.000Z';
export const offeredOn = '2026-08-22T22:00:00.000Z';
export const ends = '2026-09-06T22:00:00.000Z';

/** Creates a customer with signed consents. */
export async function consents(work: MandateSetUp, count = 1) {
  work.clock = new Date(signedOn);
  const { customerId } = await work.ask({ ibans: Array.from({ length: count }, newConnectedIban) });
  await answerAsShown(work.knex, work.token(), signed, work.clock);
  return customerId;
}

export const offer = (work: MandateSetUp) => offerRenewals(work.knex, () => work.clock);
export const answer = (work: MandateSetUp, given = signed) =>
  answerAsShown(work.knex, work.token(), given, work.clock);

/** Offers the renewals that are due and sends their latest request, whose id is returned. */
export async function offerAndSend(work: MandateSetUp, at = offeredOn): Promise<string> {
  work.clock = new Date(at);
  await offer(work);
  const request = await work.knex('signature_requests').orderBy('id', 'desc').first();
  await work.deliver(request.id);
  return request.id;
}

/**
 * Returns a customer whose contact has the request to renew its consent, with its mandate as the
 * interface shows it.
 */
export async function asked(work: MandateSetUp) {
  const customerId = await consents(work);
  const requestId = await offerAndSend(work);
  const id = (await work.mandates(customerId))[0]?.id ?? '';
  const shown = () => createMandateStore(work.knex, () => work.clock).get(work.principal, id);
  const isCovered = async () => {
    const { bank_account_id: linkId, firm_id: firmId } = await work
      .knex('mandates')
      .where({ id })
      .first();
    const { coveredLinks } = createCoverage(() => work.clock);
    return (await coveredLinks(work.knex, [{ linkId, firmId }])).has(linkId);
  };
  const history = async () =>
    (await work.knex('mandate_history').where({ mandate_id: id }).orderBy('id')).map(
      ({ trigger, to_status }) => `${trigger} ${to_status}`,
    );
  return { customerId, requestId, id, shown, isCovered, history };
}
