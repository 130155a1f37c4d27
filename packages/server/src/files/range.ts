import type { DateRange, NumberRange } from '@adx/contract';
import { ApiError } from '../api/api-error.js';
import { noFieldLeft } from '../api/every-field.js';
import { addDays, startOfBrusselsDay } from '../dates/brussels-day.js';

/** A condition of a list, with its values; some are not text. */
export interface Condition {
  readonly sql: string;
  readonly bindings: readonly (string | number)[];
}

/** First and last instant that the database and ISO 8601 both write. */
const first = Date.parse('0001-01-01T00:00:00.000Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Days, both inclusive (D-08).
 *
 * @throws ApiError `validationFailed` where `from` is after `to`
 */
export function isWithinDays(column: string, field: string, range: DateRange = {}): Condition[] {
  const { from, to, ...rest } = range;
  noFieldLeft(rest);
  refuseReversed(field, from, to);
  return [
    ...(from === undefined ? [] : [condition(`${column} >= ?::date`, storedDay(from))]),
    ...(to === undefined ? [] : [condition(`${column} <= ?::date`, storedDay(to))]),
  ];
}

/**
 * Instants of days in Belgium, both inclusive (D-08).
 *
 * @throws ApiError `validationFailed` where `from` is after `to`
 */
export function happenedWithinDays(
  column: string,
  field: string,
  range: DateRange = {},
): Condition[] {
  const { from, to, ...rest } = range;
  noFieldLeft(rest);
  refuseReversed(field, from, to);
  return [
    ...(from === undefined
      ? []
      : [condition(`${column} >= ?::timestamptz`, storedInstant(startOfBrusselsDay(from)))]),
    // There is no day after the last one that can be written.
    ...(to === undefined || to === '9999-12-31'
      ? []
      : [
          condition(
            `${column} < ?::timestamptz`,
            storedInstant(startOfBrusselsDay(addDays(to, 1))),
          ),
        ]),
  ];
}

/**
 * Numbers, both inclusive (D-08).
 *
 * @throws ApiError `validationFailed` where `from` is after `to`
 */
export function isWithinNumbers(
  column: string,
  field: string,
  range: NumberRange = {},
): Condition[] {
  const { from, to, ...rest } = range;
  noFieldLeft(rest);
  refuseReversed(field, from, to);
  return [
    ...(from === undefined ? [] : [condition(`${column} >= ?::bigint`, from)]),
    ...(to === undefined ? [] : [condition(`${column} <= ?::bigint`, to)]),
  ];
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
function storedDay(day: string): string {
  return day.startsWith('0000') ? `0001${day.slice(4)} BC` : day;
}

function storedInstant(instant: Date): string {
  return new Date(Math.min(Math.max(instant.getTime(), first), last)).toISOString();
}

function condition(sql: string, ...bindings: (string | number)[]): Condition {
  return { sql, bindings };
}
