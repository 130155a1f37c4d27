import { createHash } from 'node:crypto';
import {
  type CodbReading,
  type PayrollDocument,
  readCodb,
  renderPayrollPdf,
  type UnknownContent,
} from '@adx/statements';
import { formatEnterpriseNumber } from '../../identifiers/enterprise-number.js';
import { findByEnterpriseNumber } from './recipient.js';
import { finding, storableText } from './upload-finding.js';
import type { UploadedDocument, UploadPart } from './uploaded-document.js';

/** Longest name of a payroll provider, in characters; real ones have some dozens. */
const longestSource = 200;

/** Reads a CODB upload: each booking is a file of its own. */
export function* readCodbDocuments(bytes: Uint8Array): Generator<UploadPart> {
  const { documents = [], unknown, findings, omittedFindings } = readCodb(bytes);
  yield { findings, omittedFindings };
  for (const [index, booking] of documents.entries()) {
    const path = documents.length === 1 ? 'Social' : `Social[${index + 1}]`;
    yield partOf(booking, contentBelow(path, unknown));
  }
}

function partOf(booking: PayrollDocument, unknown: readonly UnknownContent[]): UploadPart {
  if (booking.source.length > longestSource) {
    return { findings: [finding('sourceTooLong', booking.source.length)], omittedFindings: 0 };
  }
  return { document: documentOf(booking, unknown), findings: [], omittedFindings: 0 };
}

function documentOf(
  booking: PayrollDocument,
  unknown: readonly UnknownContent[],
): UploadedDocument {
  const { enterpriseNumber, source, accountPeriod, sequenceNumber } = booking;
  const period = Number(accountPeriod);
  const seen = `${formatEnterpriseNumber(enterpriseNumber)} (${accountPeriod}, ${sequenceNumber})`;
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
    findRecipient: (knex, customers) => findByEnterpriseNumber(knex, booking, customers),
    unmatched: finding('unknownEnterprise', seen),
    print: ({ language }) => renderPayrollPdf(booking, { language }),
  };
}

/** What the format does not have, below one booking. */
function contentBelow(path: string, unknown: CodbReading['unknown']): UnknownContent[] {
  return unknown
    .filter((each) => each.path.startsWith(`${path}/`))
    .map((each) => ({ ...each, path: each.path.slice(path.length) }));
}

/**
 * The hash of what a booking says, elements that the format does not have included: not of its bytes,
 * which differ when the same booking comes alone and with others.
 */
function hashBooking(booking: PayrollDocument, unknown: readonly UnknownContent[]): Buffer {
  const { bytes: _, ...said } = booking;
  const text = JSON.stringify([said, unknown], (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return createHash('sha256').update(text).digest();
}

/** A name in letters, digits and hyphens, at most forty of them. */
function readable(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '');
  const hyphenated = plain.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return hyphenated.slice(0, 40).replace(/-$/, '') || 'payroll';
}
