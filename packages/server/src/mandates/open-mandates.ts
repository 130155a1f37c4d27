import type { Knex } from 'knex';
import {
  type KindColumns,
  kindOf,
  type LifecycleStatus,
  lifecycleStatusSql,
  type MandateKind,
} from './lifecycle.js';

export interface OpenMandate {
  readonly id: string;
  readonly firmId: string;
  readonly customerId: string;
  readonly kind: MandateKind;
  /** The id of the bank account, or of the link to a payroll provider. */
  readonly linkId: string;
  readonly status: LifecycleStatus;
  /** The last day of a consent, `YYYY-MM-DD`. */
  readonly validUntil: string | null;
}

type ChosenColumn =
  | 'id'
  | 'firm_id'
  | 'customer_id'
  | 'signature_request_id'
  | 'bank_account_id'
  | 'payroll_link_id';

/** The type requires at least one column, because without one all mandates would match. */
type MandateChoice = {
  [Column in ChosenColumn]: Record<Column, Ids> & Partial<Record<ChosenColumn, Ids>>;
}[ChosenColumn];

type Ids = string | readonly string[];

/**
 * Locks the open mandates that match any of the columns. To avoid deadlocks, those of a firm are
 * locked by one statement, in the order of their ids, and before the clock of the firm; firms
 * follow in their order.
 *
 * @param firms - their firm, or firms; without them, the mandates of all firms are searched
 */
export async function lockOpenMandates(
  trx: Knex.Transaction,
  choice: MandateChoice,
  firms?: string | readonly string[],
): Promise<OpenMandate[]> {
  const found = firms ?? (await openMandates(trx, choice)).map(({ firmId }) => firmId);
  const locked: OpenMandateRecord[] = [];
  for (const firm of [...new Set([found].flat())].sort()) {
    locked.push(...(await openMandates(trx, choice, firm).forNoKeyUpdate()));
  }
  return locked.map(toOpenMandate);
}

export async function findOpenMandates(
  knex: Knex,
  choice: MandateChoice,
  firms: readonly string[],
): Promise<OpenMandate[]> {
  return (await openMandates(knex, choice, firms)).map(toOpenMandate);
}

function openMandates(knex: Knex, choice: MandateChoice, firms?: string | readonly string[]) {
  return knex('mandates as m')
    .where((of) => {
      if (typeof firms === 'string') of.where({ firm_id: firms });
      else if (firms !== undefined) of.whereRaw('firm_id = any(?)', [[...new Set(firms)]]);
    })
    .where((any) => {
      for (const [column, wanted] of Object.entries(choice)) {
        any.orWhereRaw('?? = any(?)', [column, [...new Set([wanted].flat())]]);
      }
    })
    .whereNull('closed_on')
    .orderBy('id')
    .select<OpenMandateRecord[]>(
      'id',
      'firm_id as firmId',
      'customer_id as customerId',
      'product',
      'connector_id as connectorId',
      'is_contested as isContested',
      'valid_until as validUntil',
      knex.raw(`${lifecycleStatusSql} as status`),
      knex.raw('coalesce(bank_account_id, payroll_link_id) as "linkId"'),
    );
}

type OpenMandateRecord = Omit<OpenMandate, 'kind'> & KindColumns;

function toOpenMandate(record: OpenMandateRecord): OpenMandate {
  const { product, connectorId, isContested, ...others } = record;
  return { ...others, kind: kindOf(record) };
}
