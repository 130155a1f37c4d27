import type { SearchMandatesRequest } from '@adx/contract';
import { ApiError } from '../api/api-error.js';
import { noFieldLeft } from '../api/every-field.js';
import { normaliseIban } from '../identifiers/iban.js';
import type { SqlFragment } from '../identity/principal.js';
import { parseInstant } from './instant.js';

/**
 * The conditions of *Search mandates* (§4.15, D-10) over `mandates m`; nothing when all are asked for.
 *
 * @throws ApiError `validationFailed` when `updatedSince` is no instant
 */
export function mandateFilters(request: SearchMandatesRequest): SqlFragment | undefined {
  const { customerId, enterpriseNumber, iban, payrollProviderCode, product, ...others } = request;
  const { status, includeFinished, updatedSince, ...orderAndPage } = others;
  const { sort, sortDirection, limit, offset, ...rest } = orderAndPage;
  noFieldLeft(rest);
  const conditions = [
    equals('m.customer_id', customerId?.toLowerCase()),
    equals('m.enterprise_number', enterpriseNumber?.replaceAll('.', '')),
    equals('m.iban', iban === undefined ? undefined : normaliseIban(iban)),
    equals('m.payroll_provider_code', payrollProviderCode),
    equals('m.product', product),
    status === undefined ? undefined : isOneOf('m.status', [status].flat()),
    includeFinished ? undefined : { sql: `m.status <> 'finished'`, bindings: [] },
    updatedSince === undefined ? undefined : isSince('m.updated_on', updatedSince),
  ].filter((condition) => condition !== undefined);
  if (conditions.length === 0) return undefined;
  return {
    sql: conditions.map(({ sql }) => sql).join(' and '),
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}

function equals(column: string, value: string | undefined): SqlFragment | undefined {
  return value === undefined ? undefined : { sql: `${column} = ?`, bindings: [value] };
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
