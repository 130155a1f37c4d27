import type { Knex } from 'knex';
import { z } from 'zod';
import { inTransaction } from '../db/transaction.js';
import { enqueue, type Tasks } from '../jobs/job.js';
import { inSteps, type RepeatingWorks } from '../jobs/repeating-tasks.js';
import { nextStatus } from './lifecycle.js';
import { type DeadlineJob, signingPeriodJob, validityJob } from './mandate-jobs.js';
import { applyWhereAllowed, endIfOver } from './mandate-steps.js';
import { lockOpenMandates } from './open-mandates.js';
import { offerRenewals } from './renewals.js';
import { releaseRequests, remindContacts } from './signing/due-mails.js';
import { type SendingDependencies, sendMail } from './signing/send-mail.js';
import { lockSignatureRequest } from './signing/signature-requests.js';

const outgoingMail = z.strictObject({ mailId: z.string() });
const signingPeriod = z.strictObject({ requestId: z.string() });
const validity = z.strictObject({ mandateId: z.string() });

/**
 * The pause between two releases of waiting requests, and between two looks for due reminders or
 * renewals, in ms.
 */
const FOLLOW_MS = 15_000;

/** Creates the worker tasks of mandates, which are idempotent, and the work that is repeated. */
export function createMandateTasks(dependencies: SendingDependencies) {
  const { knex, mailBudgets, now } = dependencies;
  const tasks = {
    sendMail: {
      run: (payload, attempt) =>
        sendMail(dependencies, outgoingMail.parse(payload).mailId, attempt),
    },
    endSigningPeriod: {
      run: (payload) => endSigningPeriod(knex, signingPeriod.parse(payload).requestId, now()),
    },
    endValidity: {
      run: (payload) => endValidity(knex, validity.parse(payload).mandateId, now()),
    },
  } satisfies Tasks;
  const steps = {
    'releasing the waiting signature requests': () => releaseRequests(knex, mailBudgets, now),
    'offering the renewal of consents': () => offerRenewals(knex, now),
    'reminding the contacts of signature requests': () => remindContacts(knex, mailBudgets, now),
  };
  const repeating = {
    followMandates: {
      name: 'following the mandates',
      pauseMs: FOLLOW_MS,
      run: inSteps(
        Object.entries(steps).map(([name, step]) => ({
          name,
          run: () => step().then(() => 'done'),
        })),
      ),
    },
  } satisfies RepeatingWorks;
  return { tasks, repeating };
}

/**
 * Expires the mandates of a signature request that was not answered in time. Postpones the job if
 * it runs early, because clocks differ.
 */
export function endSigningPeriod(knex: Knex, requestId: string, now: Date): Promise<void> {
  return inTransaction(knex, async (trx) => {
    const request = await lockSignatureRequest(trx, requestId);
    if (request === undefined || request.expiresOn === null) return;
    const job = signingPeriodJob(requestId, request.expiresOn);
    if (now < job.runAt) return postpone(trx, job, now);
    const mandates = await lockOpenMandates(
      trx,
      { signature_request_id: requestId },
      request.firmId,
    );
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

/**
 * Re-enqueues a job that ran early, because the clock of the database, which the queue uses, is
 * ahead of ours.
 */
function postpone(trx: Knex.Transaction, { runAt, ...job }: DeadlineJob, now: Date): Promise<void> {
  return enqueue(trx, { ...job, afterMs: runAt.getTime() - now.getTime() });
}
