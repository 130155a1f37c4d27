import type { PrintedLanguage } from '@adx/statements';
import type { Knex } from 'knex';
import { type Principal, type SqlFragment, visibleCustomers } from '../identity/principal.js';
import type { Document } from './documents/document.js';

/** The customers whose documents a file may hold. */
export type Access =
  /** A partner's upload: customers that the user of its grant may see (D-31). */
  | { readonly kind: 'grant'; readonly principal: Principal }
  /** A delivery of a bank or payroll provider: customers of all firms, under a mandate (D-28). */
  | { readonly kind: 'delivery' }
  /** A held delivery that is released: the customer with this link, under its mandate (D-28). */
  | { readonly kind: 'link'; readonly linkId: string }
  /** An object that no grant covers: no customer at all. */
  | { readonly kind: 'none' };

/** Deliveries need a signed mandate; a firm's own uploads do not (D-28). */
export function needsConsent({ kind }: Access): boolean {
  return kind === 'delivery' || kind === 'link';
}

/** The customer that a document is for. */
export interface Recipient {
  readonly customerId: string;
  readonly firmId: string;
  /** Language of the PDF: French where the contact reads French, Dutch otherwise (D-13). */
  readonly language: PrintedLanguage;
  /** Absent for a payroll file, and where the bank is not known. */
  readonly bankName?: string;
  /** The bank account or payroll provider, as linked; absent where the source does not tell which. */
  readonly linkId?: string;
}

interface CustomerRow {
  readonly customerId: string;
  readonly firmId: string;
  readonly contactLanguage: string;
}

const customerColumns = `c.id as "customerId", c.firm_id as "firmId",
            c.contact_language as "contactLanguage"`;

/** The recipient of each document, in their order; undefined where the access covers no customer. */
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
  if (access.kind === 'grant') return visibleCustomers(access.principal, 'c');
  return { sql: access.kind === 'none' ? 'false' : 'c.archived_on is null', bindings: [] };
}

/** The customers with an active account of these IBANs, in whatever currency. */
async function findByIban(
  knex: Knex,
  ibans: readonly string[],
  customers: SqlFragment,
): Promise<ReadonlyMap<string, Recipient>> {
  if (ibans.length === 0) return new Map();
  type Row = CustomerRow & {
    readonly iban: string;
    readonly linkId: string;
    readonly bankName: string | null;
  };
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select ${customerColumns}, a.iban, a.id as "linkId", b.name as "bankName"
       from bank_accounts a
       join customers c on c.id = a.customer_id
       left join banks_by_code b on b.bank_code = a.bank_code
      where a.iban = any(?) and a.disabled_on is null and ${customers.sql}`,
    [[...new Set(ibans)], ...customers.bindings],
  );
  return new Map(
    rows.map(({ iban, linkId, bankName, ...row }) => [
      iban,
      { ...toRecipient(row), linkId, ...(bankName !== null && { bankName }) },
    ]),
  );
}

/** The customers with these enterprise numbers; the source of the file tells which of their links is meant. */
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
    `select ${customerColumns}, c.enterprise_number as "enterpriseNumber",
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
        return { ...toRecipient(row), ...(linkId && { linkId }) };
      },
    ]),
  );
}

function toRecipient({ customerId, firmId, contactLanguage }: CustomerRow): Recipient {
  return { customerId, firmId, language: contactLanguage === 'fr' ? 'fr' : 'nl' };
}

/** A payroll provider, and the customer's link to it. */
interface ProviderLink {
  readonly code: string;
  readonly names: readonly string[];
  /** Null where the customer has none. */
  readonly linkId: string | null;
}

/**
 * The link of a customer that a payroll file of this source belongs to. Providers vary how they
 * write their names (`SD Worx`, `SD WORX vzw`). Where the source names no known provider, the file
 * belongs to the customer's only link; it belongs to none where several are possible.
 *
 * @param source - the provider as the file writes it
 * @param providers - all known providers
 */
function linkOfSource(source: string, providers: readonly ProviderLink[]): string | undefined {
  const written = plain(source);
  const named = providers.filter(({ code, names }) => {
    // Skips `***other***`, which no file writes.
    const isCode = plain(code) === code && written.includes(code);
    return isCode || (written.length > 3 && names.some((name) => plain(name).startsWith(written)));
  });
  const candidates = named.length > 0 ? named : providers;
  const linkIds = candidates.flatMap(({ linkId }) => linkId ?? []);
  return linkIds.length === 1 ? linkIds[0] : undefined;
}

/** Its letters and digits, in lower case and without accents. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}
