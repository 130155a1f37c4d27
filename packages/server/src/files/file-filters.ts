import type {
  DateRange,
  ListCodaFilesRequest,
  ListCodbFilesRequest,
  NumberRange,
} from '@adx/contract';
import { ApiError } from '../api/api-error.js';
import { noFieldLeft } from '../api/every-field.js';
import { condition, type SqlFragment } from '../api/sql-fragment.js';
import { addDays, startOfBrusselsDay } from '../dates/brussels-day.js';
import { normaliseEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { normaliseIban } from '../identifiers/iban.js';

/** The filters of a list, as conditions over `customers c` and `files f`. */
export interface FileFilters {
  readonly redownload: boolean;
  readonly includePdf: boolean;
  readonly ofCustomer: readonly SqlFragment[];
  readonly ofFile: readonly SqlFragment[];
}

/** Returns the filters of *List CODA files* (§4.17, D-09). */
export function codaFilters(request: ListCodaFilesRequest): FileFilters {
  const { iban, currency, ...common } = request;
  return withCommonFilters(common, [
    ...condition('f.iban = ?', iban && normaliseIban(iban)),
    ...condition('f.currency = ?', currency),
  ]);
}

/** Returns the filters of *List CODB files* (§4.18). */
export function codbFilters(request: ListCodbFilesRequest): FileFilters {
  const { payrollProvider, accountPeriod, ...common } = request;
  return withCommonFilters(common, [
    ...condition('f.payroll_provider = ?', payrollProvider),
    ...condition('f.account_period = ?::integer', accountPeriod),
  ]);
}

type CommonFilters =
  | Omit<ListCodaFilesRequest, 'iban' | 'currency'>
  | Omit<ListCodbFilesRequest, 'payrollProvider' | 'accountPeriod'>;

function withCommonFilters(request: CommonFilters, ofProduct: readonly SqlFragment[]): FileFilters {
  const { redownload = false, includePdf = false, customer, enterpriseNumber, ...ranges } = request;
  const { statementDate, processingDate, statementNumber, ...rest } = ranges;
  noFieldLeft(rest);
  return {
    redownload,
    includePdf,
    ofCustomer: [
      ...condition('c.name_sort = lower(? collate "und-x-icu")', customer),
      ...condition(
        'c.enterprise_number = ?',
        enterpriseNumber && normaliseEnterpriseNumber(enterpriseNumber),
      ),
    ],
    ofFile: [
      ...ofProduct,
      ...dateWithin('f.statement_date', 'statementDate', statementDate),
      ...instantWithin('f.processed_on', 'processingDate', processingDate),
      ...numberWithin('f.statement_number', 'statementNumber', statementNumber),
    ],
  };
}

/* Ranges include both ends. One whose `from` is after its `to` is `validationFailed` (D-08). */

function dateWithin(column: string, field: string, range: DateRange = {}): SqlFragment[] {
  const { from, to, ...rest } = range;
  noFieldLeft(rest);
  refuseReversed(field, from, to);
  return [
    ...condition(`${column} >= ?::date`, from && sqlDate(from)),
    ...condition(`${column} <= ?::date`, to && sqlDate(to)),
  ];
}

/** Matches an instant within a range of days in Belgium. */
function instantWithin(column: string, field: string, range: DateRange = {}): SqlFragment[] {
  const { from, to, ...rest } = range;
  noFieldLeft(rest);
  refuseReversed(field, from, to);
  return [
    ...condition(`${column} >= ?::timestamptz`, from && sqlStartOfDay(from)),
    ...condition(`${column} < ?::timestamptz`, to && sqlStartOfDay(addDays(to, 1))),
  ];
}

function numberWithin(column: string, field: string, range: NumberRange = {}): SqlFragment[] {
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
  return startOfBrusselsDay(day).toISOString();
}
