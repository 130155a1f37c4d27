import type { FindingList } from '../../finding-list.js';
import { calendarDate, dayOfDigits } from '../../format/calendar-date.js';
import { isValidBban } from '../../format/check-digits.js';
import {
  type Decoded,
  datesOfTerm,
  type Field,
  type FieldKind,
  type Layouts,
  lastYearOf,
  noFixedTerm,
  terms,
  type UnknownStructure,
} from '../../format/communication-layout.js';
import {
  type InformationCommunication,
  informationLayouts,
} from '../../format/information-layouts.js';
import { type MovementCommunication, movementLayouts } from '../../format/movement-layouts.js';
import { CodaRecord, charactersOf } from './coda-record.js';
import type { RecordGroup } from './record-group.js';

type Parts = Pick<RecordGroup, 'first' | 'second' | 'third'>;

const FLAG_OF_MOVEMENT = 62;
const FLAG_OF_INFORMATION = 40;

/**
 * Reads the communication of records 2.1 (63-115), 2.2 (11-63) and 2.3 (83-125).
 *
 * @param yearOfFile that in which the file was created, by which the centuries of dates are known
 *   if the movement has no date
 */
export function readMovementCommunication(
  { first, second, third }: Parts,
  findings: FindingList,
  yearOfFile?: number,
): MovementCommunication {
  if (!isStructured(first, FLAG_OF_MOVEMENT, findings)) {
    return { kind: 'free', text: joinText(first, second, third, movementZones) };
  }
  const type = first.padded(63, 65);
  const content =
    second === undefined && third === undefined
      ? first.part(66, 115)
      : joinContent(
          first.padded(66, 115),
          second?.padded(11, 63) ?? ' '.repeat(53),
          third?.padded(83, 125),
        );
  const decoded = decodeCommunication(
    movementLayouts,
    type,
    content,
    (field, found) => findings.add('communicationField', first.number, 66, found, undefined, field),
    yearOf(first) ?? yearOfFile,
  );
  if (decoded === undefined) return unknown(type, content, first, 63, findings);
  if (decoded.type === '101' || decoded.type === '102') {
    if (!isValidBban(decoded.reference)) {
      findings.add('communicationCheckDigits', first.number, 66, decoded.reference);
    }
  }
  if ('cardNumber' in decoded && /[1-9].*0{6}|0{6}.*[1-9]/.test(decoded.cardNumber)) {
    findings.add('maskedCard', first.number, 66);
  }
  return decoded;
}

/** Returns the year of the entry date (116-121) or value date (48-53) of a movement. */
function yearOf(first: CodaRecord): number | undefined {
  if (first.digits(116, 121) > 0) return 2000 + first.digits(120, 121);
  return first.digits(48, 53) > 0 ? 2000 + first.digits(52, 53) : undefined;
}

/** Reads the communication of records 3.1 (41-113), 3.2 (11-115) and 3.3 (11-100). */
export function readInformationCommunication(
  { first, second, third }: Parts,
  findings: FindingList,
): InformationCommunication {
  if (!isStructured(first, FLAG_OF_INFORMATION, findings)) {
    return { kind: 'free', text: joinText(first, second, third, informationZones) };
  }
  const type = first.padded(41, 43);
  const content =
    second === undefined && third === undefined
      ? first.part(44, 113)
      : joinContent(
          first.padded(44, 113),
          second?.padded(11, 115) ?? ' '.repeat(105),
          third?.padded(11, 100),
        );
  const decoded = decodeCommunication(informationLayouts, type, content, (field, found) =>
    findings.add('communicationField', first.number, 44, found, undefined, field),
  );
  if (decoded === undefined) return unknown(type, content, first, 41, findings);
  const text = content.text(1, content.length);
  return isOneText(decoded, text) ? { kind: 'unknown', type, text } : decoded;
}

/** The length of the three references before the codes of information 010. */
const REFERENCES = 41;

/**
 * Returns true if a bank wrote one text in place of the fields of information 010: then none of its
 * numbers and dates can be read. If these are blank, there are no codes, or the text has no gaps.
 */
function isOneText(decoded: Decoded<typeof informationLayouts>, text: string): boolean {
  if (decoded.type !== '010') return false;
  const hasValue = informationLayouts['010'].some(
    ([name, kind]) => kind !== 'text' && decoded[name] !== undefined,
  );
  if (hasValue) return false;
  return decoded.unread !== undefined || text.length <= REFERENCES || !text.includes('  ');
}

function isStructured(record: CodaRecord, position: number, findings: FindingList): boolean {
  const flag = record.digits(position, position);
  if (flag !== 0 && flag !== 1) {
    findings.add('communicationFlag', record.number, position, record.text(position, position));
  }
  return flag === 1;
}

