import type { Knex } from 'knex';
import { onTestFinished } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { newIban } from '../../../../test/support/numbers.js';
import type { Principal } from '../../src/identity/principal.js';
import type { Attempt } from '../../src/jobs/job.js';
import { createRepeatingTasks } from '../../src/jobs/repeating-tasks.js';
import { startWorker } from '../../src/jobs/worker.js';
import { createLogger } from '../../src/logger.js';
import type { Mailer } from '../../src/mail/mailer.js';
import { messageIdOf } from '../../src/mandates/signing/outgoing-mails.js';
import { type SendingDependencies, sendMail } from '../../src/mandates/signing/send-mail.js';
import { resendSignatureRequests } from '../../src/mandates/signing/signature-requests.js';
import { createSigningUrls } from '../../src/mandates/signing/signing-urls.js';
import { createMandateTasks } from '../../src/mandates/tasks.js';
import { quickHeartbeat } from '../jobs/quick-heartbeat.js';
import { type MailServer, startMailServer } from '../mail/mail-server.js';
import { openMailer as openTestMailer } from '../mail/test-mailer.js';
import { reuseTestDatabase } from '../support/knex-for-file.js';
import type { TestAnswer } from './answer-as-shown.js';
import {
  createLinkedCustomer,
  type Links,
  type MandateRow,
  mandatesOf,
  newPrincipal,
  serveByConnector,
} from './linked-customer.js';

/** A job in the queue. */
export interface QueuedJob {
  readonly key: string;
  readonly attempts: number;
  readonly run_at: Date;
  readonly last_error: string | null;
}

/** Mandates in an empty database, with a mail server for their requests and a clock. */
export interface MandateSetUp {
  readonly url: string;
  readonly knex: Knex;
  readonly principal: Principal;
  readonly mailServer: MailServer;
  /** The clock of the service, which advances only if it is set. */
  clock: Date;
  /** Creates a customer: by default with an account and a payroll provider. */
  create(links?: Links): Promise<string>;
  /** Creates a customer whose contact gets the request. */
  ask(links?: Links): Promise<{ customerId: string; requestId: string; token: string }>;
  /** Advances the clock. */
  passDays(days: number): void;
  /** Gives the contact of a customer another address, as an update does. */
  moveContact(customerId: string, address: string): Promise<void>;
  mandates(customerId: string): Promise<MandateRow[]>;
  statuses(customerId: string): Promise<string[]>;
  /** Returns the only signature request of a customer. */
  requestOf(customerId: string): Promise<string>;
  /** Sends a request as its job does. */
  deliver(requestId: string, options?: DeliverOptions): Promise<void>;
  /** Sends a mail as its job does. */
  send(mailId: string, options?: Omit<DeliverOptions, 'delivery'>): Promise<void>;
  /** Returns the token of the link in the last message, or in another. */
  token(place?: number): string;
  /** Starts workers, which are stopped at the end of the test. */
  startWorkers(count?: number, dependencies?: Partial<SendingDependencies>): Promise<void>;
  /** Returns the jobs of a task, or those that send mails of a kind. */
  queued(task?: string): Promise<QueuedJob[]>;
  /** Makes jobs due until those of a task have run (`queued`). */
  runAll(task: string): Promise<unknown>;
  /** Makes all scheduled jobs due, again and again until a condition holds. */
  hurry<Result>(
    attempt: () => Promise<Result>,
    holds: (result: Result) => boolean,
  ): Promise<Result>;
}

export interface DeliverOptions extends Partial<SendingDependencies> {
  readonly delivery?: number;
  readonly attempt?: Partial<Attempt>;
}

/** SQL: jobs that send mails of a kind. */
export const mailKeys: Readonly<Record<string, string>> = {
  request: `key ~ '^sendMail:\\w+[.]\\d+$'`,
  reminder: `key like 'sendMail:%.reminder.%'`,
  evidence: `key like 'sendMail:%.evidence.%'`,
};

const DAY = 86_400_000;

const firstAttempt = { jobId: '1', place: 0, number: 1, isLast: false };

const secret = 'a secret of the deployment, for tests';

export const signed: TestAnswer = {
  ...{ answer: 'signed', signerName: 'An Peeters' },
  ...{ address: '192.0.2.7', userAgent: 'Browser/1' },
};
export const declined: TestAnswer = { ...signed, answer: 'declined', signerName: null };

