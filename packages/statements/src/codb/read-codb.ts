import { requireBytes } from '../require-bytes.js';
import { ChildElements } from './child-elements.js';
import { CodbReport, type UnknownContent } from './codb-report.js';
import type { CodbFinding } from './findings/finding-catalogue.js';
import type { PayrollBooking } from './payroll-booking.js';
import { type PayrollFileHead, readPayrollBooking } from './read-payroll-booking.js';
import { shortened } from './read-payroll-line.js';
import { decodeXml } from './xml/decode-xml.js';
import { parseXml, type XmlElement } from './xml/parse-xml.js';
import { XmlFault, xmlLimits } from './xml/xml-fault.js';

/** A booking read from a file. */
export interface PayrollDocument extends PayrollBooking {
  /** An XML file of this booking alone: the file itself, or a part of it in UTF-8. */
  readonly bytes: Uint8Array;
}

export interface CodbReading {
  /** One per `Social`, at least one; undefined if a finding is an error. */
  readonly documents: readonly PayrollDocument[] | undefined;
  /** Content that the format does not define, each with a warning; it is in no document. */
  readonly unknown: readonly UnknownContent[];
  /** In file order. */
  readonly findings: readonly CodbFinding[];
  /** The number of findings beyond those. */
  readonly omittedFindings: number;
}

/**
 * Reads a payroll file. Faults of the file are findings with a position.
 *
 * @example
 * const { documents, findings } = readCodb(await readFile('payroll.xml'));
 * if (!documents) return refuse(findings);
 * for (const booking of documents) book(booking.enterpriseNumber, booking.lines);
 * @throws {TypeError} for anything but bytes, such as a string
 */
export function readCodb(bytes: Uint8Array): CodbReading {
  requireBytes(bytes, 'readCodb');
  let report = new CodbReport('');
  let documents: PayrollDocument[] = [];
  try {
    const { text, encoding, falseDeclaration } = decodeXml(bytes);
    report = new CodbReport(text);
    if (falseDeclaration !== undefined) {
      report.add('encodingDeclaration', 0, { found: encoding, expected: falseDeclaration });
    }
    const replaced = text.indexOf('\uFFFD');
    if (replaced !== -1) report.add('replacementCharacter', replaced);
    documents = readDocuments(parseXml(text), text, bytes, report);
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    report.add(error.code, error.offset, error.values, error.message || undefined);
  }
  const { refused, unknown, findings, omitted: omittedFindings } = report;
  return { documents: refused ? undefined : documents, unknown, findings, omittedFindings };
}

function readDocuments(
  root: XmlElement,
  text: string,
  bytes: Uint8Array,
  report: CodbReport,
): PayrollDocument[] {
  const elements = new ChildElements(root, '', ['Source', 'Version', 'Social'], report);
  const head = readHead(elements, report);
  const socials = elements.all('Social');
  if (socials.length === 0) report.add('noBooking', root.start);
  const fileHead = headOfSingleBookingFiles(root, text);
  if (fileHead.length * (socials.length - 1) > xmlLimits.fileBytes) {
    report.add('tooManyBookings', root.start);
    return [];
  }
  const keys = new Set<string>();
  return socials.flatMap((social, index) => {
    const path = socials.length === 1 ? 'Social' : `Social[${index + 1}]`;
    const booking = readPayrollBooking(social, path, head, report);
    if (!booking) return [];
    const key = [booking.sequenceNumber, booking.accountPeriod, booking.enterpriseNumber].join();
    if (keys.has(key)) report.add('repeatedBooking', social.start, { field: path });
    keys.add(key);
    const single = socials.length > 1 ? singleBookingFile(fileHead, social, text) : bytes;
    return [{ ...booking, bytes: single }];
  });
}

function readHead(elements: ChildElements, report: CodbReport): PayrollFileHead {
  const source = elements.requiredText('Source') ?? '';
  const version = elements.optionalText('Version') ?? '';
  if (version !== '1.2' && version !== '0.1') {
    const place = elements.all('Version')[0] ?? elements.parent;
    report.add('unknownVersion', place.start, { found: shortened(version), expected: '1.2' });
  }
  return { source, version };
}

/**
 * Makes a UTF-8 file of one booking: the root's start tag with its namespaces, `Source`, `Version`,
 * and the unchanged `Social`.
 */
function singleBookingFile(head: string, social: XmlElement, text: string): Uint8Array {
  const rootName = /<([^\s/>]+)/.exec(head.slice(declaration.length))?.[1];
  const body = `  ${text.slice(social.start, social.end)}\n</${rootName}>\n`;
  return new TextEncoder().encode(head + body);
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** The text before the `Social` in each of the files that a file is split into. */
function headOfSingleBookingFiles(root: XmlElement, text: string): string {
  const shared = root.children
    .filter(({ name }) => name === 'Source' || name === 'Version')
    .map(({ start, end }) => `  ${text.slice(start, end)}\n`);
  return `${declaration}${text.slice(root.start, root.contentStart)}\n${shared.join('')}`;
}
