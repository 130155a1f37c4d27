import type { AuditEntry, ListAuditEntriesRequest } from '@adx/contract';
import type { Knex } from 'knex';
import { noFieldLeft, omitAbsent } from '../api/every-field.js';
import { type Page, readPaging } from '../api/paging.js';
import { allOf, condition, type SqlFragment } from '../api/sql-fragment.js';
import { readInstant } from '../dates/instant.js';
import { storedId } from '../identifiers/object-id.js';
import { type Principal, visibleEntries } from '../identity/principal.js';
import { entryColumns } from './audit-store.js';
import type { AuditEntry as StoredEntry } from './seal.js';

interface Row {
  readonly filtered: number;
  /** Null if no filter is given. */
  readonly total: number | null;
  readonly records: readonly StoredEntry[];
}

export type VisibleEntries = ReturnType<typeof createVisibleEntries>;

/** Creates the query of operation 27, for users of the interface: they see entries of their firm only (D-58). */
export function createVisibleEntries(knex: Knex) {
  return {
    /**
     * Returns a page of entries, the latest first.
     *
     * @throws Error if an instant has not passed the validation
     */
    async list(principal: Principal, request: ListAuditEntriesRequest): Promise<Page<AuditEntry>> {
      const { customerId, userId, action, occurredSince, occurredBefore, ...others } = request;
      const { limit: _, offset: __, ...rest } = others;
      noFieldLeft(rest);
      const { limit, offset } = readPaging(request);
      const visible = visibleEntries(principal);
      const filters = [
        ...condition('e.customer_id = ?', customerId && storedId(customerId)),
        ...condition('e.user_id = ?', userId && storedId(userId)),
        ...condition('e.action = ?', action),
        ...condition('e.occurred_on >= ?::timestamptz', occurredSince && isoOf(occurredSince)),
        ...condition('e.occurred_on < ?::timestamptz', occurredBefore && isoOf(occurredBefore)),
      ];
      const matching = allOf([visible, ...filters]);
      const count = ({ sql }: SqlFragment) =>
        `(select count(*)::int from audit_entries e where ${sql})`;
      // Counting takes most of the time, so it is done once if no filter is given. The columns are formatted
      // after the limit, because PostgreSQL would format those of the skipped entries too.
      const { rows } = await knex.raw<{ rows: [Row] }>(
        `select ${count(matching)} as filtered,
                ${filters.length === 0 ? 'null' : count(visible)} as total,
                (select coalesce(json_agg(page), '[]') from (
                  select ${entryColumns} from (
                    select * from audit_entries e where ${matching.sql}
                     order by e.id desc limit ? offset ?) e
                   order by e.id desc) page) as records`,
        [
          ...matching.bindings,
          ...(filters.length === 0 ? [] : visible.bindings),
          ...matching.bindings,
          ...[limit, offset],
        ],
      );
      const [{ filtered, total, records }] = rows;
      return {
        records: records.map(toEntry),
        recordsTotal: total ?? filtered,
        recordsFiltered: filtered,
      };
    },
  };
}

function isoOf(text: string): string {
  return readInstant(text).toISOString();
}

/** Returns an entry as the interface shows it. */
export function toEntry(row: StoredEntry): AuditEntry {
  return omitAbsent<AuditEntry>({
    number: row.id,
    occurredOn: row.occurredOn,
    actor: row.actor,
    userId: row.userId ?? undefined,
    apiKeyId: row.apiKeyId ?? undefined,
    operator: row.operator ?? undefined,
    customerId: row.customerId ?? undefined,
    objectId: row.objectId ?? undefined,
    action: row.action,
    outcome: row.outcome,
    address: row.address ?? undefined,
    requestId: row.requestId ?? undefined,
  });
}
