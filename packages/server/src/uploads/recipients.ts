import type { Knex } from 'knex';
import type { SqlFragment } from '../api/sql-fragment.js';
import { type Principal, visibleCustomers } from '../identity/principal.js';
import type { Document } from './documents/document.js';

/** The customers for whom the documents of a file may be listed. */
export type Access =
  /** A partner's upload: the customers that the user of its grant may see (D-31). */
  | { readonly kind: 'grant'; readonly principal: Principal }
  /** A delivery of a bank or payroll provider: customers of all firms, with a mandate (D-28). */
  | { readonly kind: 'delivery' }
  /** A held delivery that is being released: the customer of this link, with its mandate (D-28). */
  | { readonly kind: 'link'; readonly linkId: string }
  /** An object that no grant covers: no customers. */
  | { readonly kind: 'none' };

/** Returns true for deliveries, which need a signed mandate. Uploads need none (D-28). */
export function needsConsent({ kind }: Access): boolean {
  return kind === 'delivery' || kind === 'link';
}

/** The customer that a document is for. */
export interface Recipient {
  readonly customerId: string;
  readonly firmId: string;
  /** The customer's bank account or payroll provider. Undefined if the source matches none or several. */
  readonly linkId?: string;
}

/** The columns of a customer. */
type CustomerRow = Pick<Recipient, 'customerId' | 'firmId'>;

const recipientColumns = `c.id as "customerId", c.firm_id as "firmId"`;

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
  const byNumber = await findByEnterpriseNumber(knex, numbers, customers);
  return documents.map(({ subject }) => {
    const found =
      'iban' in subject
        ? byIban.get(subject.iban)
        : byNumber.get(subject.enterpriseNumber)?.(subject.source, access);
    return access.kind === 'link' && found?.linkId !== access.linkId ? undefined : found;
  });
}

function accessibleCustomers(access: Access): SqlFragment {
  if (access.kind === 'grant') return visibleCustomers(access.principal);
  return { sql: access.kind === 'none' ? 'false' : 'c.archived_on is null', bindings: [] };
}

/** Finds the customers with an active account of these IBANs, in any currency. */
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
    `select ${recipientColumns}, a.iban, a.id as "linkId"
       from bank_accounts a
       join customers c on c.id = a.customer_id
      where a.iban = any(?) and a.disabled_on is null and ${customers.sql}`,
    [[...new Set(ibans)], ...customers.bindings],
  );
  return new Map(rows.map(({ iban, ...recipient }) => [iban, recipient]));
}

/** Finds the customers with these enterprise numbers. The source of the file selects the link. */
async function findByEnterpriseNumber(
  knex: Knex,
  numbers: readonly string[],
  customers: SqlFragment,
): Promise<ReadonlyMap<string, (source: string, access: Access) => Recipient>> {
  if (numbers.length === 0) return new Map();
  type Row = CustomerRow & {
    readonly enterpriseNumber: string;
    readonly providers: readonly ProviderLink[];
  };
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select ${recipientColumns}, c.enterprise_number as "enterpriseNumber",
            (select json_agg(json_build_object('code', p.code, 'linkId', l.id,
                                               'names', array[p.name_fr, p.name_nl]))
               from payroll_providers p
               left join customer_payroll_providers l
                 on l.code = p.code and l.customer_id = c.id and l.removed_on is null) as providers
       from customers c
      where c.enterprise_number = any(?) and ${customers.sql}`,
    [[...new Set(numbers)], ...customers.bindings],
  );
  return new Map(
    rows.map(({ enterpriseNumber, providers, ...row }) => [
      enterpriseNumber,
      (source, access) => {
        const linkId =
          access.kind === 'link'
            ? providers.find((provider) => provider.linkId === access.linkId)?.linkId
            : linkOfSource(source, providers);
        return { ...row, ...(linkId && { linkId }) };
      },
    ]),
  );
}

/** A payroll provider and the customer's link to it. */
interface ProviderLink {
  readonly code: string;
  readonly names: readonly string[];
  /** Null if the customer has none. */
  readonly linkId: string | null;
}

/**
 * Returns the customer's link that a payroll file of this source belongs to. Providers spell their
 * names differently (`SD Worx`, `SD WORX vzw`). A source that matches no known provider belongs to the
 * customer's only link. A source that matches several links belongs to none.
 *
 * @param source - the provider as the file writes it
 * @param providers - all known providers
 */
function linkOfSource(source: string, providers: readonly ProviderLink[]): string | undefined {
  const written = normalize(source);
  const matching = providers.filter(({ code, names }) => {
    // Excludes the code `***other***`, which is not a name.
    const isCode = normalize(code) === code && written.includes(code);
    return (
      isCode || (written.length > 3 && names.some((name) => normalize(name).startsWith(written)))
    );
  });
  const candidates = matching.length > 0 ? matching : providers;
  const linkIds = candidates.flatMap(({ linkId }) => linkId ?? []);
  return linkIds.length === 1 ? linkIds[0] : undefined;
}

/** Reduces a name to letters and digits, in lower case and without accents. */
function normalize(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}
