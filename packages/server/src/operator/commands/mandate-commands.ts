import { formatLines, formatRecords } from '@adx/command/print-lines';
import type { MandateStatus, Product } from '@adx/contract';
import { Argument, type Command } from 'commander';
import type { Knex } from 'knex';
import { DAY } from '../../dates/brussels-day.js';
import { operatorScope } from '../../identity/operator-scope.js';
import { kindOf } from '../../mandates/lifecycle.js';
import {
  findMandate,
  type HistoryEntry,
  listMandates,
  type RequestedSignature,
  type SentEvidence,
  type ShownMandate,
  showMandate,
} from '../../mandates/listed-mandates.js';
import type { ListedMandate } from '../../mandates/mandate-record.js';
import type { StatusChange } from '../../mandates/mandate-steps.js';
import {
  type ReportedTrigger,
  reportedTriggers,
  reportedTriggersFrom,
  reportStep,
} from '../../mandates/report-step.js';
import { parseAccount, parseDays, parseId, parseIds, parseStatuses } from '../arguments.js';
import type { ObjectOutcome } from '../audited-command.js';
import { type OperatorContext, OperatorFailure, requireFound } from '../operator-context.js';
import { addEvidenceCommand } from './evidence-command.js';

interface ListOptions {
  readonly iban?: string;
  readonly status?: readonly MandateStatus[];
  readonly closed: boolean;
  readonly unsignedFor?: number;
  readonly otherConnector: boolean;
  readonly contested: boolean;
}

export function addMandateCommands(program: Command, context: OperatorContext): void {
  const mandate = program.command('mandate').description('mandates of all firms');

  mandate
    .command('list')
    .description('list the mandates that are not closed')
    .option('--firm <id>', 'only mandates of this firm', parseId)
    .option('--iban <iban>', 'only mandates of this account', parseAccount)
    .option(
      '--status <statuses>',
      'only mandates in these statuses, separated by commas',
      parseStatuses,
    )
    .option('--closed', 'list the mandates that are closed instead', false)
    .option(
      '--unsigned-for <days>',
      'only those that the contact was asked to sign more than so many days ago, without an answer',
      parseDays,
    )
    .option(
      '--other-connector',
      'only those whose bank now has another light connector, or one where they have none',
      false,
    )
    .option(
      '--contested',
      'only those whose deliveries depend, or depended, on a confirmation, because another firm had the account or enterprise number before, or something was delivered for it before any firm had it',
      false,
    )
    .action(({ status: statuses, unsignedFor, ...others }: ListOptions) => {
      const unansweredSince =
        unsignedFor === undefined ? undefined : new Date(Date.now() - unsignedFor * DAY);
      const filters = { ...others, statuses, unansweredSince };
      return context.printList({
        read: (knex, scope) => listMandates(knex, scope, filters),
        cells: (each) => ({
          ID: each.id,
          FIRM: each.firmId,
          CUSTOMER: each.customerName,
          PRODUCT: each.product,
          FOR: subjectOf(each),
          STATUS: statusOf(each),
          ASKED: each.askedOn,
          UPDATED: each.updatedOn,
        }),
      });
    });

  mandate
    .command('show')
    .description('show a mandate with its possible steps, its signature requests and its history')
    .argument('<id>', 'id of the mandate', parseId)
    .action(async (id: string) => {
      const shown = await context.withDatabase(async (knex) =>
        requireFound(await showMandate(knex, operatorScope(), id), 'mandate', id),
      );
      const steps = stepsOf(shown);
      context.printResult({ ...shown, steps }, formatMandate(shown, steps));
    });

  addEvidenceCommand(mandate, context);

  mandate
    .command('step')
    .description('record what a bank, a payroll provider or a mail server reported')
    .argument('<ids>', 'ids of mandates, separated by commas', parseIds)
    .addArgument(new Argument('<trigger>', 'what was reported').choices(reportedTriggers))
    .action(async (ids: readonly string[], trigger: ReportedTrigger) => {
      const { changes, refusals } = await context.change(
        (knex) => stepAll(knex, ids, trigger),
        ({ outcomes }) => outcomes,
      );
      if (changes.length > 0) {
        context.printResult(
          { trigger, changes },
          changes.map((each) => `Mandate ${each.id}: ${each.from} → ${each.to}\n`).join(''),
        );
      }
      if (refusals.length > 0) throw new OperatorFailure(refusals.join('\n'));
    });
}

/** Applies the step to each mandate separately: a refused one does not affect the others. */
async function stepAll(knex: Knex, ids: readonly string[], trigger: ReportedTrigger) {
  const changes: StatusChange[] = [];
  const refusals: string[] = [];
  const outcomes: ObjectOutcome[] = [];
  for (const id of ids) {
    const report = {
      mandateId: id,
      trigger,
      actor: { kind: 'operator' },
      now: new Date(),
    } as const;
    const changed = await reportStep(knex, report);
    if (changed !== undefined) changes.push(...changed);
    else refusals.push(refusalOf(id, await findMandate(knex, operatorScope(), id), trigger));
    outcomes.push({ objectId: id, outcome: changed === undefined ? 'refused' : 'done' });
  }
  return { changes, refusals, outcomes };
}

/** Returns the events that may be reported for a mandate. */
function stepsOf(mandate: ListedMandate): ReportedTrigger[] {
  if (mandate.closedOn !== undefined) return [];
  const connectorId = 'connectorId' in mandate ? mandate.connectorId : null;
  return reportedTriggersFrom(kindOf({ ...mandate, connectorId }), mandate.lifecycleStatus);
}

