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

/** SQL: the customer of a claim, looked up by itself, so only among those of its firm (D-68). */
const customerOf = ({ sql }: SqlFragment) =>
  `select c.id as "customerId", c.firm_id as "firmId", ${firstDayKept}
     from customers c
    where c.id = n.customer_id and c.firm_id = n.firm_id and ${sql} limit 1`;

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
  type Row = CustomerRow & {
    readonly iban: string;
    readonly linkId: string;
  };
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select c.*, n.iban, n.bank_account_id as "linkId"
       from claimed_ibans n cross join lateral (${customerOf(customers)}) c
      where n.iban = any(?)`,
    [...customers.bindings, [...new Set(ibans)]],
  );
  return new Map(rows.map(({ iban, ...recipient }) => [iban, recipient]));
}

async function findByEnterpriseNumber(
  knex: Knex,
  numbers: readonly string[],
  access: Access,
): Promise<ReadonlyMap<string, Recipient>> {
  if (numbers.length === 0) return new Map();
  const [link, customers] = [chosenLink(access), accessibleCustomers(access)];
  type Row = CustomerRow & { readonly enterpriseNumber: string; readonly linkId: string | null };
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select c.*, n.enterprise_number as "enterpriseNumber",
            (select l.id from customer_payroll_providers l
              where l.customer_id = n.customer_id and l.firm_id = n.firm_id
                and l.removed_on is null and ${link.sql}) as "linkId"
       from claimed_enterprise_numbers n cross join lateral (${customerOf(customers)}) c
      where n.enterprise_number = any(?)`,
    [...link.bindings, ...customers.bindings, [...new Set(numbers)]],
  );
  return new Map(
    rows.map(({ enterpriseNumber, linkId, ...row }) => [
      enterpriseNumber,
      { ...row, ...(linkId !== null && { linkId }) },
    ]),
  );
}

/** Selects at most one link of each customer. */
function chosenLink(access: Access): SqlFragment {
  if (!('sender' in access)) return { sql: 'false', bindings: [] };
  return allOf([
    ...condition('l.code = ?', access.sender.code),
    ...condition('l.id = ?', access.kind === 'link' ? access.linkId : undefined),
  ]);
}
