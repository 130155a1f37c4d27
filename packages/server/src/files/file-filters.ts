import type {
  DateRange,
  ListCodaFilesRequest,
  ListCodbFilesRequest,
  NumberRange,
} from '@adx/contract';
import { noFieldLeft } from '../api/every-field.js';
import { normaliseIban } from '../identifiers/iban.js';
import { type Condition, happenedWithinDays, isWithinDays, isWithinNumbers } from './range.js';

/** What a list asks for: conditions over `customers c`, and over `files f`. */
export interface FileFilters {
  readonly redownload: boolean;
  readonly includePdf: boolean;
  readonly ofCustomer: readonly Condition[];
  readonly ofFile: readonly Condition[];
}

/**
 * The filters of *List CODA files* (§4.17, D-09).
 *
 * @throws ApiError `validationFailed` where a range ends before it begins (D-08)
 */
export function codaFilters(request: ListCodaFilesRequest): FileFilters {
  const { iban, currency, ...common } = request;
  return withCommonFilters(common, [
    ...equals('f.iban = ?', iban === undefined ? undefined : normaliseIban(iban)),
    ...equals('f.currency = ?', currency),
  ]);
}

/**
 * The filters of *List CODB files* (§4.18).
 *
 * @throws ApiError `validationFailed` where a range ends before it begins (D-08)
 */
export function codbFilters(request: ListCodbFilesRequest): FileFilters {
  const { payrollProvider, accountPeriod, ...common } = request;
  return withCommonFilters(common, [
    ...equals('f.payroll_provider = ?', payrollProvider),
    ...equals('f.account_period = ?::integer', accountPeriod),
  ]);
}

/** What both products are filtered by. */
interface CommonFilters {
  readonly redownload?: boolean;
  readonly includePdf?: boolean;
  readonly customer?: string;
  readonly enterpriseNumber?: string;
  readonly statementDate?: DateRange;
  readonly processingDate?: DateRange;
  readonly statementNumber?: NumberRange;
}

function withCommonFilters(request: CommonFilters, ofProduct: readonly Condition[]): FileFilters {
  const { redownload = false, includePdf = false, customer, enterpriseNumber, ...ranges } = request;
  const { statementDate, processingDate, statementNumber, ...rest } = ranges;
  noFieldLeft(rest);
  return {
    redownload,
    includePdf,
    ofCustomer: [
      ...equals('c.name_sort = lower(? collate "und-x-icu")', customer),
      ...equals('c.enterprise_number = ?', enterpriseNumber?.replaceAll('.', '')),
    ],
    ofFile: [
      ...ofProduct,
      ...isWithinDays('f.statement_date', 'statementDate', statementDate),
      ...happenedWithinDays('f.processed_on', 'processingDate', processingDate),
      ...isWithinNumbers('f.statement_number', 'statementNumber', statementNumber),
    ],
  };
}

function equals(sql: string, value: string | number | undefined): Condition[] {
  return value === undefined ? [] : [{ sql, bindings: [value] }];
}
