import type { SearchMandatesRequest } from '@adx/contract';
import { noFieldLeft } from '../api/every-field.js';
import { condition, isOneOf, type SqlFragment } from '../api/sql-fragment.js';
import { normaliseEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { normaliseIban } from '../identifiers/iban.js';
import { storedId } from '../identifiers/object-id.js';

/** A search of mandates, with its instant parsed. */
export type MandateSearch = Omit<SearchMandatesRequest, 'updatedSince'> & {
  readonly updatedSince?: Date;
};

/** Returns the conditions of *Search mandates* (§4.15, D-10) over `mandates m`. */
export function mandateFilters(request: MandateSearch): SqlFragment[] {
  const { customerId, enterpriseNumber, iban, payrollProviderCode, product, ...others } = request;
  const { status, includeFinished, updatedSince, ...orderAndPage } = others;
  const { sort, sortDirection, limit, offset, ...rest } = orderAndPage;
  noFieldLeft(rest);
  return [
    ...condition('m.customer_id = ?', customerId && storedId(customerId)),
    ...condition(
      'm.enterprise_number = ?',
      enterpriseNumber && normaliseEnterpriseNumber(enterpriseNumber),
    ),
    ...condition('m.iban = ?', iban && normaliseIban(iban)),
    ...condition('m.payroll_provider_code = ?', payrollProviderCode),
    ...condition('m.product = ?', product),
    ...(status === undefined ? [] : [isOneOf('m.status', [status].flat())]),
    ...(includeFinished ? [] : [{ sql: `m.status <> 'finished'`, bindings: [] }]),
    ...condition('m.updated_on >= ?::timestamptz', updatedSince?.toISOString()),
  ];
}
