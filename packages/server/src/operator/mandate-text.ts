import type { ListedMandate } from '../mandates/mandate-directory.js';
import type { HistoryEntry, RequestedSignature } from '../mandates/mandate-history.js';
import { formatLines, formatTable } from './text-table.js';

/** A mandate with all that is known of it. */
export type ShownMandate = ListedMandate & {
  readonly contact: { readonly name: string; readonly email: string } | undefined;
  readonly signatureRequests: readonly RequestedSignature[];
  readonly history: readonly HistoryEntry[];
};

/** Mandates as a table for people. */
export function formatMandates(mandates: readonly ListedMandate[]): string {
  return formatTable(
    ['ID', 'CUSTOMER', 'PRODUCT', 'FOR', 'STATUS', 'UPDATED'],
    mandates.map((each) => [
      each.id,
      each.customerName,
      each.product,
      subjectOf(each),
      each.status,
      each.updatedOn,
    ]),
  );
}

/** A mandate for people: itself, what was asked of the contact, and what happened. */
export function formatMandate(mandate: ShownMandate, steps: readonly string[]): string {
  const { contact, error, closedOn } = mandate;
  const lines = formatLines({
    id: mandate.id,
    mandate: `${mandate.product} ${subjectOf(mandate)}`,
    status: mandate.status,
    ...(error && { error: `${error.code}: ${error.message}` }),
    ...validity(mandate),
    customer: `${mandate.customerName}, ${mandate.enterpriseNumber} (${mandate.customerId})`,
    ...(contact && { contact: `${contact.name} <${contact.email}>` }),
    firm: mandate.firmId,
    created: mandate.createdOn,
    updated: mandate.updatedOn,
    ...(closedOn && { closed: closedOn.toISOString() }),
    ...(steps.length > 0 && { 'to report': steps.join(', ') }),
  });
  const requests = mandate.signatureRequests.map(formatRequest);
  return [lines, ...requests, formatHistory(mandate.history)].join('\n');
}

function subjectOf(mandate: ListedMandate): string {
  if (mandate.product === 'CODB') return mandate.payrollProviderCode;
  return mandate.bankName === undefined ? mandate.iban : `${mandate.iban} ${mandate.bankName}`;
}

function validity(mandate: ListedMandate): Record<string, string> {
  if (mandate.product === 'CODB' || mandate.connectorId === undefined) return {};
  const { connectorId, validUntil } = mandate;
  return {
    'light connector': String(connectorId),
    ...(validUntil !== undefined && { 'valid until': validUntil }),
  };
}

function formatRequest(request: RequestedSignature): string {
  const { sentOn, sentTo, expiresOn, answer, answeredOn, isAnswered } = request;
  const { signerName, signerAddress, signerUserAgent } = request;
  const of = isAnswered ? '' : ', not for this mandate';
  return formatLines({
    'signature request': request.id,
    '  created': request.createdOn.toISOString(),
    '  sent': sentOn?.toISOString() ?? 'not yet',
    ...(sentTo !== null && { '  to': sentTo }),
    ...(expiresOn && { '  expires': expiresOn.toISOString() }),
    '  answer': answer === null ? 'none' : `${answer} on ${answeredOn?.toISOString()}${of}`,
    ...(signerName !== null && { '  signer': signerName }),
    ...(signerAddress !== null && { '  address': signerAddress }),
    ...(signerUserAgent !== null && { '  browser': signerUserAgent }),
  });
}

function formatHistory(history: readonly HistoryEntry[]): string {
  return formatTable(
    ['WHEN', 'FROM', 'TO', 'TRIGGER', 'BY'],
    history.map(({ happenedOn, from, to, trigger, by, name }) => [
      happenedOn.toISOString(),
      from ?? '',
      to ?? 'closed',
      trigger,
      name === null ? by : `${by} ${name}`,
    ]),
  );
}