function refusalOf(
  id: string,
  mandate: ListedMandate | undefined,
  trigger: ReportedTrigger,
): string {
  if (mandate === undefined) return `There is no mandate with the id ${id}.`;
  const { status, closedOn } = mandate;
  if (closedOn !== undefined) {
    return `Mandate ${id} was closed on ${closedOn}: no step is possible.`;
  }
  const steps = stepsOf(mandate);
  return steps.length === 0
    ? `Mandate ${id} is ${status}: no step can be reported.`
    : `Mandate ${id} is ${status}: ${trigger} cannot be reported, only ${steps.join(', ')}.`;
}

function formatMandate(mandate: ShownMandate, steps: readonly string[]): string {
  const { contact, error, closedOn, status, unsupportedBecause: because } = mandate;
  const lines = formatLines({
    id: mandate.id,
    mandate: `${mandate.product} ${subjectOf(mandate)}`,
    status: because === undefined ? status : `${status}: ${because}`,
    ...(mandate.isContested && { contested: contested(mandate) }),
    error: error && `${error.code}: ${error.message}`,
    ...validity(mandate),
    customer: `${mandate.customerName}, ${mandate.enterpriseNumber} (${mandate.customerId})`,
    contact: contact && `${contact.name} <${contact.email}>`,
    firm: mandate.firmId,
    created: mandate.createdOn,
    updated: mandate.updatedOn,
    closed: closedOn,
    ...(steps.length > 0 && { 'to report': steps.join(', ') }),
  });
  const requests = mandate.signatureRequests.map(formatRequest);
  return [lines, ...requests, formatHistory(mandate.history)].join('\n');
}

const confirmations: Readonly<Record<Product, { subject: string; step: ReportedTrigger }>> = {
  CODA: { subject: 'account', step: 'bankConfirmed' },
  CODB: { subject: 'enterprise number', step: 'fileReceived' },
};

/** Says that deliveries depend on a confirmation (D-66), and which step records it. */
function contested({ product }: ListedMandate): string {
  const { subject, step } = confirmations[product];
  return `another firm had the ${subject} before, or something was delivered for it before any firm had it: deliveries are held until ${step} is reported`;
}

function statusOf(mandate: ListedMandate): string {
  const { status } = mandate;
  return 'renewal' in mandate ? `${status}, renewal ${mandate.renewal}` : status;
}

function subjectOf(mandate: ListedMandate): string {
  if (!('iban' in mandate)) return mandate.payrollProviderCode;
  return mandate.bankName === undefined ? mandate.iban : `${mandate.iban} ${mandate.bankName}`;
}

function validity(mandate: ListedMandate) {
  if (!('connectorId' in mandate)) return {};
  const { connectorId, validUntil, renewal } = mandate;
  return { 'light connector': connectorId, 'valid until': validUntil, renewal };
}

function formatRequest(request: RequestedSignature): string {
  const { sentOn, sentTo, remindedOn, expiresOn } = request;
  const { answer, answeredOn, isAnswered } = request;
  const of = isAnswered ? '' : ', not for this mandate';
  return formatLines({
    'signature request': request.id,
    '  message id': request.messageId,
    '  created': request.createdOn,
    '  sent': sentOn === null ? 'not yet' : `first on ${sentOn.toISOString()}, last to ${sentTo}`,
    ...(remindedOn.length > 0 && {
      '  reminded': remindedOn.map((instant) => instant.toISOString()).join(', '),
    }),
    '  waits': request.waitsFor && waitingFor[request.waitsFor],
    '  failures': request.sendFailures > 0 ? failuresOf(request) : undefined,
    '  expires': expiresOn,
    '  answer': answer === null ? 'none' : `${answer} on ${answeredOn?.toISOString()}${of}`,
    '  signer': request.signerName,
    '  address': request.signerAddress,
    '  browser': request.signerUserAgent,
    ...Object.fromEntries(request.evidenceMails.map(evidenceMailLine)),
  });
}

function evidenceMailLine({
  recipient,
  address,
  sentOn,
  failures,
  lastFailure,
}: SentEvidence): [label: string, value: string] {
  const failed = failures === 0 ? '' : `, failures ${failures}, the last: ${lastFailure}`;
  const sent = sentOn === null ? `not sent${failed}` : `sent on ${sentOn.toISOString()}`;
  return [`  evidence to ${recipient}`, `${address}: ${sent}`];
}

/** The reasons why a request waits, with the setting of the budget (D-36). */
const waitingFor: Readonly<Record<NonNullable<RequestedSignature['waitsFor']>, string>> = {
  customer: 'the budget of mails of the customer is used up (MAILS_PER_CUSTOMER_PER_DAY)',
  firm: 'the budget of mails of the firm is used up (MAILS_PER_FIRM_PER_DAY), or the firm is disabled',
  address: 'the budget of mails to the address is used up (MAILS_PER_ADDRESS_PER_DAY)',
};

function failuresOf({ sendFailures, lastFailure, failedTo }: RequestedSignature): string {
  const to = failedTo === null ? '' : ` to ${failedTo}`;
  return `${sendFailures}${lastFailure === null ? '' : `, the last${to}: ${lastFailure}`}`;
}

function formatHistory(history: readonly HistoryEntry[]): string {
  return formatRecords(history, ({ happenedOn, from, to, trigger, by, name }) => ({
    WHEN: happenedOn,
    FROM: from,
    TO: to ?? 'closed',
    TRIGGER: trigger,
    BY: name === null ? by : `${by} ${name}`,
  }));
}
