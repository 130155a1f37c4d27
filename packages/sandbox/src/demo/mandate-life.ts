import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@adx/client';
import type { ListedMandate, Operator } from '../operator.js';
import { ScenarioRefusal } from '../scenario-refusal.js';
import { ownCalls, type ServiceSettings } from '../settings-file.js';
import { answerRequest, type ContactAnswer, readSignatureMails } from './contacts.js';
import { deliverFirstFiles, yesterday } from './deliver-files.js';
import { readDemoState } from './demo-state.js';
import { demoFirms } from './firms.js';
import { holdMessage } from './hold-message.js';
import type { LifeEvent } from './mandate-ways.js';
import { clientsOf } from './seed-demo.js';

/** A mandate as `adx-server mandate show` prints it. */
export type ShownMandate = ListedMandate & {
  readonly closedOn?: string;
  readonly contact?: { readonly name: string; readonly email: string };
  readonly history: readonly { readonly trigger: string }[];
  readonly signatureRequests: readonly {
    readonly messageId: string;
    readonly sentOn: string | null;
  }[];
};

/** The world around the mandates of a sandbox. */
export type MandateLife = ReturnType<typeof openMandateLife>;

export function openMandateLife(
  dataDir: string,
  settings: Pick<ServiceSettings, 'DATABASE_URL' | 'PUBLIC_URL'>,
  operator: Operator,
) {
  const { DATABASE_URL: databaseUrl, PUBLIC_URL: url } = settings;
  let clients: readonly Client[] | undefined;
  return {
    operator,
    url,
    databaseUrl,
    mailFolder: join(dataDir, 'mail'),
    /** Returns the client of an administrator of a demo firm, by default of the first. */
    async clientOf(firmId?: string): Promise<Client | undefined> {
      const state = clients ? undefined : await readDemoState(dataDir);
      if (state !== undefined) clients = clientsOf(url + ownCalls, state);
      if (firmId === undefined) return clients?.[0];
      const firms = await operator.run<{ id: string; name: string }[]>(['firm', 'list']);
      const name = firms.find(({ id }) => id === firmId)?.name;
      return clients?.[demoFirms.findIndex((firm) => firm.name === name)];
    },
  };
}

/** How long the worker may take to record an event, in ms. */
const longestWaitMs = 60_000;

export function showMandate({ operator }: MandateLife, id: string): Promise<ShownMandate> {
  return operator.run<ShownMandate>(['mandate', 'show', id]);
}

/**
 * Makes an event of the outside world happen to a mandate, such as a signature or an answer of the
 * bank, and returns the mandate with its next status.
 *
 * @param isLast - true if the mandate is to stay in its next status, so that no message is sent
 */
export async function letHappen(
  life: MandateLife,
  before: ShownMandate,
  event: LifeEvent,
  isLast: boolean,
): Promise<ShownMandate> {
  const { id, status } = before;
  await events[event](life, before, isLast);
  const end = Date.now() + longestWaitMs;
  // Each look costs 20 ms of CPU time, which the worker needs too.
  for (let pauseMs = 100; ; pauseMs *= 1.5) {
    const mandate = await showMandate(life, id);
    if (mandate.status !== status) return mandate;
    if (Date.now() > end) {
      throw new Error(`The mandate ${id} is still ${status}: see the log of the service`);
    }
    await sleep(Math.min(pauseMs, 1_000));
  }
}

type Happens = (life: MandateLife, mandate: ShownMandate, isLast: boolean) => Promise<unknown>;

const reported =
  (trigger: string): Happens =>
  ({ operator }, { id }) =>
    operator.run(['mandate', 'step', id, trigger]);

const answered =
  (answer: ContactAnswer): Happens =>
  async ({ url, mailFolder }, { contact, signatureRequests }) => {
    const sent = new Set(signatureRequests.map(({ messageId }) => messageId));
    const mails = await readSignatureMails(mailFolder, url);
    const mail = mails.findLast(({ messageId }) => sent.has(messageId));
    if (mail === undefined) {
      throw new ScenarioRefusal(
        'The message with the request to sign is not in the mail folder, so nobody can answer it',
      );
    }
    await answerRequest(mail, answer, contact?.name ?? 'Noor Zandstra');
  };

export const events: Readonly<Record<LifeEvent | 'partlySigned', Happens>> = {
  messageSent: ({ operator }, { customerId }) => operator.delayMessages([customerId], 0),
  signed: answered('signed'),
  partlySigned: answered('partlySigned'),
  declined: answered('declined'),
  daysPass: ({ operator }, mandate) =>
    operator.letTimePass([mandate.id], (daysUntilEnd(mandate) ?? signingDays) + 3),
  deliveryFailed: reported('deliveryFailed'),
  bankConfirmed: reported('bankConfirmed'),
  bankRefused: reported('bankRefused'),
  providerRefused: reported('providerRefused'),
  firstFile: ({ operator }, mandate) => deliverFirstFiles(operator, [mandate], yesterday()),
  async requestedAgain({ clientOf, databaseUrl }, { id, firmId, customerId }, isLast) {
    const client = await clientOf(firmId);
    if (client === undefined) {
      throw new ScenarioRefusal(
        `Only its firm can ask for the signature again: call POST /mandates/${id}/request first`,
      );
    }
    const request = () => client.mandates.request(id).then(() => customerId);
    if (isLast) await holdMessage(databaseUrl, request);
    else await request();
  },
};

/** The signing period, in days (D-24). */
const signingDays = 30;

/** Returns the number of whole days that a consent is still valid; undefined for other mandates. */
export function daysUntilEnd(mandate: ListedMandate): number | undefined {
  if (!('validUntil' in mandate)) return undefined;
  return Math.floor((Date.parse(mandate.validUntil) - Date.now()) / 86_400_000);
}
