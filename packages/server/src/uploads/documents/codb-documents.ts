import { hash } from 'node:crypto';
import {
  type CodbReading,
  type PayrollDocument,
  readCodb,
  type UnknownContent,
} from '@adx/statements';
import type { Document } from '../../files/document.js';
import { formatEnterpriseNumber } from '../../identifiers/enterprise-number.js';
import { finding, type ParsedDocument, storableText } from './finding.js';

/** The longest name of a payroll provider; real names have a few dozen characters. */
const maximumSourceLength = 200;

/**
 * Reads a CODB file from its result number `skip` on. Result 0 is the findings; each booking is a
 * document.
 */
export function* readCodbDocuments(bytes: Uint8Array, skip: number): Generator<ParsedDocument> {
  const { documents = [], unknown, findings, omittedFindings } = readCodb(bytes);
  if (skip === 0) yield { findings, omittedFindings };
  const unknownOf = byBooking(unknown);
  for (const [index, booking] of documents.entries()) {
    if (index + 1 < skip) continue;
    const path = documents.length === 1 ? 'Social' : `Social[${index + 1}]`;
    yield parse(booking, unknownOf.get(path) ?? []);
  }
}

function parse(booking: PayrollDocument, unknown: readonly UnknownContent[]): ParsedDocument {
  if (booking.source.length > maximumSourceLength) {
    return { findings: [finding('sourceTooLong', booking.source.length)], omittedFindings: 0 };
  }
  return { document: documentOf(booking, unknown), findings: [], omittedFindings: 0 };
}

function documentOf(booking: PayrollDocument, unknown: readonly UnknownContent[]): Document {
  const { enterpriseNumber, source, accountPeriod, sequenceNumber } = booking;
  const period = Number(accountPeriod);
  return {
    product: 'CODB',
    bytes: booking.bytes,
    contentHash: hashBooking(booking, unknown),
    record: 1,
    key: {
      payroll_provider: storableText(source),
      account_period: period,
      year: Math.floor(period / 100),
      statement_number: sequenceNumber,
    },
    statementDate: booking.generationDate,
    fileStem: [enterpriseNumber, readable(source), accountPeriod, sequenceNumber].join('_'),
    subject: { enterpriseNumber, source },
    label: `${formatEnterpriseNumber(enterpriseNumber)} (${accountPeriod}, ${sequenceNumber})`,
  };
}

/** Groups content by the path of its booking, with the paths below that. */
function byBooking(unknown: CodbReading['unknown']): Map<string, UnknownContent[]> {
  const groups = new Map<string, UnknownContent[]>();
  for (const { path, text } of unknown) {
    const [booking = ''] = path.split('/', 1);
    const group = groups.get(booking) ?? [];
    groups.set(booking, group);
    group.push({ path: path.slice(booking.length), text });
  }
  return groups;
}

/**
 * Hashes a booking, to recognise one that is delivered again (D-29), by its content and by elements
 * that the format does not define. The layout of the XML, the version of the format, the date of
 * the file, and how the provider spells its name only say how it was delivered.
 */
function hashBooking(booking: PayrollDocument, unknown: readonly UnknownContent[]): Buffer {
  const { enterpriseNumber, enterpriseName, source, accountPeriod, sequenceNumber } = booking;
  const text = JSON.stringify([
    [enterpriseNumber, enterpriseName, lettersAndDigits(source)],
    [accountPeriod, String(sequenceNumber)],
    booking.lines.map(({ socialPeriod, department = '', account, label, debit, credit }) => [
      ...[socialPeriod, department, account, label, String(debit), String(credit)],
    ]),
    unknown.map(({ path, text }) => [path, text]),
  ]);
  return hash('sha256', text, 'buffer');
}

function lettersAndDigits(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Reduces a name to letters, digits and hyphens, at most 40 characters. */
function readable(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '');
  const hyphenated = plain.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return hyphenated.slice(0, 40).replace(/-$/, '') || 'payroll';
}
