import { setTimeout as sleep } from 'node:timers/promises';
import type { MandateStatus } from '@adx/client';
import type { ListedMandate, Operator } from '../operator.js';
import { answerRequest, type ContactAnswer, readSignatureMails } from './contacts.js';
import { deliverFirstFiles } from './deliver-files.js';
import { type DemoCustomer, demoFirms, type MandateOutcome, type RequestOutcome } from './firms.js';

const customers = demoFirms.flatMap((firm) => firm.customers);

interface Options {
  readonly operator: Operator;
  /** The address of the service. */
  readonly url: string;
  readonly mailFolder: string;
  /** The last day of the first files, `YYYY-MM-DD`. */
  readonly deliveredUpTo: string;
  readonly signal: AbortSignal;
}

/** A part of what `adx-server mandate show` prints. */
interface WithHistory {
  readonly history: readonly unknown[];
}

/** A mandate of the demo, and the outcome that it is meant to have. */
interface PlannedMandate {
  readonly mandate: ListedMandate;
  readonly customer: DemoCustomer;
  readonly outcome: MandateOutcome | undefined;
}

/**
 * Brings new mandates to the statuses that the demo starts with: contacts sign, decline or do nothing,
 * banks and payroll providers answer, months pass.
 */
export async function reachInitialStatuses(options: Options): Promise<void> {
  const { operator, deliveredUpTo } = options;
  await sendAndAnswerRequests(options);
  const mandates = await operator.run<ListedMandate[]>(['mandate', 'list']);
  const planned = customers.flatMap((customer) => plan(customer, mandates));
  const step = async (trigger: string, some: readonly PlannedMandate[]) => {
    if (some.length > 0) await operator.run(['mandate', 'step', idsOf(some).join(','), trigger]);
  };
  // Only from the statuses that they start from: an earlier run may have been interrupted between them.
  const inStatus = (status: MandateStatus) =>
    planned.filter(({ mandate }) => mandate.status === status);
  const atSigner = inStatus('waitingForSigner');
  const atBank = inStatus('waitingForBank');
  const atProvider = inStatus('waitingForPayrollProvider');

  await step('deliveryFailed', atSigner.filter(isAsked('undelivered')).filter(isFirstOfCustomer));
  await step('bankRefused', atBank.filter(hasOutcome('refused')));
  await step('bankConfirmed', atBank.filter(hasOutcome('confirmed', 'active')));
  await step('providerRefused', atProvider.filter(hasOutcome('refused')));
  await operator.letTimePass(idsOf(atSigner.filter(isAsked('expired'))), signingDays + 1);
  const renewing = inStatus('finished')
    .filter(hasOutcome('renewing'))
    .filter(({ mandate }) => !('renewal' in mandate));
  await letTimePassUntilNoticed(options, [
    [idsOf(atSigner.filter(isAsked('reminded'))), reminderDays],
    [idsOf(renewing), consentDays - 10],
  ]);
  const ended = inStatus('finished').filter(hasOutcome('ended'));
  await operator.letTimePass(idsOf(ended), consentDays + 5);
  const active = planned.filter(hasOutcome('active', 'renewing')).map(({ mandate }) => mandate);
  await deliverFirstFiles(operator, active, deliveredUpTo);
}

/**
 * How long a request can be signed, after how long its contact is reminded first, and how long the
 * consent of a light connector is valid, in days.
 */
const [signingDays, reminderDays, consentDays] = [30, 7, 180];

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

/**
 * Backdates mandates, and waits until the service has reminded their contacts or offered their renewal:
 * contacts that answer at random afterwards could be earlier.
 */
async function letTimePassUntilNoticed(
  { operator, signal }: Options,
  periods: readonly (readonly [mandateIds: readonly string[], days: number])[],
): Promise<void> {
  const ids = periods.flatMap(([mandateIds]) => mandateIds);
  const lengthOfHistory = async (id: string) =>
    (await operator.run<WithHistory>(['mandate', 'show', id])).history.length;
  const before = await Promise.all(ids.map(lengthOfHistory));
  for (const [mandateIds, days] of periods) await operator.letTimePass(mandateIds, days);
  await repeatUntil(async () => {
    const after = await Promise.all(ids.map(lengthOfHistory));
    return after.every((length, place) => length > (before[place] ?? 0));
  }, signal);
}

async function repeatUntil(isDone: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!(await isDone())) await sleep(1_000, undefined, { signal });
}

/** The mandates of a customer in the order in which its accounts and providers were linked. */
function plan(customer: DemoCustomer, mandates: readonly ListedMandate[]): PlannedMandate[] {
  return mandates
    .filter(({ enterpriseNumber }) => enterpriseNumber === customer.enterpriseNumber)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((mandate, i) => ({ mandate, customer, outcome: customer.mandateOutcomes[i] }));
}

function isContactAnswer(outcome: RequestOutcome): outcome is ContactAnswer {
  return outcome === 'signed' || outcome === 'partlySigned' || outcome === 'declined';
}

/** Waits until the requests are in the mail folder, then answers them as their contacts do. */
async function sendAndAnswerRequests({
  operator,
  url,
  mailFolder,
  signal,
}: Options): Promise<void> {
  const asked = new Set(
    customers
      .filter(({ requestOutcome }) => requestOutcome !== 'created')
      .map(({ enterpriseNumber }) => enterpriseNumber),
  );
  const areSent = async () => {
    const created = await operator.run<ListedMandate[]>(['mandate', 'list', '--status', 'created']);
    return !created.some(({ enterpriseNumber }) => asked.has(enterpriseNumber));
  };
  await repeatUntil(areSent, signal);
  const mails = await readSignatureMails(mailFolder, url);
  for (const { contact, requestOutcome: answer } of customers) {
    const mail = mails.find(({ to }) => to === contact.email);
    if (mail === undefined || !isContactAnswer(answer)) continue;
    await answerRequest(mail, answer, contact.name);
  }
}
