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

const outgoingMail = z.strictObject({ firmId: z.string(), id: z.string() });
const signingPeriod = z.strictObject({ firmId: z.string(), requestId: z.string() });
const validity = z.strictObject({ firmId: z.string(), mandateId: z.string() });

/** The pause between two looks for what is due, in ms. */
const FOLLOW_MS = 15_000;

/** Creates the tasks of mandates, which are idempotent, and the work that is repeated. */
export function createMandateTasks(dependencies: SendingDependencies) {
  const { knex, mailBudgets, now } = dependencies;
  const tasks = {
    sendMail: {
      run: (payload, attempt) => sendMail(dependencies, outgoingMail.parse(payload), attempt),
    },
    endSigningPeriod: {
      run: (payload) => endSigningPeriod(knex, signingPeriod.parse(payload), now()),
    },
    endValidity: {
      run: (payload) => endValidity(knex, validity.parse(payload), now()),
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

/** Expires the mandates of a request that was not answered in time. */
export function endSigningPeriod(
  knex: Knex,
  { firmId, requestId }: z.infer<typeof signingPeriod>,
  now: Date,
): Promise<void> {
  return inTransaction(knex, async (trx) => {
    const request = await lockSignatureRequest(trx, requestId, firmId);
    if (request === undefined || request.expiresOn === null) return;
    const job = signingPeriodJob({ firmId, requestId }, request.expiresOn);
    if (now < job.runAt) return postpone(trx, job, now);
    const mandates = await lockOpenMandates(trx, { signature_request_id: requestId }, firmId);
    const step = { trigger: 'signingPeriodEnded', actor: { kind: 'service' }, now } as const;
    await applyWhereAllowed(trx, mandates, step);
  });
}

/** Ends a consent whose last day has passed in Belgium. */
export function endValidity(
  knex: Knex,
  { firmId, mandateId }: z.infer<typeof validity>,
  now: Date,
): Promise<void> {
  return inTransaction(knex, async (trx) => {
    const [mandate] = await lockOpenMandates(trx, { id: mandateId }, firmId);
    if (mandate === undefined || mandate.validUntil === null) return;
    if (nextStatus(mandate.kind, mandate.status, 'validityEnded') === undefined) return;
    if (await endIfOver(trx, mandate, now)) return;
    await postpone(trx, validityJob({ firmId, mandateId }, mandate.validUntil), now);
  });
}

/** Enqueues a job again that ran early, because the clock of the database is ahead of ours. */
async function postpone(
  trx: Knex.Transaction,
  { runAt, ...job }: DeadlineJob,
  now: Date,
): Promise<void> {
  await enqueue(trx, { ...job, afterMs: runAt.getTime() - now.getTime() });
}
