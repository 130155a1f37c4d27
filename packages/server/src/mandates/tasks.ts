import type { Knex } from 'knex';
import { z } from 'zod';
import { inTransaction } from '../db/transaction.js';
import { enqueue, type Tasks } from '../jobs/job.js';
import type { RepeatingWork } from '../jobs/repeating-tasks.js';
import { nextStatus } from './lifecycle.js';
import { type DeadlineJob, signingPeriodJob, validityJob } from './mandate-jobs.js';
import { applyWhereAllowed, endIfOver } from './mandate-steps.js';
import { lockOpenMandates } from './open-mandates.js';
import { offerRenewals } from './renewals.js';
import { remindContacts } from './signing/due-reminders.js';
import { sendEvidence } from './signing/send-evidence.js';
import { sendReminder } from './signing/send-reminder.js';
import {
  type SendingDependencies,
  sendSignatureRequest,
} from './signing/send-signature-request.js';
import { lockSignatureRequest } from './signing/signature-requests.js';
import { releaseRequests } from './signing/waiting-requests.js';

const delivery = z.strictObject({ requestId: z.string(), delivery: z.number().int() });
const reminder = delivery.extend({ reminder: z.number().int() });
const evidenceMail = z.strictObject({
  requestId: z.string(),
  recipient: z.enum(['signer', 'firm']),
});
const signingPeriod = z.strictObject({ requestId: z.string() });
const validity = z.strictObject({ mandateId: z.string() });

/** The pause between two releases of waiting requests, and between two looks for due reminders or renewals, in ms. */
const RELEASE_MS = 15_000;

/** Creates the worker tasks of mandates, which are idempotent, and the work that is repeated. */
export function createMandateTasks(dependencies: SendingDependencies) {
  const { knex, mailBudgets, now } = dependencies;
  const mail = {
    sendSignatureRequest: (payload, attempt) =>
      sendSignatureRequest(dependencies, delivery.parse(payload), attempt),
    sendReminder: (payload, attempt) =>
      sendReminder(dependencies, reminder.parse(payload), attempt),
    sendEvidence: (payload, attempt) =>
      sendEvidence(dependencies, evidenceMail.parse(payload), attempt),
  } satisfies Tasks;
  const deadlines = {
    endSigningPeriod: (payload) =>
      endSigningPeriod(knex, signingPeriod.parse(payload).requestId, now()),
    endValidity: (payload) => endValidity(knex, validity.parse(payload).mandateId, now()),
  } satisfies Tasks;
  const repeated = (name: string, work: () => Promise<void>): RepeatingWork => ({
    name,
    pauseMs: RELEASE_MS,
    async run() {
      await work();
      return 'done';
    },
  });
  const repeating = {
    releaseRequests: repeated('releasing the waiting signature requests', () =>
      releaseRequests(knex, mailBudgets, now),
    ),
    offerRenewals: repeated('offering the renewal of consents', () => offerRenewals(knex, now)),
    remindContacts: repeated('reminding the contacts of signature requests', () =>
      remindContacts(knex, mailBudgets, now),
    ),
  };
  return { mail, deadlines, repeating };
}

/**
 * Expires the mandates of a request that was not answered in time. Postpones the job if it runs early,
 * because clocks differ.
 */
export function endSigningPeriod(knex: Knex, requestId: string, now: Date): Promise<void> {
  return inTransaction(knex, async (trx) => {
    const request = await lockSignatureRequest(trx, requestId);
    if (request === undefined || request.expiresOn === null) return;
    const job = signingPeriodJob(requestId, request.expiresOn);
    if (now < job.runAt) return postpone(trx, job, now);
    const mandates = await lockOpenMandates(trx, { signature_request_id: requestId });
    const step = { trigger: 'signingPeriodEnded', actor: { kind: 'service' }, now } as const;
    await applyWhereAllowed(trx, mandates, step);
  });
}

/** Ends a consent whose last day has passed in Belgium. Postpones the job if it runs early. */
export function endValidity(knex: Knex, mandateId: string, now: Date): Promise<void> {
  return inTransaction(knex, async (trx) => {
    const [mandate] = await lockOpenMandates(trx, { id: mandateId });
    if (mandate === undefined || mandate.validUntil === null) return;
    if (nextStatus(mandate.kind, mandate.status, 'validityEnded') === undefined) return;
    if (await endIfOver(trx, mandate, now)) return;
    await postpone(trx, validityJob(mandateId, mandate.validUntil), now);
  });
}

/** Re-enqueues a job that ran early, because the clock of the database, which the queue uses, is ahead of ours. */
function postpone(trx: Knex.Transaction, { runAt, ...job }: DeadlineJob, now: Date): Promise<void> {
  return enqueue(trx, { ...job, afterMs: runAt.getTime() - now.getTime() });
}
