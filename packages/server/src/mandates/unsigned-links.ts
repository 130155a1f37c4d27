import type { Knex } from 'knex';
import { ApiError } from '../api/api-error.js';
import { allOf, condition, isOneOf } from '../api/sql-fragment.js';
import { DAY } from '../dates/brussels-day.js';
import { type EnterpriseNumber, formatEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { unsignedStatuses } from './lifecycle.js';
import { lockOpenMandates } from './open-mandates.js';

/** The limits of links that nobody signed, so that no firm takes those of others (D-66). */
export interface UnsignedLinkLimits {
  /** Links of a firm that are younger than `days`; as many customers may have no link. */
  readonly perFirm: number;
  /** Days after which an unsigned link gives way to another firm. */
  readonly days: number;
}

export const defaultUnsignedLinks: UnsignedLinkLimits = { perFirm: 2000, days: 90 };

/** A link of another firm's customer that gives way: one of its accounts, or its enterprise number. */
export interface AbandonedLink {
  readonly firmId: string;
  readonly customerId: string;
}

/** Returns the start of the period in which unsigned links stand in the way of other firms. */
function startOfPeriod({ days }: UnsignedLinkLimits, now: Date): Date {
  return new Date(now.getTime() - days * DAY);
}

/** An account or enterprise number that a firm wants to link. */
export type WantedLink =
  | { readonly firmId: string; readonly iban: string }
  | { readonly firmId: string; readonly enterpriseNumber: string };

/**
 * Finds the link of another firm that a wanted one replaces: it and its mandates are older than the
 * period, nobody ever
 * signed for it, and no statement of it was listed within the period, so it is not in use. Locks its
 * customer and mandates, so that an answer or a statement that is being recorded counts.
 */
export async function lockAbandoned(
  trx: Knex.Transaction,
  wanted: WantedLink,
  limits: UnsignedLinkLimits,
  now: Date,
): Promise<AbandonedLink | undefined> {
  const start = startOfPeriod(limits, now);
  const found = await findAbandoned(trx, wanted, start);
  if (found === undefined) return undefined;
  const { customerId } = found;
  await trx.raw('select from customers where id = ? and firm_id = ? for no key update', [
    customerId,
    found.firmId,
  ]);
  await lockOpenMandates(trx, { customer_id: customerId });
  return findAbandoned(trx, wanted, start);
}

async function findAbandoned(
  trx: Knex.Transaction,
  wanted: WantedLink,
  start: Date,
): Promise<AbandonedLink | undefined> {
  const isAccount = 'iban' in wanted;
  const { firmId } = wanted;
  const { rows } = await trx.raw<{ rows: AbandonedLink[] }>(
    `select c.firm_id as "firmId", c.id as "customerId"
       from customers c ${isAccount ? 'join bank_accounts a on a.customer_id = c.id' : ''}
      where ${isAccount ? 'a.iban = :wanted and a.disabled_on is null' : 'c.enterprise_number = :wanted'}
        and c.archived_on is null and c.firm_id <> :firmId
        and ${isAccount ? 'a' : 'c'}.created_on < :start
        and not exists (select from mandates m
                         where m.customer_id = c.id and m.closed_on is null
                           and (m.created_on >= :start
                                or exists (select from mandate_history h
                                            where h.mandate_id = m.id and h.trigger = 'signed'))
                           ${isAccount ? 'and m.bank_account_id = a.id' : ''})
        and not exists (select from files f
                         where f.customer_id = c.id and f.processed_on >= :start
                           ${isAccount ? 'and f.iban = a.iban' : ''})`,
    { firmId, start, wanted: isAccount ? wanted.iban : wanted.enterpriseNumber },
  );
  return rows[0];
}

/**
 * Refuses new links if the firm has too many that nobody signed, and a new customer without links if it
 * has too many of those.
 *
 * @throws ApiError `tooManyUnsignedLinks`; then the transaction must be rolled back
 */
export async function requireRoom(
  trx: Knex.Transaction,
  firmId: string,
  kind: 'links' | 'customers without links',
  limits: UnsignedLinkLimits,
  now: Date,
): Promise<void> {
  const unsigned =
    kind === 'links'
      ? `mandates m where m.firm_id = :firmId and m.closed_on is null
                      and m.created_on >= :start and m.status = any(:unsigned)`
      : `customers c where c.firm_id = :firmId and c.archived_on is null and c.created_on >= :start
                       and not exists (select from mandates m
                                        where m.customer_id = c.id and m.closed_on is null)`;
  const { rows } = await trx.raw<{ rows: { count: number }[] }>(
    `select count(*)::int as count from (select from ${unsigned} limit :limit) as counted`,
    {
      ...{ firmId, start: startOfPeriod(limits, now), limit: limits.perFirm + 1 },
      unsigned: [...unsignedStatuses],
    },
  );
  if ((rows[0]?.count ?? 0) > limits.perFirm) throw new ApiError('tooManyUnsignedLinks');
}

/** A customer with links that nobody has signed, or without any. */
export interface UnsignedCustomer {
  readonly id: string;
  readonly firmId: string;
  readonly enterpriseNumber: string;
  readonly name: string;
  readonly unsignedLinks: number;
  /** When the oldest of them was added; when the customer was created if it has no link. */
  readonly unsignedSince: Date;
}

/** Returns the customers with unsigned links or without any, by firm and age. */
export async function listUnsigned(
  knex: Knex,
  filters: {
    readonly firmId: string | undefined;
    readonly enterpriseNumber: EnterpriseNumber | undefined;
  },
): Promise<UnsignedCustomer[]> {
  const { sql, bindings } = allOf([
    ...condition('c.firm_id = ?', filters.firmId),
    ...condition('c.enterprise_number = ?', filters.enterpriseNumber),
  ]);
  const unsigned = isOneOf('m.status', unsignedStatuses);
  type Row = UnsignedCustomer & { readonly enterpriseNumber: EnterpriseNumber };
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select c.id, c.firm_id as "firmId", c.enterprise_number as "enterpriseNumber", c.name,
            links.unsigned as "unsignedLinks", coalesce(links.since, c.created_on) as "unsignedSince"
       from customers c,
            lateral (select count(*) as all,
                            count(*) filter (where ${unsigned.sql})::int as unsigned,
                            min(m.created_on) filter (where ${unsigned.sql}) as since
                       from mandates m where m.customer_id = c.id and m.closed_on is null) links
      where (links.unsigned > 0 or links.all = 0) and c.archived_on is null and ${sql}
      order by c.firm_id, "unsignedSince", c.id`,
    [...unsigned.bindings, ...unsigned.bindings, ...bindings],
  );
  return rows.map((row) => ({
    ...row,
    enterpriseNumber: formatEnterpriseNumber(row.enterpriseNumber),
  }));
}

/** Counts the unsigned links of all firms, and of the firm with most. */
export async function countUnsigned(
  knex: Knex,
): Promise<{ readonly all: number; readonly largestFirm: number }> {
  // By firm, so that the index of a firm's mandates by status serves it.
  const { rows } = await knex.raw<{ rows: [{ all: number; largestFirm: number }] }>(
    `select coalesce(sum(n.links), 0)::int as all, coalesce(max(n.links), 0)::int as "largestFirm"
       from firms f,
            lateral (select count(*) as links from mandates m
                      where m.firm_id = f.id and m.closed_on is null and m.status = any(?)) n`,
    [[...unsignedStatuses]],
  );
  return rows[0];
}
