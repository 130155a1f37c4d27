import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, MandateStatus } from '@adx/client';
import type { Operator } from '../operator.js';
import { answerRequest, readSignatureMails } from './contacts.js';
import { type DemoCustomer, demoFirms } from './firms.js';
import type { Demo, ListedMandate } from './seed-demo.js';
import { bankingDays, codaFile, codbFile, monthsBefore } from './statements.js';

export interface Simulation {
  readonly operator: Operator;
  readonly clients: readonly Client[];
  readonly mailFolder: string;
  /** Tells the reader of the terminal what has happened. */
  readonly report: (event: string) => void;
  readonly signal: AbortSignal;
}

/** Pauses between two moves of mandates, at the start and in a demo that was left running, in ms. */
const firstPauseMs = 4_000;
const longestPauseMs = 60_000;
/** After so many moves a pause is twice as long as at the start. */
const slowingMoves = 100;
/** Pause between two days of statements, in ms. */
const dayMs = 60_000;
/** How far back the statements of a new demo begin, and how many days are left to arrive one by one. */
const backlogDays = 35;
const daysToCome = 10;

const customers = demoFirms.flatMap((firm) => firm.customers);
const byNumber = new Map(customers.map((customer) => [customer.enterpriseNumber, customer]));
const firstFirm = new Set(demoFirms[0]?.customers.map(({ enterpriseNumber }) => enterpriseNumber));

