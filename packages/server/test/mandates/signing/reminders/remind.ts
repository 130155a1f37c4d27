import { remindContacts } from '../../../../src/mandates/signing/due-mails.js';
import { type MandateSetUp, mailKeys } from '../../set-up-mandates.js';

const DAY = 86_400_000;
export const generous = { customer: 10, firm: 5000, address: 100 };

export const addDays = (instant: Date, days: number) => new Date(instant.getTime() + days * DAY);

/** Creates a customer whose contact has a request, at the time of the clock. */
export async function asked(work: MandateSetUp) {
  const customerId = await work.create();
  const requestId = await work.requestOf(customerId);
  await work.deliver(requestId);
  return { customerId, requestId };
}

/**
 * Lets the worker look for due reminders, and returns those that it enqueued: delivery and number.
 */
export async function remind(work: MandateSetUp, mailBudgets = generous): Promise<string[]> {
  await remindContacts(work.knex, mailBudgets, () => work.clock);
  const jobs = await work.queued('reminder');
  await work
    .knex('graphile_worker._private_jobs')
    .whereRaw(mailKeys['reminder'] ?? '')
    .delete();
  for (const { key } of jobs) {
    await work.send(key.replace('sendMail:', ''));
  }
  return jobs.map(({ key }) => key.replace(/^sendMail:\w+[.](\d+)[.]reminder/, '$1'));
}
