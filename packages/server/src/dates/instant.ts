const FORM = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(Z|[+-].+)$/i;
const OFFSET = /^([+-])([01]\d|2[0-3])(?::?([0-5]\d))?$/;

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Before and after everything that happens; the database and ISO 8601 write both. */
const first = Date.parse('0001-01-01T00:00:00.000Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads an instant with an offset (ISO 8601; RFC 3339 requires its minutes, which may be left out).
 * What lies outside the years 1 to 9999 is read as their first or last millisecond.
 *
 * Digits after the milliseconds are cut off: stored times end there, and one that was rounded down
 * is not lost by asking for what it was before (§4.15). A leap second counts as the second before,
 * as computers repeat it.
 *
 * @example parseInstant('2026-03-02T08:00:00.1239+01:00') // 2026-03-02T07:00:00.123Z
 * @returns undefined where the form is another, or there is no such day, hour or offset
 */
export function parseInstant(text: string): Date | undefined {
  const [, day, hours, minutes, seconds, fraction = '', zone = ''] = FORM.exec(text) ?? [];
  const offset = offsetOf(zone);
  if (day === undefined || offset === undefined) return undefined;
  const second = seconds === '60' ? '59' : seconds;
  const millisecond = fraction.slice(0, 3).padEnd(3, '0');
  const local = new Date(`${day}T${hours}:${minutes}:${second}.${millisecond}Z`);
  // 31 February is read as a day of March, or not at all.
  if (Number.isNaN(local.getTime()) || !local.toISOString().startsWith(day)) return undefined;
  const instant = local.getTime() - offset;
  if (seconds === '60' && !isLastSecondOfDay(instant)) return undefined;
  return new Date(Math.min(Math.max(instant, first), last));
}

/** Leap seconds follow the last second of a day, UTC. */
function isLastSecondOfDay(instant: number): boolean {
  return new Date(instant).toISOString().includes('T23:59:59');
}

/** How far local time is ahead of UTC, in ms. */
function offsetOf(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const [, sign, hours, minutes = '0'] = OFFSET.exec(zone) ?? [];
  if (sign === undefined) return undefined;
  const ahead = (Number(hours) * 60 + Number(minutes)) * MINUTE;
  return sign === '-' ? -ahead : ahead;
}
