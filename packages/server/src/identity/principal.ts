/**
 * The caller, and the data that the caller may see. Visibility is decided only here; a query that
 * forgets it fails the tests (D-57).
 */

import { allOf, condition, fragment, type SqlFragment } from '../api/sql-fragment.js';
import { isOperator, type OperatorScope } from './operator-scope.js';

export type { OperatorScope };

/** A user with `portalOnly` is never a principal (§5 rule 4). */
export type PrincipalAccessLevel = 'administrator' | 'user';

/** The user of an accepted API key and ID token. */
export interface Principal {
  readonly userId: string;
  readonly firmId: string;
  readonly accessLevel: PrincipalAccessLevel;
  /** All customers of the firm, or only those assigned to the user (§5 rule 3, D-18). */
  readonly seesCustomers: 'all' | 'assigned';
}

export type Scope = Principal | OperatorScope;

/**
 * Returns the condition on `customers c`. A principal sees those of their own firm that are not
 * archived, not confidential unless the user is an administrator (§5 rule 5), and assigned if the
 * user sees only assigned customers.
 */
export function visibleCustomers(scope: Scope): SqlFragment {
  return seen(scope, 'c.archived_on is null');
}

/**
 * True for the customers `c` whose files are listed: a transferred one's too, because files stay
 * with the firm that received them (D-48).
 */
export const hasListedFiles = '(c.archived_on is null or c.transferred_to is not null)';

/** Returns the condition on the rows of `customers` whose files the scope sees. */
export function customersWithVisibleFiles(scope: Scope): SqlFragment {
  return seen(scope, hasListedFiles);
}

/** Returns the condition on `mandates m` with `customers c`: a principal sees the open ones. */
export function visibleMandates(scope: Scope): SqlFragment {
  const ofCustomers = visibleCustomers(scope);
  if (isOperator(scope)) return ofCustomers;
  return allOf([fragment('m.closed_on is null'), ofCustomers]);
}

function seen(scope: Scope, state: string): SqlFragment {
  if (isOperator(scope)) return ofFirm('c', scope);
  const conditions = ['c.firm_id = ?', state];
  if (scope.accessLevel !== 'administrator') {
    conditions.push('not c.is_confidential');
  }
  const assigned = isAssigned(scope, 'c.id');
  return {
    sql: [...conditions, ...assigned.map(({ sql }) => sql)].join(' and '),
    bindings: [scope.firmId, ...assigned.flatMap(({ bindings }) => bindings)],
  };
}

/** Returns the condition on the id of a customer, if the user sees only those assigned to them. */
export function isAssigned(
  { seesCustomers, userId, firmId }: Principal,
  customerId: 'c.id' | 'n.customer_id',
): SqlFragment[] {
  if (seesCustomers === 'all') return [];
  const sql = `exists (select from user_customers uc
                        where uc.user_id = ? and uc.customer_id = ${customerId} and uc.firm_id = ?)`;
  return [{ sql, bindings: [userId, firmId] }];
}

/**
 * Returns the condition on `upload_grants g` whose uploads the scope sees (D-31). A file may
 * contain statements of any customers of the firm.
 */
export function visibleGrants(scope: Scope): SqlFragment {
  if (isOperator(scope)) return ofFirm('g', scope);
  return seesWholeFirm(scope)
    ? { sql: 'g.firm_id = ?', bindings: [scope.firmId] }
    : { sql: 'g.firm_id = ? and g.user_id = ?', bindings: [scope.firmId, scope.userId] };
}

/**
 * Returns the condition on `audit_entries e`, which name customers that others may not see (D-58).
 */
export function visibleEntries(scope: Scope): SqlFragment {
  if (isOperator(scope)) return ofFirm('e', scope);
  return seesWholeFirm(scope)
    ? { sql: 'e.firm_id = ?', bindings: [scope.firmId] }
    : { sql: 'e.firm_id = ? and e.user_id = ?', bindings: [scope.firmId, scope.userId] };
}

function ofFirm(table: 'c' | 'g' | 'e', { firmId }: OperatorScope): SqlFragment {
  return allOf(condition(`${table}.firm_id = ?`, firmId));
}

function seesWholeFirm({ accessLevel, seesCustomers }: Principal): boolean {
  return accessLevel === 'administrator' && seesCustomers === 'all';
}
