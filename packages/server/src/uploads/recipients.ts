import type { Knex } from 'knex';
import { allOf, condition, type SqlFragment } from '../api/sql-fragment.js';
import type { Document } from '../files/document.js';
import { type Principal, visibleCustomers } from '../identity/principal.js';
import type { Sender } from './deliveries/sender.js';

/** The customers for whom the documents of a file may be listed. */
export type Access =
  /** A partner's upload: the customers that the user of its grant may see (D-31). */
  | { readonly kind: 'grant'; readonly principal: Principal }
  /** A delivery of a bank or payroll provider: customers of all firms, with a mandate (D-28). */
  | { readonly kind: 'delivery'; readonly sender: Sender }
  /** A held delivery that is being released: the customer of this link, with its mandate (D-28). */
  | { readonly kind: 'link'; readonly linkId: string; readonly sender: Sender }
  /** An object that no grant covers: no customers. */
  | { readonly kind: 'none' };

/** Returns true for deliveries, which need a signed mandate; uploads need none (D-28). */
export function needsMandate({ kind }: Access): boolean {
  return kind === 'delivery' || kind === 'link';
}

export interface Recipient {
  readonly customerId: string;
  readonly firmId: string;
  /** The account or provider; undefined if the customer has none, and for uploads of CODB. */
  readonly linkId?: string;
  /** The first day of which statements have not been removed (D-63), or an empty text. */
  readonly firstDayKept: string;
}

export interface Link {
  readonly linkId: string;
  readonly firmId: string;
}

export function linkOf({ linkId, firmId }: Recipient): Link[] {
  return linkId === undefined ? [] : [{ linkId, firmId }];
}

type CustomerRow = Pick<Recipient, 'customerId' | 'firmId' | 'firstDayKept'>;

const firstDayKept = `coalesce((select dated_before from removed_statements)::text, '')
              as "firstDayKept"`;

/** Returns the first day of which statements have not been removed (D-63), or an empty text. */
export async function findFirstDayKept(knex: Knex): Promise<string> {
  const { rows } = await knex.raw<{ rows: [{ firstDayKept: string }] }>(`select ${firstDayKept}`);
  return rows[0].firstDayKept;
}

/** Finds the recipient of each document: undefined if the access covers no customer. */
export async function findRecipients(
  knex: Knex,
  documents: readonly Document[],
  access: Access,
): Promise<readonly (Recipient | undefined)[]> {
  const ibans = documents.flatMap(({ subject }) => ('iban' in subject ? subject.iban : []));
  const numbers = documents.flatMap(({ subject }) =>
    'iban' in subject ? [] : subject.enterpriseNumber,
  );
  const customers = accessibleCustomers(access);
  const byIban = await findByIban(knex, ibans, customers);
  const byNumber = await findByEnterpriseNumber(knex, numbers, access);
  return documents.map(({ subject }) => {
    const found =
      'iban' in subject ? byIban.get(subject.iban) : byNumber.get(subject.enterpriseNumber);
    return access.kind === 'link' && found?.linkId !== access.linkId ? undefined : found;
  });
}

function accessibleCustomers(access: Access): SqlFragment {
  if (access.kind === 'grant') return visibleCustomers(access.principal);
  return { sql: access.kind === 'none' ? 'false' : 'c.archived_on is null', bindings: [] };
}

async function findByIban(
  knex: Knex,
  ibans: readonly string[],
  customers: SqlFragment,
): Promise<ReadonlyMap<string, Recipient>> {
  if (ibans.length === 0) return new Map();
  const claims = await knex('claimed_ibans')
    .whereIn('iban', [...new Set(ibans)])
    .select<(Claim & { iban: string; linkId: string })[]>(
      ...['iban', 'bank_account_id as linkId', ...claimColumns],
    );
  const found = await findCustomers(knex, claims, customers);
  return new Map(
    claims.flatMap(({ iban, linkId, customerId }) => {
      const customer = found.get(customerId);
      return customer === undefined ? [] : [[iban, { ...customer, linkId }]];
    }),
  );
}

const claimColumns = ['customer_id as customerId', 'firm_id as firmId'];
type Claim = Pick<Recipient, 'customerId' | 'firmId'>;

/** Finds the customers of claims, by their ids. Claims and customers may lie on different nodes. */
async function findCustomers(
  knex: Knex,
  claims: readonly Claim[],
  customers: SqlFragment,
): Promise<ReadonlyMap<string, CustomerRow>> {
  if (claims.length === 0) return new Map();
  const { rows } = await knex.raw<{ rows: CustomerRow[] }>(
    `select c.id as "customerId", c.firm_id as "firmId", ${firstDayKept}
       from customers c where c.firm_id = any(?) and c.id = any(?) and ${customers.sql}`,
    [
      [...new Set(claims.map(({ firmId }) => firmId))],
      claims.map(({ customerId }) => customerId),
      ...customers.bindings,
    ],
  );
  return new Map(rows.map((row) => [row.customerId, row]));
}

async function findByEnterpriseNumber(
  knex: Knex,
  numbers: readonly string[],
  access: Access,
): Promise<ReadonlyMap<string, Recipient>> {
  if (numbers.length === 0) return new Map();
  const claims = await knex('claimed_enterprise_numbers')
    .whereIn('enterprise_number', [...new Set(numbers)])
    .select<(Claim & { enterpriseNumber: string })[]>(
      ...['enterprise_number as enterpriseNumber', ...claimColumns],
    );
  const found = await findCustomers(knex, claims, accessibleCustomers(access));
  const links = 'sender' in access ? await findLinks(knex, claims, access) : new Map();
  return new Map(
    claims.flatMap(({ enterpriseNumber, customerId }) => {
      const customer = found.get(customerId);
      const linkId = links.get(customerId);
      if (customer === undefined) return [];
      return [[enterpriseNumber, { ...customer, ...(linkId !== undefined && { linkId }) }]];
    }),
  );
}

/** Finds at most one link of each customer. */
async function findLinks(
  knex: Knex,
  claims: readonly Claim[],
  access: Extract<Access, { readonly sender: Sender }>,
): Promise<ReadonlyMap<string, string>> {
  const link = allOf([
    ...condition('l.code = ?', access.sender.code),
    ...condition('l.id = ?', access.kind === 'link' ? access.linkId : undefined),
  ]);
  const { rows } = await knex.raw<{ rows: { id: string; customer_id: string }[] }>(
    `select l.id, l.customer_id from customer_payroll_providers l
      where l.firm_id = any(?) and l.customer_id = any(?) and l.removed_on is null and ${link.sql}`,
    [
      [...new Set(claims.map(({ firmId }) => firmId))],
      claims.map(({ customerId }) => customerId),
      ...link.bindings,
    ],
  );
  return new Map(rows.map(({ id, customer_id }) => [customer_id, id]));
}
