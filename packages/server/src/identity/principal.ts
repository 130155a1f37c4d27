/** Who is calling, and what of the firm's data they may see. The only place where visibility is decided. */

/** Access levels that may use the interface; users with `portalOnly` never become a principal (§5 rule 4). */
export type PrincipalAccessLevel = 'administrator' | 'user';

/** A user whose API key and ID token were both accepted. Stores cannot be asked for customers without one. */
export interface Principal {
  readonly userId: string;
  readonly firmId: string;
  readonly accessLevel: PrincipalAccessLevel;
  /** All customers of the firm, or only those assigned to the user (§5 rule 3, D-18). */
  readonly seesCustomers: 'all' | 'assigned';
}

/** A piece of SQL with `?` placeholders and the values for them, as `knex.raw` takes it. */
export interface SqlFragment {
  readonly sql: string;
  readonly bindings: readonly string[];
}

/**
 * The condition under which the principal may see a row of `customers`.
 *
 * Own firm, not archived, not confidential unless the user is an administrator (§5 rule 5), and
 * assigned where the user sees only assigned customers.
 *
 * @param alias - the name that the query gives to the `customers` table
 */
export function visibleCustomers(principal: Principal, alias = 'c'): SqlFragment {
  const conditions = [`${alias}.firm_id = ?`, `${alias}.archived_on is null`];
  const bindings = [principal.firmId];
  if (principal.accessLevel !== 'administrator') {
    conditions.push(`not ${alias}.is_confidential`);
  }
  if (principal.seesCustomers === 'assigned') {
    conditions.push(
      `exists (select 1 from user_customers uc where uc.user_id = ? and uc.customer_id = ${alias}.id)`,
    );
    bindings.push(principal.userId);
  }
  return { sql: conditions.join(' and '), bindings };
}
