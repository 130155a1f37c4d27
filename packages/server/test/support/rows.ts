import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { claimIbans, claimNumber } from '../../src/customers/claims.js';
import type { CustomerColumns } from '../../src/customers/customer-columns.js';
import type { EnterpriseNumber } from '../../src/identifiers/enterprise-number.js';
import type { Iban } from '../../src/identifiers/iban.js';
import { newObjectId } from '../../src/identifiers/object-id.js';

/** Columns and values of a row. Other columns have valid defaults. */
type Row = Readonly<Record<string, unknown>>;

let rows = 0;
const unique = () => {
  rows += 1;
  return rows;
};

/** Inserts a firm and returns its id. */
export async function insertFirm(knex: Knex, row: Row = {}): Promise<string> {
  const number = unique();
  return insert(knex, 'firms', { name: `Kantoor ${number}`, tenant: `kantoor-${number}`, ...row });
}

/** Takes a name, which is unique, from the firm that has it, so that another one can have it. */
export async function freeFirmName(knex: Knex, name: string): Promise<void> {
  await knex('firms')
    .whereRaw('lower(name collate "und-x-icu") = lower(? collate "und-x-icu")', [name])
    .update({ name: knex.raw("name || ' ' || id") });
}

/** Inserts a user of a firm and returns its id. */
export async function insertUser(knex: Knex, firmId: string, row: Row = {}): Promise<string> {
  return insert(knex, 'users', {
    firm_id: firmId,
    username: `user${unique()}@kantoor.example`,
    password_hash: '-',
    access_level: 'user',
    sees_customers: 'all',
    ...row,
  });
}

/** Inserts an API key with an unknown secret, and returns its id. */
export async function insertApiKey(knex: Knex, row: Row = {}): Promise<string> {
  return insert(knex, 'api_keys', {
    ...{
      partner: `Partner ${unique()}`,
      key_hash: randomBytes(32),
      key_hint: 'adx_live_',
      scopes: [],
    },
    ...row,
  });
}

/** Inserts a customer of a firm, with the claim to its number, and returns its id. */
export async function insertCustomer(knex: Knex, firmId: string, row: Row = {}): Promise<string> {
  const customer: Row = {
    firm_id: firmId,
    enterprise_number: String(unique()).padStart(10, '0'),
    name: 'Bakkerij De Gouden Korst',
    street: 'Veldstraat 12',
    zip_code: '9000',
    municipality: 'Gent',
    country: 'BE',
    contact_name: 'An Peeters',
    contact_function: 'zaakvoerder',
    contact_email: 'an@bakkerij.example',
    contact_language: 'nl',
    ...row,
  };
  return knex.transaction(async (trx) => {
    const customerId = await insert(trx, 'customers', customer);
    if (customer['archived_on'] == null) {
      const enterpriseNumber = customer['enterprise_number'] as EnterpriseNumber;
      const isFree = await claimNumber(trx, { customerId, firmId }, enterpriseNumber);
      if (!isFree) throw taken('claimed_enterprise_numbers_pkey');
    }
    return customerId;
  });
}

const taken = (constraint: string) =>
  Object.assign(new Error('The claim is taken'), { constraint });

/**
 * Does what the stores do besides, for rows that a test has inserted or changed without them:
 * claims what is unique across firms (D-16), and counts the uploads of grants.
 */
export async function completeRows(knex: Knex): Promise<void> {
  const hash = (subject: string) => `sha256(convert_to(${subject}, 'UTF8'))`;
  for (const statement of [
    'delete from claimed_enterprise_numbers',
    'delete from claimed_ibans',
    `insert into claimed_enterprise_numbers (enterprise_number, firm_id, customer_id)
     select enterprise_number, firm_id, id from customers where archived_on is null`,
    `insert into claimed_ibans (iban, firm_id, customer_id, bank_account_id)
     select iban, firm_id, customer_id, id from bank_accounts where disabled_on is null`,
    `insert into link_holders (subject, holder)
     select ${hash('enterprise_number')}, firm_id from customers
      union select ${hash('iban')}, firm_id from bank_accounts
      union select ${hash("c.enterprise_number || ' ' || l.code")}, l.firm_id
              from customer_payroll_providers l
              join customers c on c.id = l.customer_id and c.firm_id = l.firm_id
     on conflict do nothing`,
    `update upload_grants g set upload_count = (select count(*) from uploads u
      where u.grant_id = g.id and u.firm_id = g.firm_id)`,
  ]) {
    await knex.raw(statement);
  }
}

/**
 * A value for each column that partners write, which contains `xqz` where any text is accepted. A
 * new column without one does not compile, so that transfers and erasing are tested with it.
 */
export const everyColumn: {
  readonly [Column in keyof CustomerColumns]: NonNullable<CustomerColumns[Column]>;
} = {
  ...{ name: 'Bakkerij Xqzname', accounting_ref: 'xqzref' },
  ...{ street: 'Xqzstreet 1', street2: 'bus xqz', zip_code: 'xqz9000', municipality: 'Xqztown' },
  ...{ country: 'BE', contact_name: 'An Xqzcontact', contact_function: 'xqzfunction' },
  ...{ contact_email: 'an@xqzmail.example', contact_language: 'nl' },
};

/** Inserts a bank account of a customer, with the claim to its IBAN, and returns its id. */
export async function insertBankAccount(knex: Knex, customerId: string, row: Row): Promise<string> {
  return knex.transaction(async (trx) => {
    const id = await insertLink(trx, 'bank_accounts', customerId, row);
    if (row['disabled_on'] == null) {
      const { firm_id: firmId } = await trx('customers').where({ id: customerId }).first('firm_id');
      const claims = [{ id, iban: row['iban'] as Iban }];
      const claimed = await claimIbans(trx, { customerId, firmId }, claims);
      if (claimed.size === 0) throw taken('claimed_ibans_pkey');
    }
    return id;
  });
}

/** Inserts a payroll provider of a customer and returns its id. */
export async function insertPayrollProvider(
  knex: Knex,
  customerId: string,
  row: Row,
): Promise<string> {
  return insertLink(knex, 'customer_payroll_providers', customerId, row);
}

/** Inserts a row of a customer, with its firm. */
async function insertLink(knex: Knex, table: string, customerId: string, row: Row) {
  const { firm_id } = await knex('customers').where({ id: customerId }).first('firm_id');
  return insert(knex, table, { firm_id, customer_id: customerId, ...row });
}

/** Gives a bank a light connector. */
export async function setConnector(
  knex: Knex,
  bic: string,
  connectorId: number | null,
): Promise<void> {
  await knex('banks').where({ bic }).update({ connector_id: connectorId });
}

async function insert(knex: Knex, table: string, row: Row): Promise<string> {
  const id = newObjectId();
  await knex(table).insert({ id, ...row });
  return id;
}

/** Returns the constraint, or the not-null column, that a change of rows violates. */
export async function refusal(change: PromiseLike<unknown>): Promise<string> {
  try {
    await change;
    return 'none';
  } catch (error) {
    const { constraint, column } = error as { constraint?: string; column?: string };
    return constraint ?? column ?? String(error);
  }
}
