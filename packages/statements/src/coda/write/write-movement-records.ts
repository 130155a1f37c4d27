import { dayOfDigits, digitsOfDate } from '../format/calendar-date.js';
import {
  datesOfTerm,
  type Field,
  type FieldKind,
  type Layouts,
  lastYearOf,
  noFixedTerm,
  terms,
} from '../format/communication-layout.js';
import {
  type InformationCommunication,
  informationLayouts,
} from '../format/information-layouts.js';
import { type MovementCommunication, movementLayouts } from '../format/movement-layouts.js';
import type { TransactionCode } from '../statement.js';
import { CodaWriteError, RecordLine } from './record-line.js';
import type { InformationDraft, MovementDraft } from './statement-draft.js';

/** Sequence and detail number of a record, 3-6 and 7-10. */
export interface WrittenKey {
  readonly sequence: number;
  readonly detail: number;
}

/**
 * Writes records 2.1 to 2.3; 2.2 and 2.3 only if they are not empty.
 *
 * @param yearOfFile that in which the file is created
 */
export function writeMovement(
  movement: MovementDraft,
  key: WrittenKey,
  globalisation: number,
  informationFollows: boolean,
  yearOfFile: number,
): RecordLine[] {
  const { communication = { kind: 'free', text: '' }, counterparty = {} } = movement;
  const [text1, text2, text3] = cut(
    encode(communication, movementLayouts, yearOf(movement) ?? yearOfFile),
    [53, 53, 43],
    'communication',
  );
  const first = start('21', key)
    .text('bankReference', 11, 31, movement.bankReference ?? '')
    .amount('amount', 32, movement.amount)
    .date('valueDate', 48, movement.valueDate)
    .text('transactionCode', 54, 61, codeDigits(movement.transactionCode))
    .digits('communication', 62, 62, communication.kind === 'free' ? 0 : 1)
    .text('communication', 63, 115, text1)
    .date('entryDate', 116, movement.entryDate)
    .digits('paperNumber', 122, 124, movement.paperNumber ?? 0)
    .digits('globalisation', 125, 125, globalisation);
  const second = start('22', key)
    .text('communication', 11, 63, text2)
    .text('customerReference', 64, 98, movement.customerReference ?? '')
    .text('counterparty bic', 99, 109, counterparty.bic ?? '')
    .text('reason', 114, 117, movement.reason ?? '')
    .text('categoryPurpose', 118, 121, movement.categoryPurpose ?? '')
    .text('purpose', 122, 125, movement.purpose ?? '');
  if (movement.rTransaction) second.digits('rTransaction', 113, 113, movement.rTransaction);
  const third = start('23', key)
    .text('counterparty name', 48, 82, counterparty.name ?? '')
    .text('communication', 83, 125, text3);
  writeCounterparty(third, counterparty.account ?? '', counterparty.currency ?? '');
  // The communication continues from 2.2 to 2.3, so text in 2.3 requires 2.2.
  const parts = [first];
  if (hasContent(second) || text3 !== '') parts.push(second);
  if (hasContent(third)) parts.push(third);
  return chain(parts, informationFollows);
}

function yearOf({ entryDate, valueDate }: MovementDraft): number | undefined {
  const date = entryDate ?? valueDate;
  return date === undefined ? undefined : Number(date.slice(0, 4));
}

/** Writes records 3.1 to 3.3. */
export function writeInformation(
  information: InformationDraft,
  movement: MovementDraft,
  key: WrittenKey,
  informationFollows: boolean,
): RecordLine[] {
  const { communication } = information;
  const [text1, text2, text3] = cut(
    encode(communication, informationLayouts),
    [73, 105, 90],
    'information',
  );
  const first = start('31', key)
    .text('bankReference', 11, 31, information.bankReference ?? movement.bankReference ?? '')
    .text(
      'transactionCode',
      32,
      39,
      codeDigits(information.transactionCode ?? movement.transactionCode),
    )
    .digits('communication', 40, 40, communication.kind === 'free' ? 0 : 1)
    .text('communication', 41, 113, text1);
  const second = start('32', key).text('communication', 11, 115, text2);
  const third = start('33', key).text('communication', 11, 100, text3);
  const parts = [first];
  if (text2 !== '' || text3 !== '') parts.push(second);
  if (text3 !== '') parts.push(third);
  return chain(parts, informationFollows);
}

function start(type: string, { sequence, detail }: WrittenKey): RecordLine {
  return new RecordLine(type).digits('sequence', 3, 6, sequence).digits('detail', 7, 10, detail);
}

/** Sets next (126) on each part but the last, and link (128) on the last. */
function chain(parts: readonly RecordLine[], informationFollows: boolean): RecordLine[] {
  return parts.map((part, index) => {
    const isLast = index === parts.length - 1;
    return part
      .digits('next', 126, 126, isLast ? 0 : 1)
      .digits('link', 128, 128, isLast && informationFollows ? 1 : 0);
  });
}

function hasContent(record: RecordLine): boolean {
  return record.toString().slice(10).trim() !== '';
}

