/** A statement that is right although it does not name the firm of a table. */
export interface Excuse {
  /** The beginning of the statement, in one line and without quotation marks. */
  readonly statement: string;
  /** The tables whose firm it does not name. */
  readonly tables: readonly string[];
  readonly reason: string;
}

const secret = 'Signing in: the caller is found by a secret, and has no firm before.';
const locked =
  'Its records are those of the customer that the same transaction has locked as visible.';
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
    statement: 'update refresh_tokens set provider_token =',
    tables: ['refresh_tokens'],
    reason: secret,
  },
  {
    statement: 'select firm_id as firmId, access_level as accessLevel',
    tables: ['firms'],
    reason: secret,
  },
  { statement: 'insert into refresh_tokens', tables: ['refresh_tokens', 'firms'], reason: secret },
  {
    statement: 'delete from refresh_tokens where token_hash =',
    tables: ['refresh_tokens'],
    reason: secret,
  },
  {
    statement: 'select firm_id from customers where enterprise_number =',
    tables: ['customers'],
    reason:
      'Enterprise numbers are unique across firms (D-16); the caller learns only that it is in use.',
  },
  {
    statement: 'select c.firm_id as firmId, c.id as customerId, null as iban',
    tables: [
      'customers',
      'mandates',
      'mandate_history',
      'files',
      'customers',
      'bank_accounts',
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
  { statement: 'insert into bank_accounts', tables: ['bank_accounts'], reason: locked },
  {
    statement: 'insert into customer_payroll_providers',
    tables: ['customer_payroll_providers'],
    reason: locked,
  },
  {
    statement: 'update bank_accounts set disabled_on =',
    tables: ['bank_accounts'],
    reason: locked,
  },
  {
    statement: 'update customer_payroll_providers set removed_on =',
    tables: ['customer_payroll_providers'],
    reason: locked,
  },
  {
    statement: "select 'CODA' as product, coalesce(b.coda_supported",
    tables: ['link_holders', 'link_holders'],
    reason: 'It asks whether other firms had the link (D-66); callers do not see the answer.',
  },
  { statement: 'insert into mandate_history', tables: ['mandate_history'], reason: locked },
  {
    statement: 'select id, firm_id as firmId, customer_id as customerId, product, connector_id',
    tables: ['mandates'],
    reason: locked,
  },
  { statement: 'update mandates set signature_request_id =', tables: ['mandates'], reason: locked },
  { statement: 'update mandates m set status =', tables: ['mandates'], reason: locked },
  { statement: 'update mandates m set closed_on =', tables: ['mandates'], reason: locked },
  {
    statement: 'update mandates m set customer_name_sort =',
    tables: ['mandates', 'customers'],
    reason: locked,
  },
  { statement: 'insert into asked_mandates', tables: ['asked_mandates'], reason: locked },
  {
    statement: 'select r.id from signature_requests r where r.customer_id =',
    tables: ['signature_requests', 'mandates'],
    reason: locked,
  },
  {
    statement: 'update signature_requests r set delivery =',
    tables: ['signature_requests', 'customers', 'outgoing_mails', 'outgoing_mails'],
    reason: locked,
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
