import type { AuditEntry, ListAuditEntriesRequest } from '@adx/contract';
import type { Knex } from 'knex';
import { noFieldLeft, omitAbsent } from '../api/every-field.js';
import { type Listing, type Page, readPage, readPaging, readRecords } from '../api/paging.js';
import { condition, fragment, type SqlFragment } from '../api/sql-fragment.js';
import { readInstant } from '../dates/instant.js';
import { storedId } from '../identifiers/object-id.js';
import {
  type OperatorScope,
  type Principal,
  type Scope,
  visibleEntries,
} from '../identity/principal.js';
import { entryColumns, type StoredEntry, sealOfEntry } from './audit-store.js';

/**
 * Returns a page of entries, the latest first.
 *
 * @throws Error if an instant has not passed the validation
 */
export function listVisibleEntries(
  knex: Knex,
  principal: Principal,
  request: ListAuditEntriesRequest,
): Promise<Page<AuditEntry>> {
  const { customerId, userId, action, occurredSince, occurredBefore, ...others } = request;
  const { limit: _, offset: __, ...rest } = others;
  noFieldLeft(rest);
  const filters = filtersOf({
    customerId: customerId && storedId(customerId),
    userId: userId && storedId(userId),
    action,
    since: occurredSince === undefined ? undefined : readInstant(occurredSince),
    until: occurredBefore === undefined ? undefined : readInstant(occurredBefore),
  });
  const listing = { ...entriesOf(principal), columns: fragment(entryColumns), toItem: toEntry };
  return readPage(knex, listing, filters, readPaging(request), { totals: 'separately' });
}

interface EntryFilters {
  readonly customerId?: string | undefined;
  readonly userId?: string | undefined;
  readonly action?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Lists entries as the operator sees them, the latest first. */
export function listEntries(
  knex: Knex,
  operator: OperatorScope,
  filters: EntryFilters,
  limit: number,
): Promise<StoredEntry[]> {
  return readRecords(knex, entriesOf(operator), filtersOf(filters), { limit });
}

const entriesOf = (scope: Scope): Listing<StoredEntry, StoredEntry> => ({
  from: 'audit_entries e',
  visible: visibleEntries(scope),
  sort: [],
  id: 'e.id',
  direction: 'desc',
  columns: fragment(`${entryColumns}, ${sealOfEntry} as seal`),
  toItem: (entry) => entry,
});

function filtersOf({ customerId, userId, action, since, until }: EntryFilters): SqlFragment[] {
  return [
    ...condition('e.customer_id = ?', customerId),
    ...condition('e.user_id = ?', userId),
    ...condition('e.action = ?', action),
    ...condition('e.occurred_on >= ?::timestamptz', since?.toISOString()),
    ...condition('e.occurred_on < ?::timestamptz', until?.toISOString()),
  ];
}

export function toEntry(row: Omit<StoredEntry, 'seal'>): AuditEntry {
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
