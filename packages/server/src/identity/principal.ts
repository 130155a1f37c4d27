/**
 * The caller, and the data of the firm that the caller may see. Visibility is decided only here. A query
 * that forgets it fails the tests, which read every statement (D-57).
 */

import type { SqlFragment } from '../api/sql-fragment.js';

/** The access levels that may use the interface. A user with `portalOnly` is never a principal (§5 rule 4). */
export type PrincipalAccessLevel = 'administrator' | 'user';

/** The user of an accepted API key and ID token. Stores require one for every query of customers. */
export interface Principal {
  readonly userId: string;
  readonly firmId: string;
  readonly accessLevel: PrincipalAccessLevel;
  /** All customers of the firm, or only those assigned to the user (§5 rule 3, D-18). */
  readonly seesCustomers: 'all' | 'assigned';
}

/**
 * Returns the condition on the rows of `customers` that the principal may see: those of the principal's
 * own firm that are not archived, not confidential unless the user is an administrator (§5 rule 5), and
 * assigned if the user sees only assigned customers. The query calls the table `c`.
 */
export function visibleCustomers(principal: Principal): SqlFragment {
  return seen(principal, 'c.archived_on is null');
}

/**
 * SQL that is true for the customers of a firm whose files are listed: those that are not archived, and
 * those that were transferred to another firm, because files stay with the firm that received them (D-48).
 */
export const hasListedFiles = '(c.archived_on is null or c.transferred_to is not null)';

/** Returns the condition on the rows of `customers` whose files the principal may see. */
export function customersWithVisibleFiles(principal: Principal): SqlFragment {
  return seen(principal, hasListedFiles);
}

function seen(principal: Principal, state: string): SqlFragment {
  const conditions = ['c.firm_id = ?', state];
  const bindings = [principal.firmId];
  if (principal.accessLevel !== 'administrator') {
    conditions.push('not c.is_confidential');
  }
  if (principal.seesCustomers === 'assigned') {
    conditions.push(
      'exists (select 1 from user_customers uc where uc.user_id = ? and uc.customer_id = c.id)',
    );
    bindings.push(principal.userId);
  }
  return { sql: conditions.join(' and '), bindings };
}

/**
 * Returns the condition on the rows of `upload_grants` whose uploads the principal may see: the
 * principal's own, and for an administrator who sees all customers those of the firm (D-31). A file may
 * contain statements of any customers of the firm, so it is not shown to others who see only some of
 * them. The query calls the table `g`.
 */
export function visibleGrants(principal: Principal): SqlFragment {
  return seesWholeFirm(principal)
    ? { sql: 'g.firm_id = ?', bindings: [principal.firmId] }
    : { sql: 'g.firm_id = ? and g.user_id = ?', bindings: [principal.firmId, principal.userId] };
}

/**
 * Returns the condition on the rows of `audit_entries` that the principal may see: the principal's own,
 * and for an administrator who sees all customers those of the firm, because entries name customers that
 * others may not see (D-58). The query calls the table `e`.
 */
export function visibleEntries(principal: Principal): SqlFragment {
  return seesWholeFirm(principal)
    ? { sql: 'e.firm_id = ?', bindings: [principal.firmId] }
    : { sql: 'e.firm_id = ? and e.user_id = ?', bindings: [principal.firmId, principal.userId] };
}

function seesWholeFirm({ accessLevel, seesCustomers }: Principal): boolean {
  return accessLevel === 'administrator' && seesCustomers === 'all';
}
