import { type Principal, type SqlFragment, visibleCustomers } from '../identity/principal.js';

/**
 * `from` and `where` of the mandates `m` that the principal may see, with their customers `c`: those
 * of visible customers that are not closed. Further conditions may follow it.
 */
export function visibleMandates(principal: Principal): SqlFragment {
  const { sql, bindings } = visibleCustomers(principal, 'c');
  return {
    sql: `from mandates m join customers c on c.id = m.customer_id and c.firm_id = m.firm_id
         where m.closed_on is null and ${sql}`,
    bindings,
  };
}
