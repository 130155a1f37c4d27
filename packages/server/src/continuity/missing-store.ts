import type { ListMissingStatementsRequest, MissingStatements } from '@adx/contract';
import type { Knex } from 'knex';
import { noFieldLeft, omitAbsent } from '../api/every-field.js';
import { type Page, type PageRow, type Paging, toPage } from '../api/paging.js';
import { allOf, condition, isOneOf, type SqlFragment } from '../api/sql-fragment.js';
import { brusselsDay } from '../dates/brussels-day.js';
import {
  formatEnterpriseNumber,
  normaliseEnterpriseNumber,
} from '../identifiers/enterprise-number.js';
import { normaliseIban } from '../identifiers/iban.js';
import { storedId } from '../identifiers/object-id.js';
import {
  customersWithVisibleFiles,
  hasListedFiles,
  type Principal,
} from '../identity/principal.js';
import { signedStatuses } from '../mandates/lifecycle.js';

/** A row of the list: what is missing, with its customer. */
interface MissingRow {
  readonly id: string;
  readonly firm_id: string;
  readonly customer_id: string;
  readonly name: string;
  readonly enterprise_number: string;
  readonly iban: string;
  readonly currency: string;
  readonly kind: MissingStatements['kind'];
  readonly from_number: number | null;
  readonly to_number: number | null;
  readonly after_date: string;
  readonly after_number: number | null;
  readonly before_date: string | null;
  readonly before_number: number | null;
  readonly detected_on: Date;
}

/** What is missing, with the firm, as the operator's commands show it. */
export interface ShownMissing extends MissingStatements {
  readonly firmId: string;
}

export type MissingStore = ReturnType<typeof createMissingStore>;

/** Creates the list of what is missing (D-30). Callers see that of the customers whose files they see. */
export function createMissingStore(knex: Knex, now: () => Date) {
  return {
    async list(
      principal: Principal,
      request: ListMissingStatementsRequest,
      { limit, offset }: Paging,
    ): Promise<Page<MissingStatements>> {
      const visible = allOf([customersWithVisibleFiles(principal), isMissing(now())]);
      const matching = allOf(filtersOf(request));
      const { rows } = await knex.raw<{ rows: PageRow<MissingRow>[] }>(
        `with visible as (select ${columns}, ${matching.sql} as matches from ${tables} where ${visible.sql})
         select counted.*, page.*
           from (select count(*) as records_total,
                        count(*) filter (where matches) as records_filtered from visible) counted
           left join (select * from visible where matches
                       order by detected_on desc, id desc limit ? offset ?) page on true
          order by page.detected_on desc, page.id desc`,
        [...matching.bindings, ...visible.bindings, limit, offset],
      );
      return toPage(rows, toMissing);
    },
  };
}

/** The largest number of records that the operator's list returns. */
const maximumRows = 1000;

/** Lists what is missing at all firms, or at one, the most recently detected first. */
export async function listMissing(
  knex: Knex,
  filters: {
    readonly firmId: string | undefined;
    readonly customerId: string | undefined;
    readonly kind: MissingStatements['kind'] | undefined;
  },
  now: Date,
): Promise<ShownMissing[]> {
  const { sql, bindings } = allOf([
    missingAnywhere(now),
    ...condition('c.firm_id = ?', filters.firmId),
    ...condition('c.id = ?', filters.customerId),
    ...condition('m.kind = ?', filters.kind),
  ]);
  const { rows } = await knex.raw<{ rows: MissingRow[] }>(
    `select ${columns} from ${tables} where ${sql}
      order by m.detected_on desc, m.id desc limit ${maximumRows}`,
    [...bindings],
  );
  return rows.map((row) => ({ firmId: row.firm_id, ...toMissing(row) }));
}

/** Returns how much is missing at all firms, by its kind. */
export async function countMissing(
  knex: Knex,
  now: Date,
): Promise<readonly { readonly kind: string; readonly count: number }[]> {
  const { sql, bindings } = missingAnywhere(now);
  const { rows } = await knex.raw<{ rows: { kind: string; count: number }[] }>(
    `select m.kind, count(*) from ${tables} where ${sql} group by 1`,
    [...bindings],
  );
  return rows;
}

const tables = 'missing_statements m join customers c on c.id = m.customer_id';

const columns = `m.id, c.firm_id, m.customer_id, c.name, c.enterprise_number, m.iban, m.currency, m.kind,
            m.from_number, m.to_number, m.after_date, m.after_number, m.before_date, m.before_number,
            m.detected_on`;

/** Matches what is missing at an instant, at any firm. */
function missingAnywhere(now: Date): SqlFragment {
  return allOf([{ sql: hasListedFiles, bindings: [] }, isMissing(now)]);
}

/**
 * Matches what is missing at an instant. An account is overdue only while it is active and a signed
 * mandate covers it.
 */
function isMissing(now: Date): SqlFragment {
  const isSigned = isOneOf('d.status', [...signedStatuses]);
  return {
    sql: `m.closed_on is null and m.detected_on <= ?::timestamptz
          and (m.kind <> 'overdue' or exists (
               select from bank_accounts a join mandates d on d.bank_account_id = a.id
                where a.customer_id = m.customer_id and a.iban = m.iban and a.disabled_on is null
                  and d.closed_on is null and ${isSigned.sql}
                  and coalesce(d.valid_until >= ?::date, true)))`,
    bindings: [now.toISOString(), ...isSigned.bindings, brusselsDay(now)],
  };
}

function filtersOf(request: ListMissingStatementsRequest): SqlFragment[] {
  const { customerId, enterpriseNumber, iban, kind, limit, offset, ...rest } = request;
  noFieldLeft(rest);
  return [
    ...condition('m.customer_id = ?', customerId && storedId(customerId)),
    ...condition(
      'c.enterprise_number = ?',
      enterpriseNumber && normaliseEnterpriseNumber(enterpriseNumber),
    ),
    ...condition('m.iban = ?', iban && normaliseIban(iban)),
    ...condition('m.kind = ?', kind),
  ];
}

function toMissing(row: MissingRow): MissingStatements {
  return omitAbsent<MissingStatements>({
    customerId: row.customer_id,
    customerName: row.name,
    enterpriseNumber: formatEnterpriseNumber(row.enterprise_number),
    iban: row.iban,
    currency: row.currency,
    kind: row.kind,
    fromNumber: row.from_number ?? undefined,
    toNumber: row.to_number ?? undefined,
    after: row.after_date,
    afterNumber: row.after_number ?? undefined,
    before: row.before_date ?? undefined,
    beforeNumber: row.before_number ?? undefined,
    detectedOn: row.detected_on.toISOString(),
  });
}
