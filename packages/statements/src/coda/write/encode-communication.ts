import { digitsOfDate } from '../format/calendar-date.js';
import type { Field, FieldKind, Layouts } from '../format/communication-layout.js';
import { CodaWriteError } from './coda-write-error.js';

/** A communication to be written, whichever layouts it follows. */
type Structured = { readonly kind: 'structured'; readonly type: string };

/**
 * The characters of a structured communication behind its type, in the order of its layout.
 *
 * @throws CodaWriteError where a value does not fit into its field
 */
export function encodeCommunication(layouts: Layouts, communication: Structured): string {
  const values = new Map<string, unknown>(Object.entries(communication));
  const { type } = communication;
  const fields = Object.hasOwn(layouts, type) ? layouts[type] : undefined;
  if (fields === undefined) throw new CodaWriteError(`There is no communication of type ${type}`);
  const remainder = values.get('remainder');
  return (
    fields
      .map((field) => encodeField(`${type} ${field[0]}`, field, values.get(field[0])))
      .join('') + (typeof remainder === 'string' ? remainder : '')
  );
}

function encodeField(name: string, [, kind, length]: Field, value: unknown): string {
  const text = value === undefined ? '' : encodeValue(name, kind, length, value);
  const missing = length - Array.from(text).length;
  if (missing < 0)
    throw new CodaWriteError(`${name} does not fit into ${length} positions: ${value}`);
  return text + ' '.repeat(missing);
}

function encodeValue(name: string, kind: FieldKind, length: number, value: unknown): string {
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
    const digits = kind === 'date' ? digitsOfDate(value) : undefined;
    if (digits !== undefined) return digits;
  }
  throw new CodaWriteError(`${name} is no ${kind}: ${String(value)}`);
}