/** Account (34) and currency (3); an old Belgian account number is followed by its currency. */
function writeCounterparty(record: RecordLine, account: string, currency: string): void {
  if (/^\d{12}$/.test(account)) {
    record.text('counterparty account', 11, 22, account);
    record.text('counterparty currency', 24, 26, currency);
    return;
  }
  if (account.includes(' ')) throw new CodaWriteError(`The account has spaces: ${account}`);
  record.text('counterparty account', 11, 44, account);
  record.text('counterparty currency', 45, 47, currency);
}

function codeDigits({ type, family, operation, category }: TransactionCode): string {
  const code = `${type}${family}${operation}${category}`;
  if (!/^\d{8}$/.test(code)) throw new CodaWriteError(`A transaction code has 8 digits: ${code}`);
  return code;
}

function encode(
  communication: MovementCommunication | InformationCommunication,
  layouts: Layouts,
  year?: number,
): string {
  if (communication.kind === 'free') return communication.text;
  const { type } = communication;
  if (communication.kind === 'structured') {
    return type + encodeCommunication(layouts, communication, year);
  }
  if (type.length !== 3) throw new CodaWriteError(`A communication type has 3 digits: ${type}`);
  return type + communication.text;
}

/** Cuts a text into parts of these lengths, without trailing blanks. */
function cut(
  text: string,
  lengths: readonly [number, number, number],
  name: string,
): [string, string, string] {
  const characters = Array.from(text.replace(/ +$/, ''));
  const [one, two, three] = lengths;
  if (characters.length > one + two + three) {
    throw new CodaWriteError(`The ${name} has more than ${one + two + three} characters: ${text}`);
  }
  const part = (from: number, length: number) =>
    characters
      .slice(from, from + length)
      .join('')
      .replace(/ +$/, '');
  return [part(0, one), part(one, two), part(one + two, three)];
}

/** A communication to write, of either set of layouts. */
interface Structured {
  readonly kind: 'structured';
  readonly type: string;
  readonly remainder?: string;
  readonly unread?: Readonly<Record<string, string>>;
}

/**
 * Encodes a structured communication by its layout, without its type.
 *
 * @param year that of the movement or file, by which the centuries of dates are known
 * @throws {CodaWriteError} if a value does not fit into its field
 */
export function encodeCommunication(
  layouts: Layouts,
  communication: Structured,
  year?: number,
): string {
  const values = new Map<string, unknown>(Object.entries(communication));
  const { type } = communication;
  const fields = Object.hasOwn(layouts, type) ? layouts[type] : undefined;
  if (fields === undefined) throw new CodaWriteError(`Unknown communication type ${type}`);
  const { remainder = '', unread = {} } = communication;
  setTerms(values, year);
  const texts = fields.map((field) => {
    const [name] = field;
    return encodeField(`${type} ${name}`, field, values.get(name), unread[name], year);
  });
  return texts.join('') + remainder;
}

/**
 * Replaces the start and the end of a term, whose centuries the pair decides, by the dates that
 * their digits stand for one by one.
 */
function setTerms(values: Map<string, unknown>, year: number | undefined): void {
  const dateWithin = (date: string, lastYear = 2099) =>
    Number(date.slice(0, 4)) > lastYear ? date.replace(/^20/, '19') : date;
  for (const [first, last] of terms) {
    const [start, end] = [values.get(first), values.get(last)];
    if (typeof start !== 'string' || typeof end !== 'string') continue;
    const alone = [
      dateWithin(start, lastYearOf('date', year)),
      dateWithin(end, lastYearOf('term', year)),
    ] as const;
    const [readStart, readEnd] = datesOfTerm(...alone);
    if (readStart !== start || readEnd !== end) continue;
    values.set(first, alone[0]).set(last, alone[1]);
  }
}

function encodeField(
  name: string,
  [, kind, length]: Field,
  value: unknown,
  unread: string | undefined,
  year: number | undefined,
): string {
  const text = value === undefined ? (unread ?? '') : encodeValue(name, kind, length, value, year);
  const missing = length - Array.from(text).length;
  if (missing < 0) {
    throw new CodaWriteError(`${name} does not fit into ${length} positions: ${value ?? unread}`);
  }
  return text + ' '.repeat(missing);
}

/** @param day `YYYY-MM-DD` @returns `DDMMYYYY` */
function digitsOfDay(day: string): string {
  return day.split('-').reverse().join('');
}

function encodeValue(
  name: string,
  kind: FieldKind,
  length: number,
  value: unknown,
  year: number | undefined,
): string {
  if (kind === 'decimal' && typeof value === 'bigint' && value >= 0n) {
    return value.toString().padStart(length, '0');
  }
  if (kind === 'signed' && typeof value === 'bigint') {
    const digits = (value < 0n ? -value : value).toString().padStart(length - 1, '0');
    return `${digits}${value < 0n ? '1' : '0'}`;
  }
  if (typeof value === 'string') {
    if (kind === 'text') return value;
    if (kind === 'time' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value)) return value.replace(':', '');
    if (kind === 'day' && dayOfDigits(Number(digitsOfDay(value))) === value) {
      return digitsOfDay(value);
    }
    if (kind === 'term' && value === noFixedTerm) return '999999';
    const isDate = kind === 'date' || kind === 'term';
    const digits = isDate ? digitsOfDate(value, lastYearOf(kind, year)) : undefined;
    if (digits !== undefined) return digits;
  }
  throw new CodaWriteError(`${name} is not a valid ${kind}: ${String(value)}`);
}