/** Opens a mailer that is closed at the end of the test. */
export const openMailer = (smtpUrl: string): Promise<Mailer> => openTestMailer({ to: { smtpUrl } });

/** Prepares the database, mail server and clock of one test. */
export async function setUpMandates(
  mailServer?: MailServer,
  smtpUrl?: string,
): Promise<MandateSetUp> {
  const { url, knex } = await reuseTestDatabase(onTestFinished);
  await serveByConnector(knex);
  onTestFinished(() => serveByConnector(knex, null));
  const server = mailServer ?? (await startMailServer());
  onTestFinished(() => server.close());
  const mailer = await openMailer(smtpUrl ?? `smtp://127.0.0.1:${server.port}`);
  const dependencies: SendingDependencies = {
    ...{ knex, mailer, mailAttempts: 3 },
    mailBudgets: { customer: 10, firm: 5000, address: 100 },
    signingUrls: createSigningUrls('https://adx.example', secret),
    logger: createLogger('silent'),
    now: () => work.clock,
  };
  const principal = await newPrincipal(knex);
  const work: MandateSetUp = {
    ...{ url, knex, principal, mailServer: server },
    clock: new Date(),
    create: (links = { ibans: [newIban()], providers: ['sdworx'] }) =>
      createLinkedCustomer(knex, principal, links, () => work.clock),
    async ask(links) {
      const customerId = await work.create(links);
      const requestId = await work.requestOf(customerId);
      await work.deliver(requestId);
      return { customerId, requestId, token: work.token() };
    },
    passDays(days) {
      work.clock = new Date(work.clock.getTime() + days * DAY);
    },
    moveContact: (customerId, address) =>
      knex.transaction(async (trx) => {
        await trx('customers').where({ id: customerId }).update({ contact_email: address });
        await resendSignatureRequests(trx, { ...principal, customerId });
      }),
    mandates: (customerId) => mandatesOf(knex, customerId),
    statuses: async (customerId) =>
      (await mandatesOf(knex, customerId)).map(({ status }) => status),
    async requestOf(customerId) {
      const [request, ...others] = await knex('signature_requests').where({
        customer_id: customerId,
      });
      if (request === undefined || others.length > 0)
        throw new Error('There is not exactly one request');
      return request.id;
    },
    deliver: (requestId, { delivery = 1, ...options } = {}) =>
      work.send(messageIdOf({ requestId, delivery }), options),
    async send(id, { attempt, ...others } = {}) {
      const mail = await knex('outgoing_mails').where({ id }).first('firm_id as firmId');
      const key = { id, firmId: mail?.firmId ?? 'none' };
      await sendMail({ ...dependencies, ...others }, key, { ...firstAttempt, ...attempt });
    },
    token(place = -1) {
      const text = server.delivered.at(place)?.mail.text ?? '';
      const [, token] = /https:\/\/adx\.example\/sign\/([\w-]{43})(?![\w-])/.exec(text) ?? [];
      if (token === undefined) throw new Error(`There is no link in ${text}`);
      return token;
    },
    async startWorkers(count = 1, others = {}) {
      const { tasks, repeating } = createMandateTasks({ ...dependencies, ...others });
      const logger = createLogger('silent');
      const all = { ...tasks, ...createRepeatingTasks(knex, logger, repeating) };
      for (let worker = 0; worker < count; worker += 1) {
        const { stop } = await startWorker({
          ...{ databaseUrl: url, tasks: all, concurrency: 2, logger },
          ...{ heartbeat: quickHeartbeat, drainMs: 1_000 },
        });
        onTestFinished(stop);
      }
    },
    queued: (task) =>
      knex('graphile_worker.jobs')
        .whereRaw(mailKeys[task ?? ''] ?? (task === undefined ? 'true' : 'task_identifier = ?'), [
          ...(task === undefined || task in mailKeys ? [] : [task]),
        ])
        .orderBy('id')
        .select('key', 'attempts', 'run_at', 'last_error'),
    runAll: (task) =>
      work.hurry(
        () => work.queued(task),
        ({ length }) => length === 0,
      ),
    hurry: (attempt, holds) =>
      eventually(async () => {
        await knex.raw(
          `select graphile_worker.reschedule_jobs(array_agg(id), run_at => now())
             from graphile_worker.jobs where locked_at is null and run_at > now()`,
        );
        return attempt();
      }, holds),
  };
  return work;
}
