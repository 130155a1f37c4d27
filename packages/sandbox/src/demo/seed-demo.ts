import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient, type Mandate } from '@adx/client';
import { z } from 'zod';
import { writePrivate } from '../data-folder.js';
import type { Operator } from '../operator.js';
import { answerRequest, readSignatureMails } from './contacts.js';
import { type DemoCustomer, demoAdministrator, demoConnectors, demoFirms } from './firms.js';

/** The secrets and the state of a demo, kept in the data folder. */
export interface Demo {
  readonly apiKey: string;
  /** The password of each user, by username. */
  readonly passwords: Readonly<Record<string, string>>;
  /** Whether the mandates have got to where the demo begins. */
  readonly isComplete: boolean;
  /** The last day, `YYYY-MM-DD`, whose files banks and payroll providers have delivered. */
  readonly deliveredUpTo: string;
}

/** A mandate as `adx-server mandate list` prints it. */
export type ListedMandate = Mandate & { readonly firmId: string };

const demoForm = z.object({
  apiKey: z.string(),
  passwords: z.record(z.string(), z.string()),
  isComplete: z.boolean(),
  deliveredUpTo: z.string(),
});

export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo.json');
}

/** The demo of a data folder; undefined where it has none yet. */
export async function readDemo(dataDir: string): Promise<Demo | undefined> {
  const text = await readFile(demoFile(dataDir), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : demoForm.parse(JSON.parse(text));
}

export function writeDemo(dataDir: string, demo: Demo): Promise<void> {
  return writePrivate(demoFile(dataDir), `${JSON.stringify(demo, null, 2)}\n`);
}

/** Creates the firms, users and API key of the demo, as an operator does. */
export async function createFirms(operator: Operator): Promise<Pick<Demo, 'apiKey' | 'passwords'>> {
  // Before the accounts of these banks, whose mandates are consents then.
  for (const [bic, connector] of demoConnectors) {
    await operator.run(['bank', 'set', bic, '--connector', String(connector)]);
  }
  const passwords: Record<string, string> = {};
  for (const firm of demoFirms) {
    const upload = firm.uploadsCodb ? ['--codb-upload'] : [];
    const { id } = await operator.run<{ id: string }>([
      ...['firm', 'create', '--name', firm.name],
      ...upload,
    ]);
    for (const { username, access } of firm.users) {
      const password = randomBytes(12).toString('base64url');
      passwords[username] = password;
      await operator.run(
        [
          ...['user', 'create', '--firm', id, '--username', username, '--access', access],
          '--password-stdin',
        ],
        password,
      );
    }
  }
  const { key } = await operator.run<{ key: string }>([
    ...['api-key', 'issue', '--partner', 'Demo partner', '--scopes', 'all'],
  ]);
  return { apiKey: key, passwords };
}

/** The client of the administrator of each demo firm, in their order. */
export function clientsOf(
  baseUrl: string,
  { apiKey, passwords }: Pick<Demo, 'apiKey' | 'passwords'>,
) {
  return demoFirms.map(({ users }) => {
    const username = users.find(({ access }) => access === 'administrator')?.username ?? '';
    const password = passwords[username] ?? '';
    return createClient({ baseUrl: `${baseUrl}/v1`, apiKey, username, password });
  });
}

/** Creates the customers of the demo through the interface, and assigns or hides some of them. */
export async function createCustomers(
  operator: Operator,
  clients: readonly Client[],
): Promise<void> {
  const unsent: string[] = [];
  for (const [index, firm] of demoFirms.entries()) {
    const assigned: string[] = [];
    for (const customer of firm.customers) {
      const { enterpriseNumber, name, accountingRef, address, contact } = customer;
      const created = await clients[index]?.customers.create({
        ...{ enterpriseNumber, name, accountingRef, address, contact },
        bankAccounts: customer.ibans.map((iban) => ({ iban })),
        payrollProviders: customer.payrollProviders.map((code) => ({ code })),
      });
      if (created === undefined) continue;
      if (customer.request === 'created') unsent.push(created.id);
      if (customer.isAssigned) assigned.push(created.id);
      if (customer.isConfidential)
        await operator.run(['customer', 'confidential', created.id, 'on']);
    }
    const limited = firm.users.find(({ isLimited }) => isLimited)?.username;
    if (limited === undefined) continue;
    const users = await operator.run<{ id: string; username: string }[]>(['user', 'list']);
    const { id } = users.find(({ username }) => username === limited) ?? {};
    if (id) await operator.run(['user', 'set', id, '--customers', assigned.join(',')]);
  }
  // Long enough for mandates to be seen while they are `created`.
  await operator.delayMessages(unsent, 600);
}

export interface Beginning {
  readonly operator: Operator;
  readonly mailFolder: string;
  /** Delivers the first files of mandates. */
  readonly deliver: (mandates: readonly ListedMandate[]) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Takes the mandates to where the demo begins: contacts sign, decline or do nothing, banks and payroll
 * providers answer, months pass.
 */
export async function takeToBeginning(beginning: Beginning): Promise<void> {
  const { operator, deliver } = beginning;
  await sendAndAnswer(beginning);
  const mandates = await operator.run<ListedMandate[]>(['mandate', 'list']);
  const planned = demoFirms.flatMap(({ customers }) =>
    customers.flatMap((customer) =>
      mandatesOf(customer, mandates).map((mandate, i) => ({
        mandate,
        customer,
        outcome: customer.outcomes[i],
      })),
    ),
  );
  const idsWhere = (condition: (each: (typeof planned)[number]) => boolean): string[] =>
    planned.filter(condition).map(({ mandate }) => mandate.id);
  const step = async (trigger: string, ids: readonly string[]) => {
    if (ids.length > 0) await operator.run(['mandate', 'step', ids.join(','), trigger]);
  };
  const isBank = ({ mandate }: (typeof planned)[number]) => mandate.status === 'waitingForBank';
  await step(
    'deliveryFailed',
    firstOfEach(planned.filter(({ customer }) => customer.request === 'undelivered')),
  );
  await step(
    'bankRefused',
    idsWhere((each) => isBank(each) && each.outcome === 'refused'),
  );
  await step(
    'bankConfirmed',
    idsWhere((each) => isBank(each) && (each.outcome === 'confirmed' || each.outcome === 'active')),
  );
  await step(
    'providerRefused',
    idsWhere(
      ({ mandate, outcome }) =>
        mandate.status === 'waitingForPayrollProvider' && outcome === 'refused',
    ),
  );
  await operator.letTimePass(
    idsWhere(({ customer }) => customer.request === 'expired'),
    31,
  );
  await operator.letTimePass(
    idsWhere(({ outcome }) => outcome === 'ended'),
    185,
  );
  await deliver(
    planned.filter(({ outcome }) => outcome === 'active').map(({ mandate }) => mandate),
  );
}

/** Waits until every request is in the mail folder, and lets the contacts answer. */
async function sendAndAnswer({ operator, mailFolder, signal }: Beginning): Promise<void> {
  const customers = demoFirms.flatMap((firm) => firm.customers);
  const asked = new Set(
    customers
      .filter(({ request }) => request !== 'created')
      .map(({ enterpriseNumber }) => enterpriseNumber),
  );
  const areSent = async () => {
    const created = await operator.run<ListedMandate[]>(['mandate', 'list', '--status', 'created']);
    return !created.some(({ enterpriseNumber }) => asked.has(enterpriseNumber));
  };
  while (!(await areSent())) {
    signal.throwIfAborted();
    await sleep(500, undefined, { signal });
  }
  const mails = await readSignatureMails(mailFolder);
  for (const { contact, request } of customers) {
    const mail = mails.find(({ to }) => to === contact.email);
    if (mail === undefined || (request !== 'signed' && request !== 'declined')) continue;
    await answerRequest(mail, request, contact.name);
  }
}

/** The mandates of a customer in the order in which its accounts and providers were linked. */
function mandatesOf({ enterpriseNumber }: DemoCustomer, mandates: readonly ListedMandate[]) {
  return mandates
    .filter((each) => each.enterpriseNumber === enterpriseNumber)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** One mandate of each customer: a message that came back concerns all that it asked for. */
function firstOfEach(
  planned: readonly { readonly mandate: ListedMandate; readonly customer: DemoCustomer }[],
): string[] {
  const first = new Map<string, string>();
  for (const { mandate, customer } of planned) {
    if (!first.has(customer.accountingRef)) first.set(customer.accountingRef, mandate.id);
  }
  return [...first.values()];
}

export { demoAdministrator };
