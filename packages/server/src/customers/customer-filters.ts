import type { SearchCustomersRequest } from '@adx/contract';
import { noFieldLeft } from '../api/every-field.js';
import { normaliseIban } from '../identifiers/iban.js';
import type { SqlFragment } from '../identity/principal.js';

/** Returns the condition of *Search customers* (§4.4, D-07) over `customers c`, or undefined without filters. */
export function customerFilters(request: SearchCustomersRequest): SqlFragment | undefined {
  const { search, enterpriseNumber, accountingRef, iban, limit, offset, ...rest } = request;
  noFieldLeft(rest);
  const conditions = [
    ...(search ? [textCondition(search)] : []),
    ...(enterpriseNumber === undefined
      ? []
      : [condition('c.enterprise_number = ?', enterpriseNumber.replaceAll('.', ''))]),
    ...(accountingRef === undefined ? [] : [condition('c.accounting_ref = ?', accountingRef)]),
    ...(iban === undefined ? [] : [ibanCondition(iban)]),
  ];
  if (conditions.length === 0) return undefined;
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' and '),
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}

/**
 * Matches text in the name, the enterprise number or the accounting reference. `search_text` holds
 * them in lower case, the number with and without dots. A search of digits and dots matches wherever
 * its dots are. `strpos` has no wildcards, so `%` and `_` are ordinary characters.
 */
function textCondition(search: string): SqlFragment {
  const text = 'strpos(c.search_text, lower(? collate "und-x-icu")) > 0';
  const digits = /^[\d.]+$/.test(search) ? search.replaceAll('.', '') : '';
  if (digits === '') return condition(text, search);
  return { sql: `${text} or strpos(c.search_text, ?) > 0`, bindings: [search, digits] };
}

function ibanCondition(iban: string): SqlFragment {
  return condition(
    `exists (select 1 from bank_accounts a
              where a.customer_id = c.id and a.disabled_on is null and a.iban = ?)`,
    normaliseIban(iban),
  );
}

function condition(sql: string, ...bindings: string[]): SqlFragment {
  return { sql, bindings };
}
