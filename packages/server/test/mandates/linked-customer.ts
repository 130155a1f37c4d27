import type { Knex } from 'knex';
import { newIban } from '../../../../test/support/numbers.js';
import { createCustomerLinks } from '../../src/customers/customer-links.js';
import { type Iban, parseIban } from '../../src/identifiers/iban.js';
import type { Principal } from '../../src/identity/principal.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { insertCustomer, insertFirm, insertUser, setConnector } from '../support/rows.js';

/** A bank whose accounts use a light connector, once `serveByConnector` was called. */
const connectedBankCode = '132';
export const connectorId = 7;

/** A row of `mandates`. */
export interface MandateRow {
  readonly id: string;
  readonly product: 'CODA' | 'CODB';
  readonly status: string;
  readonly iban: string | null;
  readonly payroll_provider_code: string | null;
  readonly payroll_link_id: string | null;
  readonly connector_id: number | null;
  readonly valid_until: string | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly signature_request_id: string | null;
  readonly created_on: Date;
  readonly updated_on: Date;
  readonly closed_on: Date | null;
}

/** The links with which a customer is created. */
export interface Links {
  readonly ibans?: readonly string[];
  readonly providers?: readonly string[];
}

/** Returns an IBAN of the bank with a light connector. */
export const newConnectedIban = () => newIban(connectedBankCode);

/** Gives one bank a light connector, or takes it away. */
export async function serveByConnector(knex: Knex, id: number | null = connectorId): Promise<void> {
  await setConnector(knex, 'BNAGBEBB', id);
}

/** Creates a user of a new firm. */
export async function newPrincipal(
  knex: Knex,
  firm?: Parameters<typeof insertFirm>[1],
): Promise<Principal> {
  const firmId = await insertFirm(knex, firm);
  const userId = await insertUser(knex, firmId);
  return { firmId, userId, accessLevel: 'administrator', seesCustomers: 'all' };
}

/**
 * Creates a customer of the principal's firm with links, as one request does, and returns its id.
 */
export async function createLinkedCustomer(
  knex: Knex,
  principal: Principal,
  links: Links,
  now: () => Date = () => new Date(),
  row: Readonly<Record<string, string>> = {},
): Promise<string> {
  const customerId = await insertCustomer(knex, principal.firmId, row);
  await knex.transaction((trx) =>
    createCustomerLinks(createCustomerMandates(now)).link(
      trx,
      { customerId, principal },
      {
        bankAccounts: (links.ibans ?? []).map((text) => ({ value: iban(text), path: 'iban' })),
        payrollProviders: (links.providers ?? []).map((value) => ({ value, path: 'code' })),
      },
    ),
  );
  return customerId;
}

/** Returns all mandates of a customer, including closed ones, oldest first. */
export function mandatesOf(knex: Knex, customerId: string): Promise<MandateRow[]> {
  return knex('mandates').where({ customer_id: customerId }).orderBy('id');
}

export function iban(text: string): Iban {
  const parsed = parseIban(text);
  if (parsed === undefined) throw new Error(`${text} is not an IBAN`);
  return parsed;
}
