import type { Knex } from 'knex';
import { createCustomerLinks } from '../../src/customers/customer-links.js';
import { type Iban, parseIban } from '../../src/identifiers/iban.js';
import type { Principal } from '../../src/identity/principal.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { belgianIban } from '../support/belgian-iban.js';
import { insertCustomer, insertFirm, insertUser, setConnector } from '../support/rows.js';

/** A bank whose accounts a light connector serves, once `serveByConnector` was called. */
const connectedBankCode = '132';
export const connectorId = 7;

/** A mandate as its row has it. */
export interface MandateRow {
  readonly id: string;
  readonly product: 'CODA' | 'CODB';
  readonly status: string;
  readonly iban: string | null;
  readonly payroll_provider_code: string | null;
  readonly connector_id: number | null;
  readonly valid_until: string | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly signature_request_id: string | null;
  readonly created_on: Date;
  readonly updated_on: Date;
  readonly closed_on: Date | null;
}

/** What a customer is created with. */
export interface Links {
  readonly ibans?: readonly string[];
  readonly providers?: readonly string[];
}

let accounts = 0;

/** A Belgian IBAN that nothing else of this test file has; of Belfius where no bank is given. */
export function newIban(bankCode = '096'): string {
  accounts += 1;
  return belgianIban(`${bankCode}${String(accounts).padStart(7, '0')}`);
}

/** An IBAN of the bank with a light connector. */
export const newConnectedIban = () => newIban(connectedBankCode);

/** Serves the accounts of one bank through a light connector. */
export async function serveByConnector(knex: Knex): Promise<void> {
  await setConnector(knex, 'BNAGBEBB', connectorId);
}

/** A user of a new firm. */
export async function newPrincipal(knex: Knex): Promise<Principal> {
  const firmId = await insertFirm(knex);
  const userId = await insertUser(knex, firmId);
  return { firmId, userId, accessLevel: 'administrator', seesCustomers: 'all' };
}

/** Creates a customer of the principal's firm with links, as one request does; answers its id. */
export async function createLinkedCustomer(
  knex: Knex,
  principal: Principal,
  links: Links,
  now: () => Date = () => new Date(),
): Promise<string> {
  const customerId = await insertCustomer(knex, principal.firmId);
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

/** All mandates of a customer, the closed ones too, in the order in which they began. */
export function mandatesOf(knex: Knex, customerId: string): Promise<MandateRow[]> {
  return knex('mandates').where({ customer_id: customerId }).orderBy('id');
}

export function iban(text: string): Iban {
  const parsed = parseIban(text);
  if (parsed === undefined) throw new Error(`${text} is no IBAN`);
  return parsed;
}
