import type { Knex } from 'knex';
import type { Principal } from '../identity/principal.js';

/** Bank accounts and payroll providers of a customer, by the ids of their links. */
export interface LinkIds {
  readonly bankAccountIds: readonly string[];
  readonly payrollLinkIds: readonly string[];
}

/** A customer whose links change, and who changes them. */
export interface LinkChange extends LinkIds {
  readonly customerId: string;
  readonly principal: Principal;
}

/** What follows a change of a customer, in its transaction: mandates begin, end and are sent again. */
export interface CustomerFollower {
  /** Links were added, all of them in one request. */
  linked(trx: Knex.Transaction, change: LinkChange): Promise<void>;
  /** Links ended. */
  unlinked(trx: Knex.Transaction, change: LinkChange): Promise<void>;
  /** The e-mail address of the contact changed. */
  contactMoved(trx: Knex.Transaction, customerId: string): Promise<void>;
  /** The name changed. */
  renamed(trx: Knex.Transaction, customerId: string): Promise<void>;
}
