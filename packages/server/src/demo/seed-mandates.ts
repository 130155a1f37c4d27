import type { Knex } from 'knex';
import { cancel } from '../jobs/enqueue.js';
import { createLogger } from '../logger.js';
import type { Mailer } from '../mail/mailer.js';
import { RecipientRefused } from '../mail/recipient-refused.js';
import { endSigningPeriod, endValidity } from '../mandates/deadlines.js';
import { deliverSignatureRequest } from '../mandates/deliver-signature-request.js';
import { signingPeriodDays, validityDays } from '../mandates/lifecycle.js';
import { reportStep } from '../mandates/report-step.js';
import type { ReportedTrigger } from '../mandates/reported-triggers.js';
import { deliveryJob } from '../mandates/signature-requests.js';
import { createDemoContacts } from './demo-contacts.js';
import type { DemoMandates, DemoOutcome } from './mandate-table.js';
import { postponeDelivery } from './postpone-delivery.js';
import { letTimePass } from './time-lapse.js';

interface SeededMandate {
  readonly id: string;
  readonly product: 'CODA' | 'CODB';
  readonly connectorId: number | null;
  readonly requestId: string | null;
}

/** Until what is `created` is sent, in ms: long enough to be seen. */
const CREATED_MS = 120_000;

/** Takes the mandates of a new customer to where the demo begins, by the steps of the service. */
export function createMandateSeeding(now: () => Date) {
  const contacts = createDemoContacts();

  async function send(trx: Knex.Transaction, requestId: string, mailer: Mailer): Promise<void> {
    const links = { create: async () => '' };
    const dependencies = { knex: trx, mailer, links, mailAttempts: 1, logger, now };
    const attempt = { number: 1, isLast: true };
    await deliverSignatureRequest(dependencies, { requestId, delivery: 1 }, attempt);
  }

  async function settle(
    trx: Knex.Transaction,
    { id, product, connectorId }: SeededMandate,
    outcome: DemoOutcome | undefined,
  ): Promise<void> {
    if (outcome === 'ended') return endValidity(trx, id, now());
    // A consent is active once it is signed.
    if (outcome === undefined || connectorId !== null) return;
    for (const trigger of reports(product)[outcome]) {
      const kind = trigger === 'fileReceived' ? 'service' : 'operator';
      await reportStep(trx, { mandateId: id, trigger, actor: { kind }, now: now() });
    }
  }

  return async (
    trx: Knex.Transaction,
    customerId: string,
    { request, outcomes }: DemoMandates,
  ): Promise<void> => {
    const mandates = await readMandates(trx, customerId);
    const ids = mandates.map(({ id }) => id);
    const requestId = mandates.find((each) => each.requestId !== null)?.requestId;
    if (requestId == null) return;
    if (request === 'created') {
      return postponeDelivery(trx, customerId, new Date(now().getTime() + CREATED_MS));
    }
    await send(trx, requestId, mailers[request]);
    // What still waits for its contact is sent once more by the service, with a link that works.
    if (request === 'waiting') return;
    await cancel(trx, deliveryJob(requestId, 1).key);
    if (request === 'expired') {
      await letTimePass(trx, ids, signingPeriodDays + 1);
      await endSigningPeriod(trx, requestId, now());
    }
    if (request !== 'signed' && request !== 'declined') return;
    await contacts.answer(trx, requestId, request, now());
    if (outcomes.includes('ended')) await letTimePass(trx, ids, validityDays + 5);
    for (const [i, mandate] of mandates.entries()) await settle(trx, mandate, outcomes[i]);
  };
}

const logger = createLogger('silent');

/** A mail server that says the same to every message. */
function saying(answer: () => Promise<void>): Mailer {
  return { send: answer, close: () => {} };
}

const taken = saying(async () => {});

const mailers: Readonly<Record<Exclude<DemoMandates['request'], 'created'>, Mailer>> = {
  waiting: taken,
  expired: taken,
  declined: taken,
  signed: taken,
  refused: saying(() => Promise.reject(new RecipientRefused('550 no such user'))),
  undelivered: saying(() => Promise.reject(new Error('No answer'))),
};

/** What banks and providers say on the way to an outcome. */
function reports(product: 'CODA' | 'CODB'): Record<DemoOutcome, readonly ReportedTrigger[]> {
  const isBank = product === 'CODA';
  return {
    '-': [],
    waiting: [],
    ended: [],
    confirmed: ['bankConfirmed'],
    refused: [isBank ? 'bankRefused' : 'providerRefused'],
    active: isBank ? ['bankConfirmed', 'fileReceived'] : ['fileReceived'],
  };
}

async function readMandates(trx: Knex.Transaction, customerId: string): Promise<SeededMandate[]> {
  return trx('mandates').where({ customer_id: customerId }).orderBy('id').select<SeededMandate[]>({
    id: 'id',
    product: 'product',
    connectorId: 'connector_id',
    requestId: 'signature_request_id',
  });
}
