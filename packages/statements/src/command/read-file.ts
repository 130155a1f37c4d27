import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type CodaResult, readCoda } from '../coda/read/read-coda.js';
import type { Statement } from '../coda/statement.js';
import type { PayrollBooking } from '../codb/payroll-booking.js';
import { readCodb } from '../codb/read-codb.js';
import { describeCodaFinding, describeCodbFinding } from '../describe-finding.js';
import type { Finding } from '../finding.js';
import type { FindingLanguage } from '../finding-language.js';
import { WrongUse } from './command-line.js';

/** A statement or a payroll file, with what was found in it. */
export interface ReadPart {
  /** Undefined if it is refused. */
  readonly statement?: Statement;
  /** None if the file is refused, or no payroll file. */
  readonly bookings: readonly PayrollBooking[];
  readonly findings: readonly Finding[];
  readonly omittedFindings: number;
}

/** A file that was read. */
export interface ReadFile {
  /** As on the command line. */
  readonly name: string;
  readonly format: 'CODA' | 'CODB';
  readonly parts: readonly ReadPart[];
  /** True if no part is refused. */
  readonly isAccepted: boolean;
}

/**
 * Reads a file, whose format is seen from its content: a payroll file is XML.
 *
 * @param name a path, or `-` for standard input
 * @param language the language of the findings' messages
 * @throws WrongUse if the file cannot be read
 */
export async function readStatementFile(
  name: string,
  input: AsyncIterable<Uint8Array>,
  language: FindingLanguage,
): Promise<ReadFile> {
  const bytes = await contentOf(name, input);
  if (looksLikeXml(bytes)) {
    const { documents, findings: found, omittedFindings } = readCodb(bytes);
    const findings = translate(found, describeCodbFinding, language);
    const bookings = (documents ?? []).map(({ bytes: _, ...booking }) => booking);
    const parts = [{ bookings, findings, omittedFindings }];
    return { name, format: 'CODB', parts, isAccepted: documents !== undefined };
  }
  const parts: ReadPart[] = [];
  for await (const result of readCoda(bytes)) parts.push(partOf(result, language));
  return {
    name,
    format: 'CODA',
    parts,
    isAccepted: parts.every(({ statement }) => statement !== undefined),
  };
}

function partOf(
  { statement, findings: found, omittedFindings }: CodaResult,
  language: FindingLanguage,
): ReadPart {
  const findings = translate(found, describeCodaFinding, language);
  return { ...(statement && { statement }), bookings: [], findings, omittedFindings };
}

/** Returns findings with their messages in a language. Those of the readers are English. */
function translate<Each extends Finding>(
  findings: readonly Each[],
  describe: (finding: Each, language: FindingLanguage) => string,
  language: FindingLanguage,
): readonly Finding[] {
  if (language === 'en') return findings;
  return findings.map((finding) => ({ ...finding, message: describe(finding, language) }));
}

async function contentOf(name: string, input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (name === '-') return buffer(input);
  try {
    return await readFile(name);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const code = 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new WrongUse(`${name}: there is no such file`);
    if (code === 'EISDIR') throw new WrongUse(`${name}: this is a folder, not a file`);
    throw new WrongUse(`${name}: this file cannot be read: ${error.message}`);
  }
}

/** Returns true if the first character, after a byte order mark and white space, is `<`. */
function looksLikeXml(bytes: Uint8Array): boolean {
  return /^[\xEF\xBB\xBF\xFE\xFF\0\s]*</.test(String.fromCharCode(...bytes.subarray(0, 200)));
}
