import type { SearchMandatesRequest } from '@adx/contract';
import { ApiError } from '../api/api-error.js';
import { noFieldLeft } from '../api/every-field.js';
import { parseInstant } from '../dates/instant.js';
import { condition, type SqlFragment } from '../db/sql-fragment.js';
import { normaliseIban } from '../identifiers/iban.js';
import { storedId } from '../identifiers/object-id.js';

/**
 * Returns the conditions of *Search mandates* (§4.15, D-10) over `mandates m`.
 *
 * @throws ApiError `validationFailed` if `updatedSince` is not an instant
 */
export function mandateFilters(request: SearchMandatesRequest): SqlFragment[] {
  const { customerId, enterpriseNumber, iban, payrollProviderCode, product, ...others } = request;
  const { status, includeFinished, updatedSince, ...orderAndPage } = others;
  const { sort, sortDirection, limit, offset, ...rest } = orderAndPage;
  noFieldLeft(rest);
  return [
    ...condition('m.customer_id = ?', customerId && storedId(customerId)),
    ...condition('m.enterprise_number = ?', enterpriseNumber?.replaceAll('.', '')),
    ...condition('m.iban = ?', iban && normaliseIban(iban)),
    ...condition('m.payroll_provider_code = ?', payrollProviderCode),
    ...condition('m.product = ?', product),
    ...(status === undefined ? [] : [isOneOf('m.status', [status].flat())]),
    ...(includeFinished ? [] : [{ sql: `m.status <> 'finished'`, bindings: [] }]),
    ...(updatedSince === undefined ? [] : [isSince('m.updated_on', updatedSince)]),
  ];
}

function isOneOf(column: string, values: readonly string[]): SqlFragment {
  return { sql: `${column} in (${values.map(() => '?').join(', ')})`, bindings: values };
}

function isSince(column: string, text: string): SqlFragment {
  const instant = parseInstant(text);
  if (instant === undefined) {
    throw new ApiError('validationFailed', {
      details: [{ path: 'updatedSince', message: 'must match format "date-time"' }],
    });
  }
  return { sql: `${column} >= ?::timestamptz`, bindings: [instant.toISOString()] };
}
