import { calendarDate } from '../../format/calendar-date.js';
import type { Decoded, Field, Layouts } from '../../format/communication-layout.js';
import { CodaRecord } from './coda-record.js';

/**
 * Decodes a structured communication by its layout.
 *
 * @param content the characters behind the type
 * @param report told the name of each field that does not hold what it should
 * @returns undefined where there is no layout of this type
 */
export function decodeCommunication<L extends Layouts>(
  layouts: L,
  type: string,
  content: string,
  report: (field: string) => void,
): Decoded<L> | undefined {
  if (!Object.hasOwn(layouts, type)) return undefined;
  const zone = new CodaRecord(0, content);
  const decoded: Record<string, unknown> = { kind: 'structured', type };
  let position = 1;
  for (const field of layouts[type] ?? []) {
    const [name, , length] = field;
    decoded[name] = decodeField(zone, field, position, report);
    position += length;
  }
  const remainder = zone.text(position, zone.length);
  if (remainder !== '') decoded['remainder'] = remainder;
  return decoded as Decoded<L>;
}

function decodeField(
  zone: CodaRecord,
  [name, kind, length]: Field,
  from: number,
  report: (field: string) => void,
): string | bigint | undefined {
  const to = from + length - 1;
  if (kind === 'text') return zone.text(from, to);
  if (zone.notBlank(from, to) === 0) return undefined;
  const digits = zone.digits(from, kind === 'signed' ? to - 1 : to);
  const value = digits === -1 ? 'wrong' : decodeDigits(zone, kind, digits, to);
  if (value !== 'wrong') return value;
  report(name);
  return undefined;
}

function decodeDigits(
  zone: CodaRecord,
  kind: 'decimal' | 'signed' | 'date' | 'time',
  digits: number,
  to: number,
): string | bigint | undefined {
  switch (kind) {
    case 'decimal':
      return BigInt(digits);
    case 'signed': {
      const sign = zone.digits(to, to);
      return sign === 0 || sign === 1 ? BigInt(sign === 1 ? -digits : digits) : 'wrong';
    }
    case 'date':
      return digits === 0 ? undefined : (calendarDate(digits) ?? 'wrong');
    case 'time': {
      const hours = Math.trunc(digits / 100);
      const minutes = digits % 100;
      if (hours > 23 || minutes > 59) return 'wrong';
      return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
    }
  }
}
