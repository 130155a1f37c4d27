import { setTimeout as sleep } from 'node:timers/promises';
import type { MandateStatus } from '@adx/client';
import type { ListedMandate } from '../operator.js';
import { deliverFirstFiles } from './deliver-files.js';
import {
  type DemoCustomer,
  demoCustomers,
  type MandateOutcome,
  type RequestOutcome,
} from './firms.js';
import {
  daysUntilEnd,
  events,
  type MandateLife,
  type ShownMandate,
  showMandate,
} from './mandate-life.js';

interface Options {
  readonly life: MandateLife;
  /** The last day of the first files, `YYYY-MM-DD`. */
  readonly deliveredUpTo: string;
  readonly isHeld: (mandateId: string) => boolean;
  readonly signal: AbortSignal;
}

interface PlannedMandate {
  readonly mandate: ListedMandate;
  readonly customer: DemoCustomer;
  /** The outcome of the signature request, or of the mandate after it was signed. */
  readonly outcome: Outcome;
}

type Outcome = RequestOutcome | MandateOutcome;

/**
 * Brings new mandates to the statuses that the demo starts with. It continues where an earlier call
 * has failed: each step is only for the mandates that have not taken it.
 */
export async function reachInitialStatuses(options: Options): Promise<void> {
  const { operator } = options.life;
  await answerRequests(options);
  const planned = await planMandates(options);
  const step = async (trigger: string, some: readonly PlannedMandate[]) => {
    const ids = some.map(({ mandate }) => mandate.id);
    if (ids.length > 0) await operator.run(['mandate', 'step', ids.join(','), trigger]);
  };
  const inStatus = (status: MandateStatus, ...outcomes: readonly Outcome[]) =>
    planned.filter((each) => each.mandate.status === status && outcomes.includes(each.outcome));

  const undelivered = inStatus('waitingForSigner', 'undelivered');
  await step('deliveryFailed', undelivered.filter(isFirstOfCustomer));
  await step('bankRefused', inStatus('waitingForBank', 'refused'));
  await step('bankConfirmed', inStatus('waitingForBank', 'confirmed', 'active'));
  await step('providerRefused', inStatus('waitingForPayrollProvider', 'refused'));
  const noticed: (() => Promise<void>)[] = [];
  for (const [some, trigger, daysToPass] of [
    [inStatus('waitingForSigner', 'expired'), 'signingPeriodEnded', daysUntilAge(signingDays + 1)],
    [inStatus('waitingForSigner', 'reminded'), 'reminded', daysUntilAge(reminderDays)],
    [inStatus('finished', 'renewing'), 'renewalOffered', daysUntilLeft(daysBeforeEnd)],
    [inStatus('finished', 'ended'), 'validityEnded', daysUntilLeft(-5)],
  ] as const) {
    for (const { mandate } of some) {
      noticed.push(await letDaysPass(options, mandate.id, trigger, daysToPass));
    }
  }
  for (const wait of noticed) await wait();
  const active = (await planMandates(options)).flatMap(({ mandate, outcome }) =>
    outcome === 'active' || outcome === 'renewing' ? [mandate] : [],
  );
  await deliverFirstFiles(operator, active, options.deliveredUpTo);
}

/** The days that a request can be signed, and those after which its contact is reminded first. */
const [signingDays, reminderDays] = [30, 7];

/** The days before its end to which a consent is brought, so that its renewal is offered. */
export const daysBeforeEnd = 10;

/** Returns the number of days until the last request has reached an age in days. */
const daysUntilAge =
  (age: number) =>
  ({ signatureRequests }: ShownMandate): number =>
    age -
    Math.floor((Date.now() - Date.parse(signatureRequests.at(-1)?.sentOn ?? '')) / 86_400_000);

/** Returns the days until a consent has only some days left. */
const daysUntilLeft =
  (daysLeft: number) =>
  (mandate: ShownMandate): number =>
    (daysUntilEnd(mandate) ?? daysLeft) - daysLeft;

/**
 * Backdates a mandate. Returns a function that waits until the service has noticed its age, so that
 * contacts who answer at random afterwards are not earlier. It also ends if a visitor was earlier.
 */
async function letDaysPass(
  { life, signal }: Options,
  id: string,
  trigger: string,
  daysToPass: (mandate: ShownMandate) => number,
): Promise<() => Promise<void>> {
  const before = await showMandate(life, id);
  const days = daysToPass(before);
  if (days > 0) await life.operator.letTimePass([id], days);
  return () =>
    repeatUntil(async () => {
      const { status, closedOn, history } = await showMandate(life, id);
      const isChanged = status !== before.status || closedOn !== undefined;
      return isChanged || history.some((each) => each.trigger === trigger);
    }, signal);
}

/** One mandate of each customer: a message and its answer affect all mandates that it covers. */
const isFirstOfCustomer = (
  { customer }: PlannedMandate,
  index: number,
  all: readonly PlannedMandate[],
): boolean => all.findIndex((each) => each.customer === customer) === index;

async function repeatUntil(isDone: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!(await isDone())) await sleep(1_000, undefined, { signal });
}

/**
 * Lists the mandates of each customer in the order in which they were linked. Customers of whom
 * scenarios have moved a mandate are left out: one message asks to sign all.
 */
async function planMandates({ life, isHeld }: Options): Promise<PlannedMandate[]> {
  const mandates = await life.operator.run<ListedMandate[]>(['mandate', 'list']);
  return demoCustomers.flatMap((customer) => {
    const own = mandates
      .filter(({ enterpriseNumber }) => enterpriseNumber === customer.enterpriseNumber)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((mandate, i) => {
        const outcome = customer.mandateOutcomes[i] ?? customer.requestOutcome;
        return { mandate, customer, outcome };
      });
    return own.some(({ mandate }) => isHeld(mandate.id)) ? [] : own;
  });
}

async function answerRequests(options: Options): Promise<void> {
  let planned: PlannedMandate[] = [];
  await repeatUntil(async () => {
    planned = await planMandates(options);
    return !planned.some(
      ({ mandate, customer }) =>
        mandate.status === 'created' && customer.requestOutcome !== 'created',
    );
  }, options.signal);
  const waiting = planned.filter(({ mandate }) => mandate.status === 'waitingForSigner');
  for (const { mandate, customer } of waiting.filter(isFirstOfCustomer)) {
    const { requestOutcome: answer } = customer;
    if (answer === 'signed' || answer === 'partlySigned' || answer === 'declined') {
      await events[answer](options.life, await showMandate(options.life, mandate.id), false);
    }
  }
}