/** Lets mandates move until the signal: what a contact, a bank, a provider or the firm does next. */
export async function moveMandates(simulation: Simulation): Promise<void> {
  const { operator, report, signal } = simulation;
  for (let moves = 0; !signal.aborted; moves += 1) {
    const pause = Math.min(longestPauseMs, firstPauseMs * (1 + moves / slowingMoves));
    await sleep(pause, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    try {
      const mandates = await operator.run<ListedMandate[]>(['mandate', 'list']);
      const movable = mandates.filter((mandate) => isMovable(mandate, mandates));
      const mandate = movable[Math.floor(Math.random() * movable.length)];
      if (mandate !== undefined) await move(simulation, mandate);
    } catch (error) {
      // Somebody else was quicker, or the database is away: the next move is tried all the same.
      if (!signal.aborted) report(`A move did not succeed: ${error}`);
    }
  }
}

/** The mandates of the first firm keep every status that they have, so that each can be seen. */
function isMovable(mandate: ListedMandate, all: readonly ListedMandate[]): boolean {
  if (!(mandate.status in moves)) return false;
  const isSeeded = byNumber.has(mandate.enterpriseNumber);
  // Visitors sign for the customers that they create; banks and providers answer them.
  if (!isSeeded)
    return !['waitingForSigner', 'rejectedBySigner', 'expired'].includes(mandate.status);
  if (!firstFirm.has(mandate.enterpriseNumber)) return true;
  const others = all.filter(
    ({ product, status, enterpriseNumber }) =>
      product === mandate.product && status === mandate.status && firstFirm.has(enterpriseNumber),
  );
  // One message asks for all mandates of a customer.
  return others.some(({ enterpriseNumber }) => enterpriseNumber !== mandate.enterpriseNumber);
}

type Move = 'answer' | 'bank' | 'deliver' | 'askAgain';

const moves: Readonly<Partial<Record<MandateStatus, Move>>> = {
  waitingForSigner: 'answer',
  waitingForBank: 'bank',
  confirmedByBank: 'deliver',
  waitingForPayrollProvider: 'deliver',
  rejectedBySigner: 'askAgain',
  expired: 'askAgain',
  error: 'askAgain',
  renewalRequired: 'askAgain',
};

async function move(simulation: Simulation, mandate: ListedMandate): Promise<void> {
  const { operator, clients, mailFolder, report } = simulation;
  const { id, customerName, enterpriseNumber } = mandate;
  switch (moves[mandate.status]) {
    case 'answer': {
      const contact = byNumber.get(enterpriseNumber)?.contact;
      const mails = await readSignatureMails(mailFolder);
      const mail = mails.findLast(({ to }) => to === contact?.email);
      if (mail === undefined || contact === undefined) return;
      const answer = Math.random() < 0.85 ? 'signed' : 'declined';
      await answerRequest(mail, answer, contact.name);
      return report(`${contact.name} has ${answer} for ${customerName}`);
    }
    case 'bank': {
      const trigger = Math.random() < 0.9 ? 'bankConfirmed' : 'bankRefused';
      await operator.run(['mandate', 'step', id, trigger]);
      const answered = trigger === 'bankConfirmed' ? 'confirmed' : 'refused';
      return report(`A bank has ${answered} the mandate of ${customerName}`);
    }
    case 'deliver':
      await deliverFirstFiles(simulation, [mandate]);
      return report(`The first file of ${customerName} has arrived`);
    default: {
      const index = demoFirms.findIndex((firm) =>
        firm.customers.some((each) => each.enterpriseNumber === enterpriseNumber),
      );
      await clients[index]?.mandates.request(id);
      return report(`The firm has asked ${customerName} to sign again`);
    }
  }
}

/** Delivers the files of the last month for mandates that wait for their first one. */
export async function deliverFirstFiles(
  { operator }: Pick<Simulation, 'operator'>,
  mandates: readonly ListedMandate[],
  upTo = yesterday(),
): Promise<void> {
  const after = daysBefore(upTo, backlogDays);
  await ingest(
    operator,
    mandates.flatMap((mandate) => filesOf(mandate, { after, upTo })),
  );
}

/**
 * Delivers the statements of one banking day after another to the mandates that are finished: one a
 * minute until yesterday, and then each day as it ends. No file has a date in the future.
 */
export async function deliverDays(
  simulation: Simulation,
  demo: Demo,
  save: (deliveredUpTo: string) => Promise<void>,
): Promise<void> {
  const { operator, report, signal } = simulation;
  let { deliveredUpTo } = demo;
  while (!signal.aborted) {
    await sleep(dayMs, undefined, { signal }).catch(() => {});
    const [day] = bankingDays(deliveredUpTo, yesterday());
    if (signal.aborted || day === undefined) continue;
    try {
      const mandates = await operator.run<ListedMandate[]>([
        'mandate',
        'list',
        '--status',
        'finished',
      ]);
      const stretch = { after: deliveredUpTo, upTo: day };
      await ingest(
        operator,
        mandates.flatMap((mandate) => filesOf(mandate, stretch)),
      );
      deliveredUpTo = day;
      await save(day);
      report(`The statements of ${day} have arrived`);
    } catch (error) {
      if (!signal.aborted) report(`A delivery did not succeed: ${error}`);
    }
  }
}

/** The day up to which a new demo has files from the start. */
export function beginningOfDeliveries(): string {
  return (
    bankingDays(daysBefore(yesterday(), backlogDays), yesterday()).at(-daysToCome) ?? yesterday()
  );
}

interface DeliveredFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

function filesOf(
  mandate: ListedMandate,
  stretch: { readonly after: string; readonly upTo: string },
): DeliveredFile[] {
  const customer = byNumber.get(mandate.enterpriseNumber) ?? visitorsCustomer(mandate);
  if (mandate.product === 'CODA') {
    const bic = (mandate.bic ?? 'GKCC BE BB').replaceAll(' ', '');
    const bytes = codaFile(customer, mandate.iban, bic, stretch);
    return bytes === undefined ? [] : [{ name: `${mandate.iban}.cod`, bytes }];
  }
  const months = monthsBefore(stretch.upTo, 3).filter(
    (period) => period >= stretch.after.slice(0, 7).replace('-', ''),
  );
  return months.map((period) => ({
    name: `${mandate.id}-${period}.xml`,
    bytes: codbFile(customer, mandate.payrollProviderNameNl, period),
  }));
}

/** A customer that somebody who tries out the demo has created. */
function visitorsCustomer({ customerName: name, enterpriseNumber }: ListedMandate): DemoCustomer {
  const [like] = customers;
  if (like === undefined) throw new Error('The demo has no customers');
  return { ...like, name, enterpriseNumber };
}

/** Delivers files as banks and payroll providers do: in a folder that the operator ingests. */
async function ingest(operator: Operator, files: readonly DeliveredFile[]): Promise<void> {
  if (files.length === 0) return;
  const folder = await mkdtemp(join(tmpdir(), 'adx-delivery-'));
  try {
    for (const { name, bytes } of files) await writeFile(join(folder, name), bytes);
    await operator.run(['ingest', folder]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function yesterday(): string {
  return daysBefore(new Date().toISOString().slice(0, 10), 1);
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}
