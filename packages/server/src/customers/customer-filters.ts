import type { SearchCustomersRequest } from '@adx/contract';
import { noFieldLeft } from '../api/every-field.js';
import { normaliseIban } from '../identifiers/iban.js';
import type { SqlFragment } from '../identity/principal.js';

/** Returns the condition of *Search customers* (§4.4, D-07) over `customers c`, or undefined without filters. */
export function customerFilters(request: SearchCustomersRequest): SqlFragment | undefined {
  const { search, enterpriseNumber, accountingRef, iban, limit, offset, ...rest } = request;
  noFieldLeft(rest);
  const conditions: SqlFragment[] = [];
  if (search) conditions.push(textCondition(search));
  if (enterpriseNumber !== undefined) {
    const digits = enterpriseNumber.replaceAll('.', '');
    conditions.push({ sql: 'c.enterprise_number = ?', bindings: [digits] });
  }
  if (accountingRef !== undefined) {
    conditions.push({ sql: 'c.accounting_ref = ?', bindings: [accountingRef] });
  }
  if (iban !== undefined) {
    conditions.push({ sql: hasAccount, bindings: [normaliseIban(iban)] });
  }
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
  const sql = 'strpos(c.search_text, lower(? collate "und-x-icu")) > 0';
  const digits = /^[\d.]+$/.test(search) ? search.replaceAll('.', '') : '';
  if (digits === '') return { sql, bindings: [search] };
  return { sql: `${sql} or strpos(c.search_text, ?) > 0`, bindings: [search, digits] };
}

const hasAccount = `exists (select 1 from bank_accounts a
  where a.customer_id = c.id and a.disabled_on is null and a.iban = ?)`;
