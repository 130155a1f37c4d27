import { requireBytes } from '../../require-bytes.js';
import { type CodaFinding, FindingList } from '../finding-list.js';
import type { Account, Header, Statement } from '../statement.js';
import { Continuity, type StatementEnd } from './continuity.js';
import {
  decodeStatement,
  type StatementText,
  startsWithHeader,
  unsupportedEncodingOf,
} from './encoding.js';
import { CodaRecord } from './records/coda-record.js';
import { PIECE, type Segment, StatementSplitter } from './split-statements.js';
import { StatementReader } from './statement-reader.js';

const LENGTH = 128;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const END_OF_FILE = 0x1a;

/** The bytes of a file: a stream, chunks of any size, or all at once. */
export type ByteSource = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** One statement of a file, or lines that belong to no statement. */
export interface CodaResult {
  /** Absent if one of the findings is an error. */
  readonly statement?: Statement;
  /** At most a hundred, in file order. */
  readonly findings: readonly CodaFinding[];
  /** The number of findings beyond those. */
  readonly omittedFindings: number;
  /**
   * The statement as a file of its own, byte for byte; empty if it is larger than
   * `maxStatementBytes`. If the source is one array of bytes, they are a view of it.
   */
  readonly bytes: Uint8Array;
  /** The byte range in the source, `end` exclusive. */
  readonly range: { readonly start: number; readonly end: number };
  /** The line of the source at which the bytes start, from 1, as in `Finding.record`. */
  readonly firstRecord: number;
}

export interface ReadCodaOptions {
  /** The size limit of one statement; 32 MiB by default, about 260,000 records. */
  readonly maxStatementBytes?: number;
  /** Returns the BIC of a three-digit Belgian bank code; enables the check of the header's BIC. */
  readonly bicOfBankCode?: (bankCode: string) => string | undefined;
  /** Returns the end of the last statement of this account in earlier files, if known. */
  readonly statementBefore?: (statement: Statement) => StatementEnd | undefined;
  /**
   * Remembers up to 50,000 statements. Pass the same set with each file, and a statement that is
   * in two of them is found (`statementRepeated`).
   */
  readonly known?: Set<string>;
}

/**
 * Recognises a CODA file by the fixed positions of its header (record 0, 1-24), also in an encoding
 * in which `readCoda` refuses it.
 *
 * @param firstBytes at least 27 bytes, 116 to recognise any encoding; the rest is ignored
 * @example looksLikeCoda(file.subarray(0, 116))
 */
export function looksLikeCoda(firstBytes: Uint8Array): boolean {
  if (startsWithHeader(String.fromCharCode(...firstBytes.subarray(0, 27)))) return true;
  return unsupportedEncodingOf(firstBytes) !== undefined;
}

/**
 * Reads a CODA file statement by statement, holding one statement in memory. Faults of the file are
 * reported as findings, and reading continues with the next statement; only an error of the source
 * itself is thrown.
 *
 * @example
 * for await (const { statement, findings } of readCoda(createReadStream(path))) {
 *   console.log(statement?.account.iban, findings.length);
 * }
 * @throws {TypeError} for anything but bytes, such as a string
 */
export function readCoda(
  source: ByteSource,
  options: ReadCodaOptions = {},
): AsyncGenerator<CodaResult, void> {
  if (typeof source !== 'object' || source === null) requireBytes(source, 'readCoda');
  return readStatements(source, options);
}

async function* readStatements(
  source: ByteSource,
  options: ReadCodaOptions,
): AsyncGenerator<CodaResult, void> {
  const splitter = new StatementSplitter(options.maxStatementBytes ?? 32 * 2 ** 20);
  const continuity = new Continuity(options.statementBefore, options.known);
  let isEmpty = true;
  if (source instanceof Uint8Array) {
    splitter.end(source);
  } else {
    for await (const chunk of source) {
      requireBytes(chunk, 'readCoda');
      for (let from = 0; from < chunk.length; from += PIECE) {
        splitter.push(chunk.subarray(from, from + PIECE));
        for (let next = splitter.next(); next !== undefined; next = splitter.next()) {
          isEmpty = false;
          yield resultOf(next, continuity, options);
        }
      }
    }
    splitter.end();
  }
  for (let next = splitter.next(); next !== undefined; next = splitter.next()) {
    isEmpty = false;
    yield resultOf(next, continuity, options);
  }
  if (isEmpty) yield emptyFile();
}

