const FORM = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(Z|[+-].+)$/i;
const OFFSET = /^([+-])([01]\d|2[0-3])(?::?([0-5]\d))?$/;

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The first and last instants that PostgreSQL and ISO 8601 both write with four-digit years. */
const first = Date.parse('0001-01-01T00:00:00.000Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses an ISO 8601 instant with an offset, whose minutes may be left out. Instants outside the
 * years 1 to 9999 become the first or last millisecond of these years.
 *
 * Digits after the milliseconds are truncated, as in stored times, so that a search for changes
 * since an instant includes those of the same millisecond (§4.15). A leap second is read as the
 * second before it.
 *
 * @example parseInstant('2026-03-02T08:00:00.1239+01:00') // 2026-03-02T07:00:00.123Z
 * @returns undefined for any other form, and for a day, time or offset that does not exist
 */
export function parseInstant(text: string): Date | undefined {
  const [, day, hours, minutes, seconds, fraction = '', zone = ''] = FORM.exec(text) ?? [];
  const offset = offsetOf(zone);
  if (day === undefined || offset === undefined) return undefined;
  const second = seconds === '60' ? '59' : seconds;
  const millisecond = fraction.slice(0, 3).padEnd(3, '0');
  const local = new Date(`${day}T${hours}:${minutes}:${second}.${millisecond}Z`);
  // `Date` reads 31 February as a day of March, or as invalid.
  if (Number.isNaN(local.getTime()) || !local.toISOString().startsWith(day)) return undefined;
  const instant = local.getTime() - offset;
  if (seconds === '60' && !isLastSecondOfDay(instant)) return undefined;
  return clampInstant(instant);
}

/** Returns the instant in a field of a request, which the validation has accepted. */
export function readInstant(text: string): Date {
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  throw new Error('A text that is no instant has passed the validation');
}

/** Returns an instant, given in ms, or the nearest one within the years 1 to 9999. */
export function clampInstant(instant: number): Date {
  return new Date(Math.min(Math.max(instant, first), last));
}

/** Leap seconds follow the last second of a UTC day. */
function isLastSecondOfDay(instant: number): boolean {
  return new Date(instant).toISOString().includes('T23:59:59');
}

/** Returns how far local time is ahead of UTC, in ms. */
function offsetOf(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const [, sign, hours, minutes = '0'] = OFFSET.exec(zone) ?? [];
  if (sign === undefined) return undefined;
  const ahead = (Number(hours) * 60 + Number(minutes)) * MINUTE;
  return sign === '-' ? -ahead : ahead;
}
