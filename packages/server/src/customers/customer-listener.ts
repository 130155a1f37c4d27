import type { Knex } from 'knex';
import type { EnterpriseNumber } from '../identifiers/enterprise-number.js';
import type { Iban } from '../identifiers/iban.js';
import type { Principal } from '../identity/principal.js';
import type { CustomerOfFirm } from './claims.js';

/** A customer whose links change, and the user who changes them. */
export interface LinkedCustomer {
  readonly customerId: string;
  readonly principal: Principal;
}

/** Links that were added or ended, by their ids. */
export interface Links {
  readonly bankAccountIds: readonly string[];
  readonly payrollLinkIds: readonly string[];
}

export type LinkChange = LinkedCustomer & Links;
export type LinksOfFirm = CustomerOfFirm & Links;

/** The accounts to link, and the enterprise number of a customer to create. */
export interface WantedLinks {
  readonly firmId: string;
  readonly ibans: readonly Iban[];
  readonly enterpriseNumber?: EnterpriseNumber;
  /** The customers of other firms that have one of them. */
  readonly holders: readonly CustomerOfFirm[];
}

/** A customer of another firm that gives way; only an account of it if that is named. */
export interface AbandonedLink extends CustomerOfFirm {
  readonly iban: string | null;
}

/**
 * Reacts to changes of customers, in the same transaction. The feature `mandates` implements it.
 */
export interface CustomerListener {
  /** Called with all links that a request added. */
  linked(trx: Knex.Transaction, change: LinkChange): Promise<void>;
  unlinked(trx: Knex.Transaction, change: LinkChange): Promise<void>;
  /** Finds and locks the unsigned links of other firms that give way to wanted ones (D-66). */
  lockAbandoned(trx: Knex.Transaction, wanted: WantedLinks): Promise<AbandonedLink[]>;
  gaveWay(trx: Knex.Transaction, ended: readonly LinksOfFirm[], toFirmId: string): Promise<void>;
  /** Called when an operator moved all links of a customer to a customer of another firm (D-48). */
  transferred(trx: Knex.Transaction, ended: LinksOfFirm, linked: LinksOfFirm): Promise<void>;
  contactEmailChanged(trx: Knex.Transaction, customer: CustomerOfFirm): Promise<void>;
  renamed(trx: Knex.Transaction, customer: CustomerOfFirm): Promise<void>;
}
