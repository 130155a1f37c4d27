import type { Language, Product } from '@adx/contract';
import type { Knex } from 'knex';
import { formatEnterpriseNumber } from '../../identifiers/enterprise-number.js';
import { type LifecycleStatus, lifecycleStatusSql, unansweredStatuses } from '../lifecycle.js';
import { endOfRenewal } from '../mandate-jobs.js';

/** A signature request, as the mail and the signing page show it. */
export interface RequestDetails {
  readonly requestId: string;
  readonly delivery: number;
  readonly firmId: string;
  readonly firmName: string;
  readonly firmEmail: string | null;
  readonly firmPhone: string | null;
  /** True if nobody is asked to sign, and nobody can (D-60). */
  readonly isFirmDisabled: boolean;
  readonly customerId: string;
  readonly customerName: string;
  /** `0123.456.789` */
  readonly enterpriseNumber: string;
  readonly contactName: string;
  readonly contactEmail: string;
  readonly language: Language;
  readonly sentOn: Date | null;
  /** Null if it was not sent, except for a renewal. */
  readonly expiresOn: Date | null;
  readonly answer: 'signed' | 'declined' | null;
  /** The requested mandates in any status, in the order in which they were linked. */
  readonly asked: readonly RequestedMandate[];
}

interface RequestedMandate {
  readonly mandate: IdentifiedMandate;
  readonly status: LifecycleStatus;
  /** True if it is not closed and no later request includes it. */
  readonly isCurrent: boolean;
  /** True if the contact signed others and excluded it. */
  readonly isDeclined: boolean;
}

interface MandateColumns {
  readonly id: string;
  readonly product: Product;
  readonly iban: string;
  readonly bankName: string | null;
  readonly isLightConnector: boolean;
  readonly nameFr: string;
  readonly nameNl: string;
}

type MandateRow = MandateColumns & Omit<RequestedMandate, 'mandate'>;

interface RequestRow extends Omit<RequestDetails, 'asked'> {
  /** The last day of the consents that it renews. */
  readonly renewsUntil: string | null;
}

export async function readRequestDetails(
  knex: Knex,
  { requestId, firmId }: Pick<RequestDetails, 'requestId' | 'firmId'>,
): Promise<RequestDetails | undefined> {
  const { rows } = await knex.raw<{ rows: RequestRow[] }>(
    `select r.id as "requestId", r.delivery, f.id as "firmId", f.name as "firmName",
            f.email as "firmEmail", f.phone as "firmPhone", f.disabled_on is not null as "isFirmDisabled",
            c.id as "customerId", c.name as "customerName",
            c.enterprise_number as "enterpriseNumber", c.contact_name as "contactName",
            c.contact_email as "contactEmail", c.contact_language as language,
            r.sent_on as "sentOn", r.expires_on as "expiresOn", r.answer,
            r.renews_until as "renewsUntil"
       from signature_requests r
       join firms f on f.id = r.firm_id
       join customers c on c.id = r.customer_id and c.firm_id = r.firm_id
      where r.id = ? and r.firm_id = ?`,
    [requestId, firmId],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { renewsUntil, ...request } = row;
  return {
    ...request,
    expiresOn: request.expiresOn ?? (renewsUntil === null ? null : endOfRenewal(renewsUntil)),
    enterpriseNumber: formatEnterpriseNumber(request.enterpriseNumber),
    asked: await readMandates(knex, row),
  };
}

async function readMandates(
  knex: Knex,
  { requestId, firmId, language, renewsUntil }: RequestRow,
): Promise<RequestedMandate[]> {
  const { rows } = await knex.raw<{ rows: MandateRow[] }>(
    `select m.id, m.product, m.iban, b.name as "bankName",
            m.connector_id is not null as "isLightConnector",
            p.name_fr as "nameFr", p.name_nl as "nameNl", ${lifecycleStatusSql} as status,
            m.closed_on is null and m.signature_request_id = asked.request_id as "isCurrent",
            asked.is_declined as "isDeclined"
       from asked_mandates asked
       join mandates m on m.id = asked.mandate_id and m.firm_id = asked.firm_id
       left join banks_by_code b on b.bank_code = m.bank_code
       left join payroll_providers p on p.code = m.payroll_provider_code
      where asked.request_id = ? and asked.firm_id = ?
      order by m.id`,
    [requestId, firmId],
  );
  return rows.map(({ status, isCurrent, isDeclined, ...row }) => ({
    mandate: { id: row.id, ...toSummary(row, language, renewsUntil) },
    ...{ status, isCurrent, isDeclined },
  }));
}

/** Providers have a French and a Dutch name. Readers of German get the French one. */
function toSummary(
  row: MandateColumns,
  language: Language,
  renewsUntil: string | null,
): MandateSummary {
  const { product } = row;
  switch (product) {
    case 'CODA':
      return {
        product,
        iban: row.iban,
        isLightConnector: row.isLightConnector,
        ...(row.bankName !== null && { bankName: row.bankName }),
        ...(renewsUntil !== null && { renewsUntil }),
      };
    case 'CODB': {
      const isFrench = language === 'fr' || language === 'de';
      return { product, payrollProviderName: isFrench ? row.nameFr : row.nameNl };
    }
  }
}

/** Returns the mandates that still wait for the contact. */
export function pendingMandates({ asked }: RequestDetails): IdentifiedMandate[] {
  return asked
    .filter(({ status, isCurrent }) => isCurrent && unansweredStatuses.includes(status))
    .map(({ mandate }) => mandate);
}

/** A mandate, as its signer sees it. */
export type MandateSummary =
  | {
      readonly product: 'CODA';
      readonly iban: string;
      readonly bankName?: string;
      readonly isLightConnector: boolean;
      /** The last day of the consent if the request renews it, `YYYY-MM-DD`. */
      readonly renewsUntil?: string;
    }
  | { readonly product: 'CODB'; readonly payrollProviderName: string };

export type IdentifiedMandate = MandateSummary & { readonly id: string };

export type FirmContact = Pick<RequestDetails, 'firmName' | 'firmEmail' | 'firmPhone'>;

export type Parties = Pick<RequestDetails, 'firmName' | 'customerName' | 'enterpriseNumber'>;

/** A signature request, as its mail shows it. */
export interface MailedRequest
  extends FirmContact,
    Parties,
    Pick<RequestDetails, 'contactName' | 'contactEmail' | 'language'> {
  /** The instant from which the signing URL no longer works. */
  readonly expiresOn: Date;
  /** The mandates, at least one. */
  readonly mandates: readonly MandateSummary[];
  /** The time at which the contact got the request, for a reminder. */
  readonly askedOn?: Date;
}
