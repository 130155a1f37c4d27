import { decimalsOf, formatFixedPoint } from '../amount.js';
import { FindingList } from './finding-list.js';
import { calendarDate } from './format/calendar-date.js';
import { type FieldKind, type Layouts, noFixedTerm } from './format/communication-layout.js';
import { informationLayouts, informationSubjects } from './format/information-layouts.js';
import { movementLayouts, movementSubjects } from './format/movement-layouts.js';
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
import {
  readInformationCommunication,
  readMovementCommunication,
} from './read/records/read-communication.js';
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

type Zone = readonly [from: number, to: number, before: number];

/**
 * The zones of communications: by record, the first position after the type, the last one, and how
 * much of the communication is before it.
 */
const zones: Readonly<Partial<Record<string, Zone>>> = {
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
 * its structured communications. A field that goes on in the next record has its meaning in both.
 *
 * @param lines without line ends; a line that is no record is one part
 */
export function explainLines(lines: readonly string[]): readonly (readonly ExplainedPart[])[] {
  const records = lines.map((line) => new CodaRecord(0, charactersOf(line)));
  let account: readonly RecordField[] = accountFields[1];
  let communication: readonly Piece[] = [];
  let yearOfFile: number | undefined;
  return records.map((record, index) => {
    const type = typeOf(record);
    if (type === undefined)
      return partOf(record, { name: 'no record', from: 1, to: record.length });
    if (type === '0' && record.digits(10, 11) >= 0) yearOfFile = 2000 + record.digits(10, 11);
    if (type === '1') account = accountFields[accountStructureOf(record) ?? 1];
    if (type === '21' || type === '31') {
      communication = fieldsOfCommunication(type, records.slice(index, index + 3), yearOfFile);
    }
    const zone = zones[type];
    const tooMuch: RecordField = ['beyond the record', 129, Math.max(129, record.length)];
    return [...recordFields[type], tooMuch].flatMap((field: RecordField) => {
      const [name, from, to] = field;
      if (name === 'account and currency') {
        return account.flatMap((each) => partOf(record, pieceOf(each, from - 1, record)));
      }
      const isSplit = zone !== undefined && from <= zone[0] && zone[1] <= to;
      if (!isSplit || communication.length === 0) return partOf(record, pieceOf(field, 0, record));
      return piecesIn(zone, from, communication).flatMap((piece) => partOf(record, piece));
    });
  });
}

/** A field, or a part of it, with its place in the record. */
type Piece = Omit<ExplainedPart, 'text' | 'meaning'> & { readonly meaning?: string | undefined };

function typeOf(record: CodaRecord | undefined): keyof typeof recordFields | undefined {
  const start = record?.padded(1, 2) ?? '';
  return recordTypes.find((type) => start.startsWith(type));
}

const recordTypes = Object.keys(recordFields) as (keyof typeof recordFields)[];

function pieceOf([name, from, to, digits]: RecordField, offset: number, record: CodaRecord): Piece {
  const place = { from: offset + from, to: offset + to };
  const text = record.padded(place.from, place.to);
  const meaning =
    digits !== undefined && /^\d+$/.test(text) ? meaningOf(digits, text, record) : undefined;
  return { name, ...place, meaning };
}

/** Returns the fields of a structured communication that are in a record, in its positions. */
function piecesIn(
  [zoneFrom, zoneTo, before]: Zone,
  from: number,
  communication: readonly Piece[],
): Piece[] {
  const [type, ...fields] = communication;
  const pieces = fields.flatMap((field): Piece[] => {
    const [first, last] = [zoneFrom + field.from - 1 - before, zoneFrom + field.to - 1 - before];
    if (first > zoneTo || last < zoneFrom) return [];
    return [{ ...field, from: Math.max(first, zoneFrom), to: Math.min(last, zoneTo) }];
  });
  return from < zoneFrom && type !== undefined
    ? [{ ...type, from, to: zoneFrom - 1 }, ...pieces]
    : pieces;
}

/**
 * Returns the type and the fields of the structured communication that begins with a record 2.1 or
 * 3.1, read with the records after it.
 */
function fieldsOfCommunication(
  type: '21' | '31',
  [first, ...next]: readonly CodaRecord[],
  yearOfFile: number | undefined,
): Piece[] {
  if (first === undefined) return [];
  const isMovement = type === '21';
  const isPart = (record: CodaRecord | undefined, number: 2 | 3) =>
    typeOf(record) === `${isMovement ? 2 : 3}${number}`;
  const second = isPart(next[0], 2) ? next[0] : undefined;
  const last = second === undefined ? next[0] : next[1];
  const group = { first, second, third: isPart(last, 3) ? last : undefined };
  const findings = new FindingList();
  const communication = isMovement
    ? readMovementCommunication(group, findings, yearOfFile)
    : readInformationCommunication(group, findings);
  if (communication.kind !== 'structured') return [];
  const layouts: Layouts = isMovement ? movementLayouts : informationLayouts;
  const subjects: Readonly<Record<string, string>> = isMovement
    ? movementSubjects
    : informationSubjects;
  const values = new Map<string, unknown>(Object.entries(communication));
  let from = 1;
  const fields = (layouts[communication.type] ?? []).map(([name, kind, length]): Piece => {
    const format = formatOf(name, kind);
    const label = format === '' ? inWords(name) : `${inWords(name)}, ${format}`;
    const field = { name: label, from, to: from + length - 1, meaning: valueText(name, values) };
    from += length;
    return kind === 'text' ? { ...field, meaning: undefined } : field;
  });
  const typeField = {
    ...{ name: 'type of the communication', from: 0, to: 0 },
    meaning: subjects[communication.type],
  };
  return [typeField, ...fields, { name: 'text', from, to: 268 }];
}

function valueText(name: string, values: ReadonlyMap<string, unknown>): string | undefined {
  const value = values.get(name);
  if (typeof value === 'bigint') return formatFixedPoint(value, decimalsOf(name));
  if (value === noFixedTerm) return 'without fixed term';
  return typeof value === 'string' ? value : undefined;
}

/** Returns how the number or date of a field is written; `''` for a text. */
export function formatOf(name: string, kind: FieldKind): string {
  return kind === 'decimal' ? `with ${places[decimalsOf(name)]} decimals` : formats[kind];
}

const places: Readonly<Record<number, string>> = { 2: 'two', 3: 'three', 4: 'four', 8: 'eight' };
const formats: Readonly<Record<Exclude<FieldKind, 'decimal'>, string>> = {
  text: '',
  signed: 'with three decimals, then 0 credit or 1 debit',
  date: 'DDMMYY',
  term: 'DDMMYY, or 999999 without fixed term',
  day: 'DDMMYYYY',
  time: 'HHMM',
};

/** Writes a name in words. @example inWords('statementNumber') // 'statement number' */
export function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function partOf(record: CodaRecord, { name, from, to, meaning }: Piece): ExplainedPart[] {
  const last = Math.min(to, record.length);
  if (last < from) return [];
  const part = { text: record.padded(from, last), name, from, to };
  return [meaning ? { ...part, meaning } : part];
}

function meaningOf(digits: DigitsKind, text: string, record: CodaRecord): string | undefined {
  if (typeof digits === 'number') return formatFixedPoint(BigInt(text), digits);
  if (digits === 'date') return calendarDate(Number(text));
  if (digits === 'family') return operationNames.en.get(text);
  if (digits === 'category') return categoryNames.en.get(text);
  // The operation stands after its family, without which it means nothing.
  const code = digits === 'operation' ? `0${record.text(55, 58)}000` : text;
  const [, family = '', operation = '', category = ''] = /^\d(\d\d)(\d\d)(\d{3})$/.exec(code) ?? [];
  return transactionName({ type: 0, family, operation, category }, 'en');
}
