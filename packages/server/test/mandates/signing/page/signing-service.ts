import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { afterAll } from 'vitest';
import { newIban } from '../../../../../../test/support/numbers.js';
import type { AppSettings } from '../../../../src/http/app.js';
import { createRequestLog } from '../../../../src/http/request-state.js';
import { createMailer } from '../../../../src/mail/mailer.js';
import { messageIdOf } from '../../../../src/mandates/signing/outgoing-mails.js';
import { createSigningPage } from '../../../../src/mandates/signing/page/router.js';
import { sendMail } from '../../../../src/mandates/signing/send-mail.js';
import {
  createSigningUrls,
  type RequestMail,
  signingPath,
} from '../../../../src/mandates/signing/signing-urls.js';
import { freeFirmName } from '../../../support/rows.js';
import { type Answer, type Call, sendRequest } from '../../../support/send-request.js';
import { createLinkedCustomer, newPrincipal } from '../../linked-customer.js';

/** The fields of a signature request. Each has a default. */
interface TestRequest {
  readonly firmName?: string;
  readonly customerName?: string;
  readonly language?: 'fr' | 'nl' | 'de' | 'en';
  readonly ibans?: readonly string[];
  readonly payrollProviders?: readonly string[];
}

/** A signature request that was sent. */
export interface SentRequest extends RequestMail {
  readonly token: string;
  readonly path: string;
  readonly customerId: string;
}

interface SigningService {
  readonly origin: string;
  /** The fixed time of the page. */
  now: Date;
  /** Returns all log lines, at level `trace`. */
  readonly log: () => string;
  send(request?: TestRequest): Promise<SentRequest>;
  ask(path: string, call?: Call): Promise<Answer>;
  /** Opens the page and posts fields as a browser does, with the hidden field of the page. */
  post(path: string, fields: Record<string, string>, headers?: Call['headers']): Promise<Answer>;
  /** Posts only these fields, without opening the page. */
  postTo(path: string, fields: Record<string, string>, headers?: Call['headers']): Promise<Answer>;
  close(): Promise<void>;
}

interface SigningServiceOptions {
  readonly trustedProxies?: AppSettings['trustedProxies'];
  readonly check?: (firmId: string) => void;
}

const form = 'application/x-www-form-urlencoded';
const publicUrl = 'https://adx.example.org';
const signingUrls = createSigningUrls(publicUrl, 'a secret of at least thirty-two characters');

/** The fields of an answer. */
export const signed = { answer: 'signed', name: 'An Peeters', consent: 'yes' };
export const declined = { answer: 'declined', consent: 'yes' };

/** Starts a server with the signing page only, which is closed when the test file is done. */
export async function signingServiceForFile(knex: Knex): Promise<SigningService> {
  const service = await startSigningService(knex);
  afterAll(() => service.close());
  return service;
}

/** Starts a server with the signing page only. */
export async function startSigningService(
  knex: Knex,
  options: SigningServiceOptions = {},
): Promise<SigningService> {
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const app = express().disable('etag');
  if (options.trustedProxies !== undefined) app.set('trust proxy', options.trustedProxies);
  app.use(createRequestLog(logger));
  app.use(
    signingPath,
    createSigningPage({
      knex,
      publicUrl,
      trail: { add: () => {} },
      check: options.check ?? (() => {}),
      now: () => service.now,
    }),
  );
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = (path: string, call?: Call) => sendRequest(origin, path, call);

  const service: SigningService = {
    ...{ origin, ask },
    now: new Date('2026-11-02T09:00:00Z'),
    log: () => lines.join(''),
    send: (asked = {}) => sendSignatureRequest(knex, asked, service.now),
    post: async (path, fields, headers) =>
      service.postTo(path, { ...hiddenFields((await ask(path)).body), ...fields }, headers),
    postTo: (path, fields, headers = {}) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': form, ...headers },
        body: new URLSearchParams(fields).toString(),
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return service;
}

/** Returns the hidden fields of a page, which are the same in both forms. */
export function hiddenFields(page: string): Record<string, string> {
  const inputs = page.matchAll(/<input type="hidden" name="(\w+)" value="(\w+)"/g);
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]));
}

/** Links accounts and providers to a new customer, and sends the signature request. */
async function sendSignatureRequest(
  knex: Knex,
  asked: TestRequest,
  now: Date,
): Promise<SentRequest> {
  const { firmName: name = 'Kantoor Janssens', customerName, language = 'en' } = asked;
  const { ibans = [newIban()], payrollProviders = [] } = asked;
  await freeFirmName(knex, name);
  const principal = await newPrincipal(knex, { name });
  const { firmId } = principal;
  const asLinked = { ibans, providers: payrollProviders };
  const customerId = await createLinkedCustomer(knex, principal, asLinked, () => now, {
    contact_language: language,
    ...(customerName !== undefined && { name: customerName }),
  });
  const { id: requestId } = await knex('signature_requests')
    .where({ customer_id: customerId })
    .first('id');
  const delivery = { requestId, firmId, delivery: 1 };
  await deliver(knex, delivery, now);
  const token = (await signingUrls.create(knex, delivery)).split('/').at(-1) ?? '';
  return { ...delivery, token, path: `${signingPath}/${token}`, customerId };
}

/** Sends the mail of a request, into a temporary folder. */
export async function deliver(knex: Knex, delivery: RequestMail, now: Date): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'adx-signing-'));
  const logger = pino({ level: 'silent' });
  const from = 'noreply@adx.example';
  const mailer = createMailer({ to: { folder }, from, logger });
  await sendMail(
    {
      ...{ knex, mailer, signingUrls, logger, mailAttempts: 1, now: () => now },
      // The address of the contact is the same in all requests.
      mailBudgets: { customer: 10, firm: 5000, address: 5000 },
    },
    { id: messageIdOf(delivery), firmId: delivery.firmId },
    { jobId: '1', place: 0, number: 1, isLast: true },
  );
  mailer.close();
  await rm(folder, { recursive: true });
}
