import type { MandateStatus, Product } from '@adx/contract';
import type { Knex } from 'knex';
import { allOf, condition } from '../../api/sql-fragment.js';
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
  const ofHeld = allOf([
    ...condition('h.id = ?', id),
    ...condition('h.upload_id = ?', uploadId),
    ...condition('h.held_on < ?::timestamptz', heldBefore?.toISOString()),
  ]);
  const ofFirm = allOf(condition('matching.firm_ids @> array[?::text]', firmId));
  const first = `order by h.held_on, h.id limit ${maximumRows}`;
  // Each part by itself, because their firms may be on different nodes (D-72).
  return runUnprepared(knex, {
    sql: `
      with held as materialized (
        select h.id, h.product, h.iban, h.enterprise_number, h.payroll_provider, h.statement_number,
               h.statement_date, h.held_on, h.upload_id,
               coalesce(h.bank_account_id, h.payroll_link_id) as link_id
          from held_deliveries h where ${ofHeld.sql} ${firmId === undefined ? first : ''}),
      sent as materialized (
        select u.id, u.object_key, u.sender from uploads u
         where u.id in (select upload_id from held)),
      claimed as materialized (
        select firm_id, customer_id from claimed_ibans where iban in (select iban from held)
        union
        select firm_id, customer_id from claimed_enterprise_numbers
         where enterprise_number in (select enterprise_number from held)),
      open as materialized (
        select m.id, m.status, m.product, m.iban, m.enterprise_number, m.payroll_provider_code,
               coalesce(m.bank_account_id, m.payroll_link_id) as link_id, m.firm_id,
               f.name as firm_name, m.customer_id, c.name as customer_name
          from claimed k
          join mandates m on m.customer_id = k.customer_id and m.firm_id = k.firm_id
          join customers c on c.id = m.customer_id and c.firm_id = m.firm_id
          join firms f on f.id = m.firm_id
         where m.closed_on is null),
      covering as (
        select h.id as held_id, m.*
          from held h join open m on m.product = h.product and m.iban = h.iban
        union all
        select h.id, m.*
          from held h
          join sent u on u.id = h.upload_id
          join open m on m.product = h.product and m.enterprise_number = h.enterprise_number
                     and m.payroll_provider_code = u.sender),
      matching as (
        select m.held_id, array_agg(m.firm_id) as firm_ids,
               json_agg(json_build_object(
                 'id', m.id, 'status', m.status, 'linkId', m.link_id,
                 'firmId', m.firm_id, 'firmName', m.firm_name,
                 'customerId', m.customer_id, 'customerName', m.customer_name,
                 'payrollProviderCode', m.payroll_provider_code) order by m.id) as mandates
          from covering m group by m.held_id)
      select h.id, h.product, h.iban, h.enterprise_number as "enterpriseNumber",
             h.payroll_provider as "payrollProvider", h.statement_number as "statementNumber",
             h.statement_date as "statementDate", h.held_on as "heldOn", h.upload_id as "uploadId",
             u.object_key as "fileName", u.sender, h.link_id as "linkId",
             coalesce(matching.mandates, '[]') as mandates
        from held h
        join sent u on u.id = h.upload_id
        left join matching on matching.held_id = h.id
       where ${ofFirm.sql} ${first}`,
    bindings: [...ofHeld.bindings, ...ofFirm.bindings],
  });
}
