import type { ListCodaFilesRequest, ListCodbFilesRequest } from '@adx/contract';
import { noFieldLeft } from '../api/every-field.js';
import { condition, type SqlFragment } from '../api/sql-fragment.js';
import { normaliseEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { normaliseIban } from '../identifiers/iban.js';
import { dateWithin, instantWithin, numberWithin } from './range.js';

/** The filters of a list, as conditions over `customers c` and `files f`. */
export interface FileFilters {
  readonly redownload: boolean;
  readonly includePdf: boolean;
  readonly ofCustomer: readonly SqlFragment[];
  readonly ofFile: readonly SqlFragment[];
}

/**
 * Returns the filters of *List CODA files* (§4.17, D-09).
 *
 * @throws ApiError `validationFailed` if `from` of a range is after `to` (D-08)
 */
export function codaFilters(request: ListCodaFilesRequest): FileFilters {
  const { iban, currency, ...common } = request;
  return withCommonFilters(common, [
    ...condition('f.iban = ?', iban && normaliseIban(iban)),
    ...condition('f.currency = ?', currency),
  ]);
}

/**
 * Returns the filters of *List CODB files* (§4.18).
 *
 * @throws ApiError `validationFailed` if `from` of a range is after `to` (D-08)
 */
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
