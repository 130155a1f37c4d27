import { decimalsOf, formatFixedPoint } from '../amount.js';
import { calendarDate } from './format/calendar-date.js';
import type { FieldKind, Layouts } from './format/communication-layout.js';
import { informationLayouts } from './format/information-layouts.js';
import { movementLayouts } from './format/movement-layouts.js';
import {
  accountFields,
  type DigitsKind,
  type RecordField,
  recordFields,
} from './format/record-fields.js';
import { categoryNames } from './names/category-names.js';
import { operationNames } from './names/operation-names.js';
import { transactionName } from './names/transaction-name.js';
import { decodeSegment, endOfText } from './read/read-coda.js';
import { accountStructureOf } from './read/records/account-zone.js';
import { CodaRecord, charactersOf } from './read/records/coda-record.js';
import { StatementSplitter } from './read/split-statements.js';

const LINE_FEED = 0x0a;

/** A part of a line, and the field that it is. */
export interface ExplainedPart {
  readonly text: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The meaning of a number or code; undefined if the text says it itself. */
  readonly meaning?: string;
}

/**
 * The zones of communications: by record, the first position after the type, the last one, and how
 * much of the communication is before it.
 */
const zones: Readonly<Record<string, readonly [from: number, to: number, before: number]>> = {
  '21': [66, 115, 0],
  '22': [11, 63, 50],
  '23': [83, 125, 103],
  '31': [44, 113, 0],
  '32': [11, 115, 70],
  '33': [11, 100, 175],
};

/**
 * Splits a file into its lines, decoded and numbered as in the findings of `readCoda`: where line
 * ends are missing, a record is a line.
 */
export function splitIntoLines(bytes: Uint8Array): string[] {
  const splitter = new StatementSplitter(Number.POSITIVE_INFINITY);
  splitter.end(bytes);
  const lines: string[] = [];
  for (let next = splitter.next(); next !== undefined; next = splitter.next()) {
    // Blank lines around statements belong to none of them.
    while (lines.length < next.firstLine - 1) lines.push('');
    const { characters, lineEnds } = decodeSegment(next);
    let start = 0;
    for (const lineEnd of lineEnds) {
      const end = endOfText(characters.bytes, start, lineEnd);
      lines.push(new CodaRecord(0, characters, start, end).padded(1, end - start));
      start = characters.bytes[lineEnd] === LINE_FEED ? lineEnd + 1 : lineEnd;
    }
  }
  return lines;
}

/**
 * Explains the lines of a statement: cuts each into its fields, also those of its account and of
 * its structured communications.
 *
 * @param lines without line ends; a line that is no record is one part
 */
export function explainLines(lines: readonly string[]): readonly (readonly ExplainedPart[])[] {
  let account: readonly RecordField[] = accountFields[1];
  let communication: readonly RecordField[] = [];
  return lines.map((line) => {
    const type = Object.keys(recordFields).find((each) => line.startsWith(each));
    if (type === undefined) return partOf(line, ['no record', 1, line.length], 0);
    if (type === '1') {
      account = accountFields[accountStructureOf(new CodaRecord(0, charactersOf(line))) ?? 1];
    }
    if (type === '21' || type === '31') {
      communication = fieldsOfCommunication(type, line);
    }
    const fields = (recordFields as Readonly<Record<string, readonly RecordField[]>>)[type] ?? [];
    const [zoneFrom, zoneTo, start] = zones[type] ?? [0, -1, 0];
    const tooMuch: RecordField = ['beyond the record', 129, line.length];
    return [...fields, tooMuch].flatMap((field) => {
      const [name, from] = field;
      if (name === 'account and currency')
        return account.flatMap((each) => partOf(line, each, from - 1));
      const isCommunication = from <= zoneFrom && zoneTo <= field[2];
      if (!isCommunication || communication.length === 0) return partOf(line, field, 0);
      const typeField: RecordField = ['type of the communication', from, zoneFrom - 1];
      const pieces = communication.flatMap(([part, first, last, digits]): RecordField[] => {
        const [begin, end] = [zoneFrom + first - 1 - start, zoneFrom + last - 1 - start];
        return begin > zoneTo || end < zoneFrom
          ? []
          : [[part, Math.max(begin, zoneFrom), Math.min(end, zoneTo), digits]];
      });
      const all = from < zoneFrom ? [typeField, ...pieces] : pieces;
      return all.flatMap((each) => partOf(line, each, 0));
    });
  });
}

/** Returns the fields of the structured communication that a record 2.1 or 3.1 begins. */
function fieldsOfCommunication(type: '21' | '31', line: string): RecordField[] {
  const isMovement = type === '21';
  const layouts: Layouts = isMovement ? movementLayouts : informationLayouts;
  const flagAt = isMovement ? 62 : 40;
  const layout = line[flagAt - 1] === '1' ? layouts[line.slice(flagAt, flagAt + 3)] : undefined;
  if (layout === undefined) return [];
  let from = 1;
  const fields = layout.map(([name, kind, length]): RecordField => {
    const digits = digitsOf(name, kind);
    const field: RecordField = [labelOf(name, digits), from, from + length - 1, digits];
    from += length;
    return field;
  });
  return [...fields, ['text', from, 268]];
}

function digitsOf(name: string, kind: FieldKind): DigitsKind | undefined {
  if (kind === 'decimal') return decimalsOf(name);
  return kind === 'date' || kind === 'term' ? 'date' : undefined;
}

/** Returns the label of a field, which says how its number or date is written. */
function labelOf(name: string, digits: DigitsKind | undefined): string {
  if (typeof digits === 'number') return `${inWords(name)}, with ${places[digits]} decimals`;
  return `${inWords(name)}${digits === 'date' ? ', DDMMYY' : ''}`;
}

const places: Readonly<Record<number, string>> = { 2: 'two', 3: 'three', 4: 'four', 8: 'eight' };

/** Writes a name in words. @example inWords('statementNumber') // 'statement number' */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function partOf(line: string, field: RecordField, offset: number): ExplainedPart[] {
  const [name, from, to, digits] = field;
  const text = line.slice(offset + from - 1, offset + to);
  if (text === '') return [];
  const part = { text, name, from: offset + from, to: offset + to };
  const meaning = digits !== undefined && /^\d+$/.test(text) && meaningOf(digits, text, line);
  return [meaning ? { ...part, meaning } : part];
}

function meaningOf(digits: DigitsKind, text: string, line: string): string | undefined {
  if (typeof digits === 'number') return formatFixedPoint(BigInt(text), digits);
  if (digits === 'date') return calendarDate(Number(text));
  if (digits === 'family') return operationNames.en.get(text);
  if (digits === 'category') return categoryNames.en.get(text);
  // The operation stands after its family, without which it means nothing.
  const code = digits === 'operation' ? `0${line.slice(54, 58)}000` : text;
  const [, family = '', operation = '', category = ''] = /^\d(\d\d)(\d\d)(\d{3})$/.exec(code) ?? [];
  return transactionName({ type: 0, family, operation, category }, 'en');
}
