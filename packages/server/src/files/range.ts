import type { DateRange, NumberRange } from '@adx/contract';
import { ApiError } from '../api/api-error.js';
import { noFieldLeft } from '../api/every-field.js';
import { condition, type SqlFragment } from '../api/sql-fragment.js';
import { addDays, startOfBrusselsDay } from '../dates/brussels-day.js';
import { clampInstant } from '../dates/instant.js';

/* Ranges include both ends (D-08). One whose `from` is after its `to` is an ApiError `validationFailed`. */

export function dateWithin(column: string, field: string, range: DateRange = {}): SqlFragment[] {
  const { from, to, ...rest } = range;
  noFieldLeft(rest);
  refuseReversed(field, from, to);
  return [
    ...condition(`${column} >= ?::date`, from && sqlDate(from)),
    ...condition(`${column} <= ?::date`, to && sqlDate(to)),
  ];
}

/** The days are those of Belgium. */
export function instantWithin(column: string, field: string, range: DateRange = {}): SqlFragment[] {
  const { from, to, ...rest } = range;
  noFieldLeft(rest);
  refuseReversed(field, from, to);
  // The day after 9999-12-31 cannot be written.
  const last = to === '9999-12-31' ? undefined : to;
  return [
    ...condition(`${column} >= ?::timestamptz`, from && sqlStartOfDay(from)),
    ...condition(`${column} < ?::timestamptz`, last && sqlStartOfDay(addDays(last, 1))),
  ];
}

export function numberWithin(
  column: string,
  field: string,
  range: NumberRange = {},
): SqlFragment[] {
  const { from, to, ...rest } = range;
  noFieldLeft(rest);
  refuseReversed(field, from, to);
  return [...condition(`${column} >= ?::bigint`, from), ...condition(`${column} <= ?::bigint`, to)];
}

function refuseReversed<Value extends string | number>(
  field: string,
  from: Value | undefined,
  to: Value | undefined,
): void {
  if (from === undefined || to === undefined || from <= to) return;
  throw new ApiError('validationFailed', {
    details: [{ path: field, message: 'from must not be after to' }],
  });
}

/** PostgreSQL writes the year 0 of ISO 8601 as 1 BC. */
function sqlDate(day: string): string {
  return day.startsWith('0000') ? `0001${day.slice(4)} BC` : day;
}

function sqlStartOfDay(day: string): string {
  return clampInstant(startOfBrusselsDay(day).getTime()).toISOString();
}