function unknown(
  type: string,
  content: CodaRecord,
  record: CodaRecord,
  position: number,
  findings: FindingList,
): UnknownStructure {
  findings.add('unknownCommunicationType', record.number, position, type);
  return { kind: 'unknown', type, text: content.text(1, content.length) };
}

/** A missing second part is given as blanks, so that the fields after it keep their positions. */
function joinContent(first: string, second: string, third: string | undefined): CodaRecord {
  return new CodaRecord(0, charactersOf(first + second + (third ?? '')));
}

type Zones = readonly (readonly [from: number, to: number])[];

const movementZones = [
  [63, 115],
  [11, 63],
  [83, 125],
] as const satisfies Zones;
const informationZones = [
  [41, 113],
  [11, 115],
  [11, 100],
] as const satisfies Zones;

/** Joins the text of the present parts, without trailing blanks. */
function joinText(
  first: CodaRecord,
  second: CodaRecord | undefined,
  third: CodaRecord | undefined,
  zones: typeof movementZones | typeof informationZones,
): string {
  let joined = third === undefined ? '' : third.text(zones[2][0], zones[2][1]);
  if (second !== undefined) joined = before(joined, second, zones[1][0], zones[1][1]);
  return before(joined, first, zones[0][0], zones[0][1]);
}

/** The text of a field, and what follows it. */
function before(following: string, record: CodaRecord, from: number, to: number): string {
  return following === '' ? record.text(from, to) : record.padded(from, to) + following;
}

/**
 * Decodes a structured communication by its layout.
 *
 * @param content the characters after the type
 * @param report called with the name and the text of each invalid field
 * @param year that of the movement or file, by which the centuries of dates are known
 * @returns undefined if there is no layout of this type
 */
export function decodeCommunication<L extends Layouts>(
  layouts: L,
  type: string,
  content: CodaRecord,
  report: (field: string, found: string) => void,
  year?: number,
): Decoded<L> | undefined {
  if (!Object.hasOwn(layouts, type)) return undefined;
  const decoded: Record<string, unknown> = { kind: 'structured', type };
  let unread: Record<string, string> | undefined;
  let position = 1;
  for (const field of layouts[type] ?? []) {
    const [name, , length] = field;
    const value = decodeField(content, field, position, year);
    decoded[name] = value === UNREAD ? undefined : value;
    if (value === UNREAD) {
      const found = content.text(position, position + length - 1);
      unread = { ...unread, [name]: found };
      report(name, found);
    }
    position += length;
  }
  for (const [first, last] of terms) {
    const [start, end] = [decoded[first], decoded[last]];
    if (typeof start === 'string' && typeof end === 'string') {
      [decoded[first], decoded[last]] = datesOfTerm(start, end);
    }
  }
  const remainder = content.text(position, content.length);
  if (remainder !== '') decoded['remainder'] = remainder;
  if (unread !== undefined) decoded['unread'] = unread;
  return decoded as Decoded<L>;
}

/** Stands for a field that cannot be read. */
const UNREAD = Symbol('unread');

function decodeField(
  zone: CodaRecord,
  [, kind, length]: Field,
  from: number,
  year: number | undefined,
): string | bigint | typeof UNREAD | undefined {
  const to = from + length - 1;
  if (kind === 'text') return zone.text(from, to);
  if (zone.notBlank(from, to) === 0) return undefined;
  const digits = zone.digits(from, kind === 'signed' ? to - 1 : to);
  return digits === -1 ? UNREAD : decodeDigits(zone, kind, digits, to, year);
}

function decodeDigits(
  zone: CodaRecord,
  kind: Exclude<FieldKind, 'text'>,
  digits: number,
  to: number,
  year: number | undefined,
): string | bigint | typeof UNREAD | undefined {
  switch (kind) {
    case 'decimal':
      return BigInt(digits);
    case 'signed': {
      const sign = zone.digits(to, to);
      return sign === 0 || sign === 1 ? BigInt(sign === 1 ? -digits : digits) : UNREAD;
    }
    case 'date':
    case 'term':
      if (digits === 0) return undefined;
      if (kind === 'term' && digits === 999_999) return noFixedTerm;
      return calendarDate(digits, lastYearOf(kind, year)) ?? UNREAD;
    case 'day':
      return digits === 0 ? undefined : (dayOfDigits(digits) ?? UNREAD);
    case 'time': {
      const hours = Math.trunc(digits / 100);
      const minutes = digits % 100;
      if (hours > 23 || minutes > 59) return UNREAD;
      return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
    }
  }
}
