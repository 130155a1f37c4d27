// @module-tag long
import type { CreateCustomerRequest } from '@adx/contract';
import { expect, test } from 'vitest';
import { type Delivered, startMailServer } from '../../packages/server/test/mail/mail-server.js';
import { printResult } from '../proofs/print-result.js';
import { eventually } from '../support/eventually.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { rounds } from '../support/rounds.js';
import {
  type CreateOutcome,
  createUntilKilled,
  findStored,
  type KillReport,
} from './support/create-until-killed.js';
import { createDeployment, type Deployment, type ServiceProcess } from './support/deployment.js';

const kills = rounds({ short: 1, proof: 200 });
test(`§4.5, D-25 in ${kills} kills of the service, each customer gets one request with one link`, async () => {
  const report = await killDuringRequests(kills);
  printResult(report);
  const { confirmed, unconfirmed, messages, absent, repeated } = report;
  expect(confirmed).toBeGreaterThan(kills > 1 ? kills : 0);
  expect(messages).toBeGreaterThanOrEqual(confirmed + unconfirmed);
  if (kills === 1) return;
  // Otherwise no kill has interrupted a create, and none has interrupted the sending of a message.
  expect(absent).toBeGreaterThan(0);
  expect(repeated).toBeGreaterThan(0);
});

interface RequestKillReport extends KillReport {
  readonly messages: number;
  /** Messages that were sent more than once, each time with the same link. */
  readonly repeated: number;
}

/**
 * Kills the service. In the end each customer has three mandates, one request and one link, or is
 * not stored.
 */
async function killDuringRequests(kills: number): Promise<RequestKillReport> {
  const mailServer = await startMailServer();
  const deployment = await createDeployment();
  try {
    const settings = {
      PUBLIC_URL: 'https://adx.example.org',
      LINK_SECRET: 'the same in every process of this deployment',
      JOBS_CONCURRENCY: '4',
      MAIL_FROM: 'no-reply@adx.example',
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    };
    const outcomes: CreateOutcome[] = [];
    let next = deployment.start(settings);
    for (let kill = 0; kill < kills; kill += 1) {
      const process = await next;
      // The next process starts while this one works.
      next = deployment.start(settings);
      const answers = ((kill + 1) * 7) % 12;
      const creations = {
        concurrency: 4,
        customer: newCustomerWithContact,
        answers,
        maxDelayMs: 60,
      };
      outcomes.push(...(await createUntilKilled(deployment, process, creations)));
      await expireHeartbeats(deployment);
    }
    await untilSent(deployment, await next);
    return await check(deployment, outcomes, mailServer.delivered);
  } finally {
    await deployment.close();
    await mailServer.close();
  }
}

let customers = 0;

function newCustomerWithContact(): CreateCustomerRequest {
  customers += 1;
  const customer = newCustomer({
    bankAccounts: [{ iban: newIban() }, { iban: newIban() }],
    payrollProviders: [{ code: 'sdworx' }],
  });
  const contact = { ...customer.contact, email: `contact-${customers}@klant.example` };
  return { ...customer, contact };
}

async function expireHeartbeats({ knex }: Deployment): Promise<void> {
  await knex('job_workers').update({ beat_on: knex.raw(`beat_on - interval '1 minute'`) });
}

/** Waits until all messages are sent, and stops the last process. */
async function untilSent({ knex }: Deployment, process: ServiceProcess): Promise<void> {
  await eventually(
    async () => {
      await knex.raw(
        `select graphile_worker.reschedule_jobs(array_agg(id), run_at => now())
         from graphile_worker.jobs
        where task_identifier = 'sendMail' and locked_at is null and run_at > now()`,
      );
      return knex('graphile_worker.jobs').where({ task_identifier: 'sendMail' });
    },
    ({ length }) => length === 0,
  );
  process.kill('SIGTERM');
  expect(await process.exited).toEqual({ code: 0, signal: null });
}

async function check(
  { knex }: Deployment,
  outcomes: readonly CreateOutcome[],
  delivered: readonly Delivered[],
): Promise<RequestKillReport> {
  const messages = byRecipient(delivered);
  const report = {
    confirmed: 0,
    unconfirmed: 0,
    absent: 0,
    messages: delivered.length,
    repeated: 0,
  };
  for (const { sent, confirmed } of outcomes) {
    const customerId = await findStored({ knex }, sent);
    const received = messages.get(sent.contact.email) ?? [];
    messages.delete(sent.contact.email);
    if (confirmed) expect(customerId).toBeDefined();
    if (customerId === undefined) {
      expect(received).toEqual([]);
      report.absent += 1;
      continue;
    }
    await checkRequested(knex, customerId);
    expect(received.length).toBeGreaterThan(0);
    expect(new Set(received.map(linkOf)).size).toBe(1);
    expect(new Set(received.map(({ mail }) => mail.messageId)).size).toBe(1);
    report[confirmed ? 'confirmed' : 'unconfirmed'] += 1;
    report.repeated += received.length > 1 ? 1 : 0;
  }
  expect([...messages.keys()]).toEqual([]);
  expect(await knex('mandates').whereNot({ status: 'waitingForSigner' })).toEqual([]);
  return report;
}

/** Asserts that a customer has three mandates, all of them in its only request. */
async function checkRequested(knex: Deployment['knex'], customerId: string): Promise<void> {
  const { rows } = await knex.raw(
    `select r.id, r.delivery, r.sent_on is not null as is_sent, r.answer,
            (select count(*) from mandates m where m.customer_id = r.customer_id) as mandates,
            (select count(*) from mandates m join asked_mandates asked on asked.mandate_id = m.id
              where m.signature_request_id = r.id and asked.request_id = r.id) as asked,
            (select array_agg(h.trigger order by h.id) from mandate_history h
               join mandates m on m.id = h.mandate_id
              where m.customer_id = r.customer_id) as history,
            (select count(*) from signing_urls l where l.request_id = r.id) as links,
            (select count(*) from graphile_worker.jobs j
              where j.key = 'endSigningPeriod:' || r.id) as deadlines
       from signature_requests r where r.customer_id = ?`,
    [customerId],
  );
  expect(rows).toEqual([
    {
      ...{ id: expect.any(String), delivery: 1, is_sent: true, answer: null },
      ...{ mandates: 3, asked: 3, links: 1, deadlines: 1 },
      history: [...Array(3).fill('linked'), ...Array(3).fill('requestSent')],
    },
  ]);
}

function byRecipient(delivered: readonly Delivered[]): Map<string, Delivered[]> {
  const messages = new Map<string, Delivered[]>();
  for (const message of delivered) {
    const recipient = message.envelopeTo.join();
    messages.set(recipient, [...(messages.get(recipient) ?? []), message]);
  }
  return messages;
}

function linkOf({ mail }: Delivered): string {
  const [link] =
    /https:\/\/adx\.example\.org\/sign\/[\w-]{43}(?![\w-])/.exec(mail.text ?? '') ?? [];
  if (link === undefined) throw new Error(`There is no link in ${mail.text}`);
  return link;
}
