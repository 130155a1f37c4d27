import { setTimeout as sleep } from 'node:timers/promises';
import type { MandateStatus } from '@adx/client';
import type { ListedMandate, Operator } from '../operator.js';
import { answerRequest, type ContactAnswer, readSignatureMails } from './contacts.js';
import { deliverFirstFiles } from './deliver-files.js';
import {
  type DemoCustomer,
  demoCustomers,
  type MandateOutcome,
  type RequestOutcome,
} from './firms.js';

interface Options {
  readonly operator: Operator;
  /** The address of the service. */
  readonly url: string;
  readonly mailFolder: string;
  /** The last day of the first files, `YYYY-MM-DD`. */
  readonly deliveredUpTo: string;
  /** Returns true for a mandate that the demo leaves alone. */
  readonly isHeld: (mandateId: string) => boolean;
  readonly signal: AbortSignal;
}

/** A part of what `adx-server mandate show` prints. */
interface ShownMandate {
  readonly status: MandateStatus;
  readonly closedOn?: string;
  readonly history: readonly { readonly trigger: string }[];
  readonly signatureRequests: readonly { readonly sentOn: string | null }[];
}

/** A mandate of the demo, and the outcome that it is meant to have. */
interface PlannedMandate {
  readonly mandate: ListedMandate;
  readonly customer: DemoCustomer;
  readonly outcome: MandateOutcome | undefined;
}

/**
 * Brings new mandates to the statuses that the demo starts with: contacts sign, decline or do
 * nothing, banks and payroll providers answer, months pass. It continues where an earlier call has
 * failed or was interrupted: each step is only for the mandates that have not taken it.
 */
export async function reachInitialStatuses(options: Options): Promise<void> {
  const { operator, deliveredUpTo } = options;
  await answerRequests(options);
  const planned = await planMandates(options);
  const step = async (trigger: string, some: readonly PlannedMandate[]) => {
    if (some.length > 0) await operator.run(['mandate', 'step', idsOf(some).join(','), trigger]);
  };
  const inStatus = (status: MandateStatus) =>
    planned.filter(({ mandate }) => mandate.status === status);
  const atSigner = inStatus('waitingForSigner');
  const atBank = inStatus('waitingForBank');
  const atProvider = inStatus('waitingForPayrollProvider');
  const finished = inStatus('finished');

  await step('deliveryFailed', atSigner.filter(isAsked('undelivered')).filter(isFirstOfCustomer));
  await step('bankRefused', atBank.filter(hasOutcome('refused')));
  await step('bankConfirmed', atBank.filter(hasOutcome('confirmed', 'active')));
  await step('providerRefused', atProvider.filter(hasOutcome('refused')));
  const expired = atSigner.filter(isAsked('expired'));
  const reminded = atSigner.filter(isAsked('reminded'));
  const renewing = finished.filter(hasOutcome('renewing'));
  const ended = finished.filter(hasOutcome('ended'));
  await letRequestsAge(operator, expired, signingDays + 1);
  await letRequestsAge(operator, reminded, reminderDays);
  await letConsentsEnd(operator, renewing, daysBeforeEnd);
  await letConsentsEnd(operator, ended, -5);
  await untilNoticed(options, expired, 'signingPeriodEnded');
  await untilNoticed(options, reminded, 'reminded');
  await untilNoticed(options, renewing, 'renewalOffered');
  await untilNoticed(options, ended, 'validityEnded');
  const active = (await planMandates(options)).filter(hasOutcome('active', 'renewing'));
  await deliverFirstFiles(
    operator,
    active.map(({ mandate }) => mandate),
    deliveredUpTo,
  );
}

/** How long a request can be signed, and after how long its contact is reminded first, in days. */
const [signingDays, reminderDays] = [30, 7];

/** How many days before its end a consent is made to be, so that its renewal is offered. */
export const daysBeforeEnd = 10;

const DAY = 86_400_000;

/** Returns how many whole days a consent is still valid; undefined for other mandates. */
export function daysUntilEnd(mandate: ListedMandate): number | undefined {
  if (mandate.product === 'CODB' || mandate.validUntil === undefined) return undefined;
  return Math.floor((Date.parse(mandate.validUntil) - Date.now()) / DAY);
}