function resultOf(
  segment: Segment,
  continuity: Continuity,
  { bicOfBankCode }: ReadCodaOptions,
): CodaResult {
  const findings = new FindingList();
  const statement = readSegment(segment, findings);
  if (statement !== undefined) {
    continuity.follow(statement, segment.firstLine + 1, segment.followed, findings);
    const bic = bicOfBankCode === undefined ? '' : bicOf(statement.account, bicOfBankCode);
    if (!isBicOf(bic, statement.header)) {
      findings.add('bicOfAnotherBank', segment.firstLine, 61, statement.header.bic, bic);
    }
  }
  const result: CodaResult & { statement?: Statement } = {
    findings: findings.toArray(),
    omittedFindings: findings.omitted,
    bytes: segment.bytes,
    range: { start: segment.start, end: segment.end },
    firstRecord: segment.firstLine,
  };
  if (statement !== undefined) result.statement = statement;
  return result;
}

function bicOf({ iban }: Account, bicOfBankCode: (code: string) => string | undefined): string {
  return iban?.startsWith('BE') === true ? (bicOfBankCode(iban.slice(4, 7)) ?? '') : '';
}

/**
 * The first eight characters identify the bank; a branch may follow. An unknown BIC is accepted.
 */
function isBicOf(bic: string, header: Header): boolean {
  return bic === '' || header.bic === '' || bic.slice(0, 8) === header.bic.slice(0, 8);
}

function emptyFile(): CodaResult {
  const findings = new FindingList();
  findings.add('emptyFile', 1);
  return {
    findings: findings.toArray(),
    omittedFindings: 0,
    bytes: new Uint8Array(),
    range: { start: 0, end: 0 },
    firstRecord: 1,
  };
}

/** Reads the statement of a segment; undefined if one of the findings is an error. */
function readSegment(segment: Segment, findings: FindingList): Statement | undefined {
  const { firstLine } = segment;
  if (segment.byteOrderMark) findings.add('byteOrderMark', firstLine);
  if (segment.blankLine > 0) findings.add('blankLine', segment.blankLine);
  const unsupported = unsupportedEncodingOf(segment.bytes);
  if (unsupported !== undefined) {
    findings.add('encodingUnsupported', firstLine, undefined, unsupported);
    return undefined;
  }
  if (!segment.isStatement) {
    findings.add('headerMissing', firstLine, 1);
    return undefined;
  }
  if (segment.tooLarge) {
    findings.add('statementTooLarge', firstLine);
    return undefined;
  }
  const { cutLine } = segment;
  if (cutLine > 0) findings.add('lineEndMissing', cutLine);
  const { encoding, characters, lineEnds } = decodeSegment(segment);
  const { text, bytes } = characters;
  const isReplaced = encoding !== 'ascii' && REPLACED.test(text);
  const reader = new StatementReader(segment.followed, findings);
  let start = 0;
  let hasOddEnd = false;
  for (let line = 0; line < lineEnds.length; line += 1) {
    const number = firstLine + line;
    const lineEnd = lineEnds[line] ?? text.length;
    const end = endOfText(bytes, start, lineEnd);
    const isOdd = lineEnd - end > 1 || bytes[end] === END_OF_FILE;
    if (isOdd && !hasOddEnd) findings.add('lineEnd', number, end - start + 1);
    hasOddEnd ||= isOdd;
    if (isReplaced) checkReplaced(text.slice(start, end), number, findings);
    if (end - start >= 2 * LENGTH && cutLine === 0) findings.add('lineEndMissing', number);
    if (!reader.take(new CodaRecord(number, characters, start, end))) return undefined;
    start = bytes[lineEnd] === LINE_FEED ? lineEnd + 1 : lineEnd;
  }
  return reader.finish(encoding, firstLine + segment.lineCount - 1);
}

/** Decodes the bytes of a segment. */
export function decodeSegment({ bytes, lineEnds, cutLine }: Segment): StatementText {
  return decodeStatement(bytes, lineEnds, cutLine > 0);
}

/** Returns the end of a line's text, before carriage returns and the end-of-file mark of DOS. */
export function endOfText(bytes: Uint8Array, start: number, lineEnd: number): number {
  let end = lineEnd;
  while (end > start && isLineEnd(bytes[end - 1])) end -= 1;
  return end;
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === CARRIAGE_RETURN || byte === END_OF_FILE;
}

/** U+FFFD, also where its three bytes of UTF-8 were read in a code page. */
const REPLACED = /\uFFFD|\xEF\xBF\xBD/;

/** Reports a line in which an earlier program replaced a character that it could not decode. */
function checkReplaced(line: string, number: number, findings: FindingList): void {
  const index = line.search(REPLACED);
  if (index !== -1) findings.add('replacementCharacter', number, index + 1);
}
