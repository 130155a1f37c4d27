import type { MailBudgets } from '../../../src/mandates/signing/mail-budgets.js';
import { type MandateSetUp, mailKeys } from '../set-up-mandates.js';

/** Links of one mandate. */
export const links = { providers: ['sdworx'] };

/** Creates customers one minute apart, and returns their requests, oldest first. */
export async function createCustomers(work: MandateSetUp, count: number): Promise<string[]> {
  const requests: string[] = [];
  for (let customer = 0; customer < count; customer += 1) {
    work.clock = new Date(work.clock.getTime() + 60_000);
    requests.push(await work.requestOf(await work.create(links)));
  }
  return requests;
}

/** Returns the requests whose mails were delivered, in the order of delivery. */
export const sentRequests = (work: MandateSetUp) =>
  work.mailServer.delivered.map(({ mail }) => /^<(\w+)\./.exec(mail.messageId ?? '')?.[1]);

/** Runs all jobs that send requests, until none is left. */
export async function runJobs(work: MandateSetUp, mailBudgets: MailBudgets) {
  const jobs = work.knex('graphile_worker._private_jobs').whereRaw(mailKeys['request'] ?? '');
  const rows = await jobs.clone().orderBy('id').select('key');
  await jobs.clone().delete();
  for (const { key } of rows) {
    await work.send(key.replace('sendMail:', ''), { mailBudgets });
  }
}
