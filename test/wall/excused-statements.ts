/** A statement that is right although it does not name the firm of a table. */
export interface Excuse {
  /** The beginning of the statement, in one line and without quotation marks. */
  readonly statement: string;
  /** The tables whose firm it does not name. */
  readonly tables: readonly string[];
  readonly reason: string;
}

const secret = 'Signing in: the caller is found by a secret, and has no firm before.';
const givesWay =
  'An unsigned link of another firm gives way (D-66); the caller learns only that it is free.';

/** All of them. One that no statement of the tests needs fails `npm test`. */
export const excuses: readonly Excuse[] = [
  {
    statement: 'select u.id, u.firm_id as firmId, u.password_hash as passwordHash',
    tables: ['users', 'firms'],
    reason: secret,
  },
  {
    statement: 'select u.id as id, u.firm_id as firmId, u.token_version as tokenVersion',
    tables: ['refresh_tokens', 'users', 'firms'],
    reason: secret,
  },
  {
    statement: 'select id from users where account_issuer =',
    tables: ['users'],
    reason: 'Signing in: the user who has the account is only named in the log of the operator.',
  },
  {
    statement: 'select firm_id from claimed_enterprise_numbers where enterprise_number =',
    tables: ['claimed_enterprise_numbers'],
    reason:
      'Enterprise numbers are unique across firms (D-16); the caller learns only that it is in use.',
  },
  {
    statement: 'select c.firm_id as firmId, c.id as customerId, null as iban',
    tables: [
      'claimed_enterprise_numbers',
      'customers',
      'mandates',
      'mandate_history',
      'files',
      'claimed_ibans',
      'bank_accounts',
      'customers',
      'mandates',
      'mandate_history',
      'files',
    ],
    reason: givesWay,
  },
  {
    statement: 'select from customers where id = any($1) order by id for no key update',
    tables: ['customers'],
    reason: givesWay,
  },
  {
    statement: 'select id, firm_id as firmId, customer_id as customerId, product, connector_id',
    tables: ['mandates'],
    reason: givesWay,
  },
  {
    statement: "select 'CODA' as product, coalesce(b.coda_supported",
    tables: ['link_holders', 'link_holders'],
    reason: 'It asks whether other firms had the link (D-66); callers do not see the answer.',
  },
  {
    statement: 'insert into audit_entries',
    tables: ['audit_entries'],
    reason: 'Each entry has the firm of its caller, and nothing is read (D-58).',
  },
];

/** Returns the excuse of a statement whose firm is not named for these tables. */
export function excuseOf(statement: string, tables: readonly string[]): Excuse | undefined {
  const line = statement.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim();
  return excuses.find(
    (each) => line.startsWith(each.statement) && each.tables.join() === tables.join(),
  );
}
