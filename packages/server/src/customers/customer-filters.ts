import type { SearchCustomersRequest } from '@adx/contract';
import { noFieldLeft } from '../api/every-field.js';
import { condition, type SqlFragment } from '../api/sql-fragment.js';
import { normaliseEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { normaliseIban } from '../identifiers/iban.js';
import { hasIban, hasNumber } from './claims.js';

/** Returns the conditions of *Search customers* (§4.4, D-07) over `customers c`. */
export function customerFilters(request: SearchCustomersRequest): SqlFragment[] {
  const { search, enterpriseNumber, accountingRef, iban, limit, offset, ...rest } = request;
  noFieldLeft(rest);
  return [
    ...(search ? [textCondition(search)] : []),
    ...condition(hasNumber, enterpriseNumber && normaliseEnterpriseNumber(enterpriseNumber)),
    ...condition('c.accounting_ref = ?', accountingRef),
    ...condition(hasIban, iban && normaliseIban(iban)),
  ];
}

/**
 * Matches `search_text`, which has name, number with and without dots, and accounting reference, in
 * lower case. Digits and dots match wherever the dots are. `strpos` has no wildcards.
 */
function textCondition(search: string): SqlFragment {
  const sql = 'strpos(c.search_text, lower(? collate "und-x-icu")) > 0';
  const digits = /^[\d.]+$/.test(search) ? search.replaceAll('.', '') : '';
  if (digits === '') return { sql, bindings: [search] };
  return { sql: `${sql} or strpos(c.search_text, ?) > 0`, bindings: [search, digits] };
}