/** Backdates mandates until their consents have only some days left, or ended some days ago. */
async function letConsentsEnd(
  operator: Operator,
  planned: readonly PlannedMandate[],
  daysLeft: number,
): Promise<void> {
  for (const { mandate } of planned) {
    const days = (daysUntilEnd(mandate) ?? daysLeft) - daysLeft;
    if (days > 0) await operator.letTimePass([mandate.id], days);
  }
}

/** Backdates the mandates of customers until their requests were sent some days ago. */
async function letRequestsAge(
  operator: Operator,
  planned: readonly PlannedMandate[],
  age: number,
): Promise<void> {
  for (const customer of new Set(planned.map((each) => each.customer))) {
    const ids = idsOf(planned.filter((each) => each.customer === customer));
    const { signatureRequests } = await showMandate(operator, ids[0] ?? '');
    const sentOn = signatureRequests.at(-1)?.sentOn;
    const days = age - Math.floor((Date.now() - Date.parse(sentOn ?? '')) / DAY);
    if (days > 0) await operator.letTimePass(ids, days);
  }
}

/**
 * Waits until the service has noticed how old mandates are, for example has reminded their
 * contacts: contacts that answer at random afterwards could be earlier. Visitors can be earlier
 * too, and then it never does.
 */
async function untilNoticed(
  { operator, signal }: Options,
  planned: readonly PlannedMandate[],
  trigger: string,
): Promise<void> {
  for (const { mandate } of planned) {
    await repeatUntil(async () => {
      const { status, closedOn, history } = await showMandate(operator, mandate.id);
      const isChanged = status !== mandate.status || closedOn !== undefined;
      return isChanged || history.some((each) => each.trigger === trigger);
    }, signal);
  }
}

function showMandate(operator: Operator, id: string): Promise<ShownMandate> {
  return operator.run<ShownMandate>(['mandate', 'show', id]);
}

const isAsked =
  (outcome: RequestOutcome) =>
  ({ customer }: PlannedMandate): boolean =>
    customer.requestOutcome === outcome;

const hasOutcome =
  (...outcomes: readonly MandateOutcome[]) =>
  ({ outcome }: PlannedMandate): boolean =>
    outcome !== undefined && outcomes.includes(outcome);

/** One mandate of each customer: a returned message affects all mandates that it covers. */
const isFirstOfCustomer = (
  { customer }: PlannedMandate,
  index: number,
  all: readonly PlannedMandate[],
): boolean => all.findIndex((each) => each.customer === customer) === index;

const idsOf = (planned: readonly PlannedMandate[]) => planned.map(({ mandate }) => mandate.id);

async function repeatUntil(isDone: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!(await isDone())) await sleep(1_000, undefined, { signal });
}

/**
 * Lists the mandates of the demo, those of each customer in the order in which its accounts and
 * providers were linked. Customers of whom scenarios have moved a mandate are left out: one message
 * asks to sign all of them.
 */
async function planMandates({ operator, isHeld }: Options): Promise<PlannedMandate[]> {
  const mandates = await operator.run<ListedMandate[]>(['mandate', 'list']);
  return demoCustomers.flatMap((customer) => {
    const own = mandates
      .filter(({ enterpriseNumber }) => enterpriseNumber === customer.enterpriseNumber)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((mandate, i) => ({ mandate, customer, outcome: customer.mandateOutcomes[i] }));
    return own.some(({ mandate }) => isHeld(mandate.id)) ? [] : own;
  });
}

/** Waits until the requests are in the mail folder, then answers them as their contacts do. */
async function answerRequests(options: Options): Promise<void> {
  let planned: PlannedMandate[] = [];
  await repeatUntil(async () => {
    planned = await planMandates(options);
    return !planned.some(isUnsent);
  }, options.signal);
  const mails = await readSignatureMails(options.mailFolder, options.url);
  const waiting = planned.filter(({ mandate }) => mandate.status === 'waitingForSigner');
  for (const { contact, requestOutcome: answer } of new Set(waiting.map((each) => each.customer))) {
    const mail = mails.find(({ to }) => to === contact.email);
    if (mail !== undefined && isContactAnswer(answer)) {
      await answerRequest(mail, answer, contact.name);
    }
  }
}

function isUnsent({ mandate, customer }: PlannedMandate): boolean {
  return mandate.status === 'created' && customer.requestOutcome !== 'created';
}

function isContactAnswer(outcome: RequestOutcome): outcome is ContactAnswer {
  return outcome === 'signed' || outcome === 'partlySigned' || outcome === 'declined';
}
