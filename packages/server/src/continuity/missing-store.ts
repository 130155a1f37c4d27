import type { ListMissingStatementsRequest, MissingStatements } from '@adx/contract';
import type { Knex } from 'knex';
import { columnsOf, type FieldSql, noFieldLeft, recordOf } from '../api/every-field.js';
import { type Listing, type Page, type Paging, readPage, readRecords } from '../api/paging.js';
import { allOf, condition, fragment, isOneOf, type SqlFragment } from '../api/sql-fragment.js';
import { brusselsDay } from '../dates/brussels-day.js';
import { runUnprepared } from '../db/prepared-statements.js';
import {
  formatEnterpriseNumber,
  normaliseEnterpriseNumber,
} from '../identifiers/enterprise-number.js';
import { normaliseIban } from '../identifiers/iban.js';
import { storedId } from '../identifiers/object-id.js';
import {
  customersWithVisibleFiles,
  hasListedFiles,
  type OperatorScope,
  type Principal,
  type Scope,
} from '../identity/principal.js';
import { signedStatuses } from '../mandates/lifecycle.js';

const fields: FieldSql<MissingStatements> = {
  customerId: 'm.customer_id',
  customerName: 'c.name',
  enterpriseNumber: 'c.enterprise_number',
  iban: 'm.iban',
  currency: 'm.currency',
  kind: 'm.kind',
  fromNumber: 'm.from_number',
  toNumber: 'm.to_number',
  after: 'm.after_date',
  afterNumber: 'm.after_number',
  before: 'm.before_date',
  beforeNumber: 'm.before_number',
  detectedOn: 'm.detected_on',
};

type MissingRow = { readonly id: string; readonly firmId: string } & MissingStatements;

export interface ShownMissing extends MissingStatements {
  readonly firmId: string;
}

/** Lists what is missing of the customers whose files a caller sees (D-30). */
export function listMissingOf(
  knex: Knex,
  principal: Principal,
  request: ListMissingStatementsRequest,
  paging: Paging,
  now: Date,
): Promise<Page<MissingStatements>> {
  const options = { totals: 'inOnePass' } as const;
  return readPage(knex, missingAt(now, principal), filtersOf(request), paging, options);
}

const maximumRows = 1000;

/** Lists what is missing as the operator sees it, the most recently detected first. */
export function listMissing(
  knex: Knex,
  operator: OperatorScope,
  filters: Pick<ListMissingStatementsRequest, 'customerId' | 'kind'>,
  now: Date,
): Promise<ShownMissing[]> {
  const listing: Listing<MissingRow, ShownMissing> = {
    ...missingAt(now, operator),
    toItem: (row) => ({ firmId: row.firmId, ...toMissing(row) }),
  };
  return readRecords(knex, listing, filtersOf(filters), { limit: maximumRows });
}

export async function countMissing(
  knex: Knex,
  operator: OperatorScope,
  now: Date,
): Promise<readonly { readonly kind: string; readonly count: number }[]> {
  const { from, visible } = missingAt(now, operator);
  return runUnprepared(knex, {
    ...visible,
    sql: `select m.kind, count(*) from ${from} where ${visible.sql} group by 1`,
  });
}

/**
 * Lists what is missing, the most recently detected first, of customers that the scope sees and
 * whose files are listed.
 */
function missingAt(now: Date, scope: Scope): Listing<MissingRow, MissingStatements> {
  return {
    // An account has at most one open mandate.
    from: `missing_statements m join customers c on c.id = m.customer_id and c.firm_id = m.firm_id
           left join mandates d on d.firm_id = m.firm_id and d.customer_id = m.customer_id
                               and d.iban = m.iban and d.closed_on is null`,
    visible: allOf([customersWithVisibleFiles(scope), fragment(hasListedFiles), isMissing(now)]),
    sort: ['m.detected_on'],
    id: 'm.id',
    direction: 'desc',
    columns: fragment(`m.id, c.firm_id as "firmId", ${columnsOf<MissingStatements>(fields)}`),
    toItem: toMissing,
  };
}

/** Matches what is missing. An account is overdue only while active and under a signed mandate. */
function isMissing(now: Date): SqlFragment {
  const isSigned = isOneOf('d.status', [...signedStatuses]);
  return {
    sql: `m.closed_on is null and m.detected_on <= ?::timestamptz
          and (m.kind <> 'overdue'
               or ${isSigned.sql} and coalesce(d.valid_until >= ?::date, true))`,
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
  const enterpriseNumber = formatEnterpriseNumber(row.enterpriseNumber);
  return recordOf(fields, { ...row, enterpriseNumber });
}
