import { remindContacts } from '../../../../src/mandates/signing/due-mails.js';
import { type MandateSetUp, mailKeys } from '../../set-up-mandates.js';

export const generous = { customer: 10, firm: 5000, address: 100 };

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
