import type { PrintedLanguage } from '@adx/statements';
import type { Knex } from 'knex';
import type { ReceivedLinks } from '../file-follower.js';
import { linksOfSource, type ProviderLink } from './links-of-source.js';

/** The customer that a statement is for. */
export interface Recipient {
  readonly customerId: string;
  readonly firmId: string;
  /** That of the PDF: French where the contact reads French, Dutch otherwise. */
  readonly language: PrintedLanguage;
  /** The name of the bank; none for a payroll file or an unknown bank. */
  readonly bankName?: string;
  /** The account or providers whose mandates its arrival finishes. */
  readonly links: ReceivedLinks;
}

/** Whose customers are looked through: those of a firm, or of all firms for the operator. */
export type Customership = { readonly firmId: string } | 'allFirms';

interface CustomerRow {
  readonly customerId: string;
  readonly firmId: string;
  readonly contactLanguage: string;
}

/** The customer with an active account of this IBAN, in whatever currency. */
export async function findByIban(
  knex: Knex,
  iban: string,
  customers: Customership,
): Promise<Recipient | undefined> {
  type Row = CustomerRow & { readonly bankAccountId: string; readonly bankName: string | null };
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select ${customerColumns}, a.id as "bankAccountId", b.name as "bankName"
       from bank_accounts a
       join customers c on c.id = a.customer_id
       left join bank_codes bc on bc.code = a.bank_code
       left join banks b on b.id = bc.bank_id
      where a.iban = ? and a.disabled_on is null and ${isCustomer}`,
    [iban, firmIdOf(customers)],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { bankAccountId, bankName } = row;
  return {
    ...recipientOf(row),
    ...(bankName !== null && { bankName }),
    links: { bankAccountIds: [bankAccountId], payrollLinkIds: [] },
  };
}

/**
 * The customer with this enterprise number.
 *
 * @param enterpriseNumber - ten digits
 * @param source - the payroll provider as the file names it
 */
export async function findByEnterpriseNumber(
  knex: Knex,
  { enterpriseNumber, source }: { readonly enterpriseNumber: string; readonly source: string },
  customers: Customership,
): Promise<Recipient | undefined> {
  type Row = CustomerRow & { readonly providers: readonly ProviderLink[] };
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select ${customerColumns},
            (select json_agg(json_build_object('code', p.code, 'linkId', l.id,
                                               'names', array[p.name_fr, p.name_nl]))
               from payroll_providers p
               left join customer_payroll_providers l
                 on l.code = p.code and l.customer_id = c.id and l.removed_on is null) as providers
       from customers c
      where c.enterprise_number = ? and ${isCustomer}`,
    [enterpriseNumber, firmIdOf(customers)],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const payrollLinkIds = linksOfSource(source, row.providers);
  return { ...recipientOf(row), links: { bankAccountIds: [], payrollLinkIds } };
}

const customerColumns = `c.id as "customerId", c.firm_id as "firmId",
            c.contact_language as "contactLanguage"`;

const isCustomer = 'c.archived_on is null and c.firm_id = coalesce(?, c.firm_id)';

function firmIdOf(customers: Customership): string | null {
  return customers === 'allFirms' ? null : customers.firmId;
}

function recipientOf({ customerId, firmId, contactLanguage }: CustomerRow) {
  return { customerId, firmId, language: contactLanguage === 'fr' ? 'fr' : 'nl' } as const;
}
