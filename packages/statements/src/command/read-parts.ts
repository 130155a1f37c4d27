import { detailDifference } from '../coda/detail-difference.js';
import { type CodaResult, readCoda } from '../coda/read/read-coda.js';
import type { Movement, Statement } from '../coda/statement.js';
import type { PayrollBooking } from '../codb/payroll-booking.js';
import { readCodb } from '../codb/read-codb.js';
import { xmlLimits } from '../codb/xml/xml-fault.js';
import { describeCodaFinding, describeCodbFinding } from '../describe-finding.js';
import type { Finding } from '../finding.js';
import type { FindingLanguage } from '../finding-language.js';
import { bytesOf } from './statement-files.js';

/** A statement, or a payroll file, with what was found in it. */
export interface ReadPart {
  /** The path that was given on the command line, or `-` for standard input. */
  readonly file: string;
  readonly format: 'CODA' | 'CODB';
  /** Undefined if it is refused, or no statement. */
  readonly statement?: Statement;
  /** None if the file is refused, or no payroll file. */
  readonly bookings: readonly PayrollBooking[];
  readonly findings: readonly Finding[];
  readonly omittedFindings: number;
}

export function isAccepted({ statement, bookings }: ReadPart): boolean {
  return statement !== undefined || bookings.length > 0;
}

/**
 * Returns true if books become wrong from a statement: its details do not add up to their total, or
 * a version of it was before.
 */
export function isDoubtful({ statement, findings }: ReadPart): boolean {
  const isWrong = (movement: Movement): boolean =>
    detailDifference(movement) !== 0n || movement.details.some(isWrong);
  const isRepeated = findings.some(({ code }) => code === 'statementRepeated');
  return isRepeated || (statement?.movements.some(isWrong) ?? false);
}

/**
 * Reads files statement by statement. The format is seen from the content: a payroll file is XML.
 *
 * @param names paths, or `-` for standard input
 * @param language the language of the findings' messages
 * @throws WrongUse if a file cannot be read
 */
export async function* readParts(
  names: readonly string[],
  input: AsyncIterable<Uint8Array>,
  language: FindingLanguage,
): AsyncGenerator<ReadPart, void> {
  const known = new Set<string>();
  for (const file of names) {
    const chunks = bytesOf(file, input);
    const first = await take(chunks, 200);
    if (looksLikeXml(first)) {
      // The reader refuses what is longer.
      const rest = await take(chunks, xmlLimits.fileBytes);
      yield payrollPart(file, Buffer.concat([first, rest]), language);
    } else {
      const all = (async function* () {
        yield first;
        yield* chunks;
      })();
      for await (const result of readCoda(all, { known }))
        yield statementPart(file, result, language);
    }
  }
}

/** Takes chunks until there are more bytes than that, or no more. */
async function take(chunks: AsyncGenerator<Uint8Array, void>, bytes: number): Promise<Uint8Array> {
  const taken: Uint8Array[] = [];
  let length = 0;
  while (length <= bytes) {
    const { value, done } = await chunks.next();
    if (done) break;
    taken.push(value);
    length += value.length;
  }
  return Buffer.concat(taken);
}

function payrollPart(file: string, bytes: Uint8Array, language: FindingLanguage): ReadPart {
  const { documents, findings: found, omittedFindings } = readCodb(bytes);
  const findings = translate(found, describeCodbFinding, language);
  const bookings = (documents ?? []).map(({ bytes: _, ...booking }) => booking);
  return { file, format: 'CODB', bookings, findings, omittedFindings };
}

function statementPart(
  file: string,
  { statement, findings: found, omittedFindings }: CodaResult,
  language: FindingLanguage,
): ReadPart {
  const findings = translate(found, describeCodaFinding, language);
  const read = { file, format: 'CODA', bookings: [], findings, omittedFindings } as const;
  return statement === undefined ? read : { ...read, statement };
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

/** Returns true if the first character, after a byte order mark and white space, is `<`. */
function looksLikeXml(bytes: Uint8Array): boolean {
  return /^[\xEF\xBB\xBF\xFE\xFF\0\s]*</.test(String.fromCharCode(...bytes.subarray(0, 200)));
}
