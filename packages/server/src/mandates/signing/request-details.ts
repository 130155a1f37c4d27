import type { Language, MandateStatus } from '@adx/contract';
import type { Knex } from 'knex';
import { formatEnterpriseNumber } from '../../identifiers/enterprise-number.js';

/** A signature request with all that the message and the page say about it. */
export interface AskedSignature {
  readonly requestId: string;
  readonly delivery: number;
  readonly firmName: string;
  readonly customerName: string;
  /** `0123.456.789` */
  readonly enterpriseNumber: string;
  readonly contact: { readonly name: string; readonly email: string };
  readonly language: Language;
  readonly sentOn: Date | null;
  readonly expiresOn: Date | null;
  readonly answer: 'signed' | 'declined' | null;
  readonly answeredOn: Date | null;
  readonly signerName: string | null;
  /** Everything that was asked for, whatever became of it, in the order in which it was linked. */
  readonly asked: readonly AskedItem[];
}

/** A mandate that was asked for, and what became of it. */
interface AskedItem {
  readonly mandate: AskedMandate;
  readonly status: MandateStatus;
  /** Not closed, and not asked for again by a later request. */
  readonly isCurrent: boolean;
  /** Whether the answer of the request was for it too. */
  readonly isAnswered: boolean;
}

interface RequestRow extends Omit<AskedSignature, 'contact' | 'asked'> {
  readonly contactName: string;
  readonly contactEmail: string;
}

interface AskedRow {
  readonly product: 'CODA' | 'CODB';
  readonly iban: string;
  readonly bankName: string | null;
  readonly isLightConnector: boolean;
  readonly nameFr: string;
  readonly nameNl: string;
  readonly status: MandateStatus;
  readonly isCurrent: boolean;
  readonly isAnswered: boolean;
}

/** Reads a request; nothing when there is none with the id. */
export async function readAskedSignature(
  knex: Knex,
  requestId: string,
): Promise<AskedSignature | undefined> {
  const { rows } = await knex.raw<{ rows: RequestRow[] }>(
    `select r.id as "requestId", r.delivery, f.name as "firmName", c.name as "customerName",
            c.enterprise_number as "enterpriseNumber", c.contact_name as "contactName",
            c.contact_email as "contactEmail", c.contact_language as language,
            r.sent_on as "sentOn", r.expires_on as "expiresOn", r.answer,
            r.answered_on as "answeredOn", r.signer_name as "signerName"
       from signature_requests r
       join firms f on f.id = r.firm_id
       join customers c on c.id = r.customer_id
      where r.id = ?`,
    [requestId],
  );
  const [request] = rows;
  if (request === undefined) return undefined;
  const { contactName: name, contactEmail: email, enterpriseNumber, ...rest } = request;
  return {
    ...rest,
    enterpriseNumber: formatEnterpriseNumber(enterpriseNumber),
    contact: { name, email },
    asked: await readAsked(knex, requestId, request.language),
  };
}

async function readAsked(knex: Knex, requestId: string, language: Language): Promise<AskedItem[]> {
  const { rows } = await knex.raw<{ rows: AskedRow[] }>(
    `select m.product, m.iban, b.name as "bankName",
            m.connector_id is not null as "isLightConnector",
            p.name_fr as "nameFr", p.name_nl as "nameNl", m.status,
            m.closed_on is null and m.signature_request_id = asked.request_id as "isCurrent",
            asked.is_answered as "isAnswered"
       from asked_mandates asked
       join mandates m on m.id = asked.mandate_id
       left join banks_by_code b on b.bank_code = m.bank_code
       left join payroll_providers p on p.code = m.payroll_provider_code
      where asked.request_id = ?
      order by m.id`,
    [requestId],
  );
  return rows.map(({ status, isCurrent, isAnswered, ...row }) => ({
    mandate: toAskedMandate(row, language),
    status,
    isCurrent,
    isAnswered,
  }));
}

/** Providers have a French and a Dutch name; the German-speaking community reads French ones. */
function toAskedMandate(
  row: Omit<AskedRow, 'status' | 'isCurrent' | 'isAnswered'>,
  language: Language,
): AskedMandate {
  if (row.product === 'CODB') {
    const isFrench = language === 'fr' || language === 'de';
    return { product: 'CODB', payrollProviderName: isFrench ? row.nameFr : row.nameNl };
  }
  return {
    product: 'CODA',
    iban: row.iban,
    isLightConnector: row.isLightConnector,
    ...(row.bankName !== null && { bankName: row.bankName }),
  };
}

/** Whether a mandate that was asked for still waits for the contact. */
export function isPending({ status, isCurrent }: AskedItem): boolean {
  // One that is just being sent may be answered before that is recorded.
  return isCurrent && (status === 'created' || status === 'waitingForSigner');
}

/** A mandate as its signer reads of it: an account whose statements, or a provider whose files. */
export type AskedMandate =
  | {
      readonly product: 'CODA';
      readonly iban: string;
      readonly bankName?: string;
      /** Signed, it is a consent that has to be renewed. */
      readonly isLightConnector: boolean;
    }
  | { readonly product: 'CODB'; readonly payrollProviderName: string };

/** A signature request as its message shows it to the contact of a customer. */
export interface MailedRequest {
  /** The accounting firm. */
  readonly firmName: string;
  readonly customerName: string;
  /** Of the customer, `0123.456.789`. */
  readonly enterpriseNumber: string;
  readonly contactName: string;
  readonly language: Language;
  /** From this instant on the link no longer works. */
  readonly expiresOn: Date;
  /** At least one. */
  readonly mandates: readonly AskedMandate[];
}
