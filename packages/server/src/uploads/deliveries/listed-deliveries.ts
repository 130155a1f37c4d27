import type { MandateStatus, Product } from '@adx/contract';
import type { Knex } from 'knex';
import { allOf, condition, fragment } from '../../api/sql-fragment.js';
import { runUnprepared } from '../../db/prepared-statements.js';
import type { OperatorScope } from '../../identity/principal.js';

export interface MatchingMandate {
  readonly id: string;
  readonly status: MandateStatus;
  readonly linkId: string;
  readonly firmId: string;
  readonly firmName: string;
  readonly customerId: string;
  readonly customerName: string;
  /** Null for an account. */
  readonly payrollProviderCode: string | null;
}

/** A held delivery, as the operator's commands show it (D-28). */
export interface ShownDelivery {
  readonly id: string;
  readonly product: Product;
  /** Null for a payroll file. */
  readonly iban: string | null;
  /** Ten digits; null for a statement. */
  readonly enterpriseNumber: string | null;
  /** The payroll provider as the file writes it; null for a statement. */
  readonly payrollProvider: string | null;
  readonly statementNumber: number;
  /** `YYYY-MM-DD` */
  readonly statementDate: string;
  /** The time of its last delivery, `HELD_DELIVERY_DAYS` before it is deleted. */
  readonly heldOn: Date;
  readonly uploadId: string;
  readonly fileName: string;
  readonly sender: string;
  /** The account or provider that it is held for; null if none was found. */
  readonly linkId: string | null;
  /** The open mandates for its account, or for its enterprise and sender, in any status. */
  readonly mandates: readonly MatchingMandate[];
}

const maximumRows = 1000;

/**
 * Lists the held deliveries, oldest first. A firm has those with an open mandate of it; nobody else
 * sees one before it is listed.
 */
export function listDeliveries(
  knex: Knex,
  { firmId }: OperatorScope,
  filters: {
    readonly id?: string;
    readonly uploadId?: string | undefined;
    readonly heldBefore?: Date | undefined;
  } = {},
): Promise<ShownDelivery[]> {
  const { id, uploadId, heldBefore } = filters;
  const matching = allOf([
    ...condition('h.id = ?', id),
    ...condition('matching.firm_ids @> array[?::text]', firmId),
    ...condition('h.upload_id = ?', uploadId),
    ...condition('h.held_on < ?::timestamptz', heldBefore?.toISOString()),
  ]);
  return runUnprepared(
    knex,
    fragment(
      `select h.id, h.product, h.iban, h.enterprise_number as "enterpriseNumber",
            h.payroll_provider as "payrollProvider", h.statement_number as "statementNumber",
            h.statement_date as "statementDate", h.held_on as "heldOn", h.upload_id as "uploadId",
            u.object_key as "fileName", u.sender, coalesce(h.bank_account_id, h.payroll_link_id) as "linkId",
            matching.mandates
       from held_deliveries h
       join uploads u on u.id = h.upload_id
      cross join lateral (
            select coalesce(json_agg(json_build_object(
                     'id', m.id, 'status', m.status,
                     'linkId', coalesce(m.bank_account_id, m.payroll_link_id),
                     'firmId', m.firm_id, 'firmName', f.name,
                     'customerId', m.customer_id, 'customerName', c.name,
                     'payrollProviderCode', m.payroll_provider_code) order by m.id), '[]') as mandates,
                   array_agg(m.firm_id) as firm_ids
              from mandates m
              join customers c on c.id = m.customer_id and c.firm_id = m.firm_id
              join firms f on f.id = m.firm_id
             where m.closed_on is null and m.product = h.product
               and (m.iban = h.iban or m.enterprise_number = h.enterprise_number
                                       and m.payroll_provider_code = u.sender)) matching
      where ${matching.sql}
      order by h.held_on, h.id limit ${maximumRows}`,
      ...matching.bindings,
    ),
  );
}
