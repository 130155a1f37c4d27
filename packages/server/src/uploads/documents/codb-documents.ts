import { createHash } from 'node:crypto';
import {
  type CodbReading,
  type PayrollDocument,
  readCodb,
  renderPayrollPdf,
  type UnknownContent,
} from '@adx/statements';
import { formatEnterpriseNumber } from '../../identifiers/enterprise-number.js';
import type { Document, DocumentReading } from './document.js';
import { finding, storableText } from './finding.js';

/** Longest name of a payroll provider, in characters; real names have a few dozen. */
const longestSource = 200;

/** Reads a CODB file; each of its bookings is a document. */
export function* readCodbDocuments(bytes: Uint8Array): Generator<DocumentReading> {
  const { documents = [], unknown, findings, omittedFindings } = readCodb(bytes);
  yield { findings, omittedFindings };
  for (const [index, booking] of documents.entries()) {
    const path = documents.length === 1 ? 'Social' : `Social[${index + 1}]`;
    yield readingOf(booking, contentBelow(path, unknown));
  }
}

function readingOf(booking: PayrollDocument, unknown: readonly UnknownContent[]): DocumentReading {
  if (booking.source.length > longestSource) {
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
    print: ({ language }) => renderPayrollPdf(booking, { language }),
  };
}

/** The elements of one booking that the format does not define. */
function contentBelow(path: string, unknown: CodbReading['unknown']): UnknownContent[] {
  return unknown
    .filter((each) => each.path.startsWith(`${path}/`))
    .map((each) => ({ ...each, path: each.path.slice(path.length) }));
}

/**
 * The hash of a booking's content, including elements that the format does not define. Its bytes are
 * not hashed: they differ when the same booking comes alone and with others.
 */
function hashBooking(booking: PayrollDocument, unknown: readonly UnknownContent[]): Buffer {
  const { bytes: _, ...said } = booking;
  const text = JSON.stringify([said, unknown], (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return createHash('sha256').update(text).digest();
}

/** A name reduced to letters, digits and hyphens, at most 40 characters. */
function readable(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '');
  const hyphenated = plain.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return hyphenated.slice(0, 40).replace(/-$/, '') || 'payroll';
}
