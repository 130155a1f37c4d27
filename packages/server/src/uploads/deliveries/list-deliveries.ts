import type { MandateStatus } from '@adx/contract';
import type { Knex } from 'knex';
import type { Product } from '../documents/document.js';

/** A mandate under which a held delivery could be listed. */
export interface FittingMandate {
  readonly id: string;
  readonly status: MandateStatus;
  readonly linkId: string;
  readonly firmId: string;
  readonly firmName: string;
  readonly customerId: string;
  readonly customerName: string;
  /** Absent for an account. */
  readonly payrollProviderCode: string | null;
}

/** A held delivery as the operator sees it (D-28). */
export interface ListedDelivery {
  readonly id: string;
  readonly product: Product;
  /** Absent for a payroll file. */
  readonly iban: string | null;
  /** Ten digits; absent for a statement. */
  readonly enterpriseNumber: string | null;
  /** Name of the payroll provider in the file; absent for a statement. */
  readonly payrollProvider: string | null;
  readonly statementNumber: number;
  /** `YYYY-MM-DD` */
  readonly statementDate: string;
  /** When it was delivered last; `HELD_DELIVERY_DAYS` later it is deleted. */
  readonly heldOn: Date;
  readonly uploadId: string;
  /** The name of the file that it was delivered in. */
  readonly fileName: string;
  /** The account or provider that it arrived for; absent where none was found. */
  readonly linkId: string | null;
  /** The open mandates for its account or enterprise, whatever their status. */
  readonly mandates: readonly FittingMandate[];
}

/** Which held deliveries to list; an absent condition does not restrict. */
export interface DeliveryFilters {
  readonly id?: string;
  /** Those with an open mandate of this firm. */
  readonly firmId?: string;
  /** Those of one delivered file. */
  readonly uploadId?: string;
}

/** Deliveries listed at most; filters find the others. */
const longestList = 1000;

/** The deliveries of all firms that are held, the oldest first. */
export async function listDeliveries(
  knex: Knex,
  { id, firmId, uploadId }: DeliveryFilters = {},
): Promise<ListedDelivery[]> {
  const { rows } = await knex.raw<{ rows: ListedDelivery[] }>(
    `select h.id, h.product, h.iban, h.enterprise_number as "enterpriseNumber",
            h.payroll_provider as "payrollProvider", h.statement_number as "statementNumber",
            h.statement_date as "statementDate", h.held_on as "heldOn", h.upload_id as "uploadId",
            u.object_key as "fileName", coalesce(h.bank_account_id, h.payroll_link_id) as "linkId",
            fitting.mandates
       from held_deliveries h
       join uploads u on u.id = h.upload_id
      cross join lateral (
            select coalesce(json_agg(json_build_object(
                     'id', m.id, 'status', m.status,
                     'linkId', coalesce(m.bank_account_id, m.payroll_link_id),
                     'firmId', m.firm_id, 'firmName', f.name,
                     'customerId', m.customer_id, 'customerName', c.name,
                     'payrollProviderCode', m.payroll_provider_code) order by m.id), '[]') as mandates,
                   coalesce(bool_or(m.firm_id = :firmId), false) as is_of_firm
              from mandates m
              join customers c on c.id = m.customer_id
              join firms f on f.id = m.firm_id
             where m.closed_on is null and m.product = h.product
               and (m.iban = h.iban or m.enterprise_number = h.enterprise_number)) fitting
      where (:id::text is null or h.id = :id)
        and (:firmId::text is null or fitting.is_of_firm)
        and (:uploadId::text is null or h.upload_id = :uploadId)
      order by h.held_on, h.id limit ${longestList}`,
    { id: id ?? null, firmId: firmId ?? null, uploadId: uploadId ?? null },
  );
  return rows;
}
