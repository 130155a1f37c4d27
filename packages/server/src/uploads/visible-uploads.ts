import { replaceUnprintable } from '@adx/command/unprintable';
import type { ListUploadsRequest, UploadFinding, UploadRecord } from '@adx/contract';
import type { Knex } from 'knex';
import { columnsOf, type FieldSql, noFieldLeft, omitAbsent, recordOf } from '../api/every-field.js';
import { type Listing, type Page, readPage, readPaging, readRecord } from '../api/paging.js';
import { allOf, condition, fragment, type SqlFragment } from '../api/sql-fragment.js';
import { readInstant } from '../dates/instant.js';
import { customersWithVisibleFiles, type Principal, visibleGrants } from '../identity/principal.js';

/** The number of files and of findings that a list shows of each upload. */
const listedEntries = 10;

/** The number of files that a single upload shows; it may have tens of thousands. */
const maximumFiles = 1000;

/** The number of findings that a single upload shows: all that are kept, and `furtherFindings`. */
const maximumFindings = 1001;

const allStatuses = ['received', 'failed', 'processed', 'rejected'] as const;
type UploadStatus = UploadRecord['status'];

interface UploadRow {
  readonly id: string;
  readonly key: string;
  readonly findings: readonly UploadFinding[];
}

/** The fields of an upload. The key is the part of it below the prefix. */
const fields = {
  id: 'u.id',
  product: 'u.product',
  status: 'u.status',
  prefix: 'g.prefix',
  key: 'substr(u.object_key, length(g.prefix) + 2)',
  etag: 'u.etag',
  receivedOn: 'u.received_on',
  settledOn: 'u.settled_on',
  fileCount: 'listed.count',
  files: 'listed.files',
  findingCount: 'jsonb_array_length(u.findings)',
  findings: 'listed.findings',
} as const satisfies FieldSql<UploadRecord>;

export type VisibleUploads = ReturnType<typeof createVisibleUploads>;

/**
 * Creates the queries of operations 25 and 26, for users of the interface. They see uploads of
 * grants only, so no deliveries, and of their listed files those of customers that they may see now
 * (D-31).
 */
export function createVisibleUploads(knex: Knex) {
  return {
    /** Returns an upload, or undefined. */
    get: (principal: Principal, id: string): Promise<UploadRecord | undefined> =>
      readRecord(knex, uploadsOf(principal, maximumFiles, maximumFindings), id),

    /**
     * Returns a page of uploads, the latest first.
     *
     * @throws ApiError `validationFailed` if `receivedSince` is not an instant
     */
    list(principal: Principal, request: ListUploadsRequest): Promise<Page<UploadRecord>> {
      const listing = uploadsOf(principal, listedEntries, listedEntries);
      const { ofGrants, ofUploads, others } = uploadFilters(request);
      const filters = [...ofGrants, ...ofUploads];
      const granted = allOf([listing.visible, ...ofGrants]);
      const [all, some] = [
        countGranted(listing.visible),
        others === undefined
          ? countUploads(allOf([listing.visible, ...filters]))
          : countAllBut(others, granted),
      ];
      const totals = fragment(
        `select (${all.sql}) as records_total, (${some.sql}) as records_filtered`,
        ...[...all.bindings, ...some.bindings],
      );
      return readPage(knex, listing, filters, readPaging(request), { totals });
    },
  };
}

const grantedUploads =
  'upload_grants g join uploads u on u.grant_id = g.id and u.firm_id = g.firm_id';

/** The order of uploads for everyone: the latest first. */
export const latestFirst = { sort: ['u.received_on'], id: 'u.id', direction: 'desc' } as const;

/** The uploads that a principal sees, with at most so many files and findings. */
function uploadsOf(
  principal: Principal,
  files: number,
  findings: number,
): Listing<UploadRow, UploadRecord> {
  const customers = customersWithVisibleFiles(principal);
  return {
    ...latestFirst,
    from: grantedUploads,
    visible: visibleGrants(principal),
    columns: columnsOf<UploadRecord>(fields),
    joins: fragment(
      `cross join lateral (
             select jsonb_path_query_array(u.findings, '$[0 to ${findings - 1}]') as findings,
                    count(*)::int as count,
                    coalesce(json_agg(json_build_object('id', f.id, 'fileName', f.file_name)
                                      order by f.id) filter (where f.number <= ${files}),
                             '[]') as files
               from (select f.id, f.file_name, row_number() over (order by f.id) as number
                       from files f join customers c on c.id = f.customer_id and c.firm_id = f.firm_id
                      where f.upload_id = u.id and f.firm_id = u.firm_id and ${customers.sql}) f) listed`,
      ...customers.bindings,
    ),
    toItem: toRecord,
  };
}

function countUploads({ sql, bindings }: SqlFragment): SqlFragment {
  return fragment(`select count(*)::int from ${grantedUploads} where ${sql}`, ...bindings);
}

/** Returns the query of the number of all uploads of grants, which reads none of them. */
function countGranted({ sql, bindings }: SqlFragment): SqlFragment {
  const count = `select coalesce(sum(g.upload_count), 0)::int from upload_grants g where ${sql}`;
  return { sql: count, bindings };
}

function countAllBut(others: SqlFragment, granted: SqlFragment): SqlFragment {
  const [all, few] = [countGranted(granted), countUploads(allOf([granted, others]))];
  return { sql: `(${all.sql}) - (${few.sql})`, bindings: [...all.bindings, ...few.bindings] };
}

function uploadFilters({
  product,
  status,
  receivedSince,
  prefix,
  limit,
  offset,
  ...rest
}: ListUploadsRequest) {
  noFieldLeft(rest);
  const since = receivedSince && readInstant(receivedSince).toISOString();
  const statuses: readonly UploadStatus[] = [status ?? allStatuses].flat();
  const withStatus = (isWanted: boolean): SqlFragment => {
    const chosen = allStatuses.filter((each) => statuses.includes(each) === isWanted);
    // Constants, so that PostgreSQL uses the index of the uploads that are not processed.
    return {
      sql: chosen.map((each) => `u.status = '${each}'`).join(' or ') || 'false',
      bindings: [],
    };
  };
  const isMost = since === undefined && statuses.includes('processed');
  return {
    // A grant is for one product, and has a prefix of its own.
    ofGrants: [...condition('g.product = ?', product), ...condition('g.prefix = ?', prefix)],
    ofUploads: [
      ...(status === undefined ? [] : [withStatus(true)]),
      ...condition('u.received_on >= ?::timestamptz', since),
    ],
    /** The uploads that are left out, if they are few: most have been processed. */
    others: isMost ? withStatus(false) : undefined,
  };
}

function toRecord(row: UploadRow): UploadRecord {
  return recordOf<UploadRecord>(fields, {
    ...row,
    key: replaceUnprintable(row.key, '\ufffd'),
    findings: row.findings.map(toFinding),
  });
}

function toFinding(stored: UploadFinding): UploadFinding {
  const { severity, code, message, record, position, found, expected, field } = stored;
  return omitAbsent<UploadFinding>({
    severity,
    code,
    message: printable(message),
    record,
    position,
    found: printable(found),
    expected: printable(expected),
    field: printable(field),
  });
}

function printable<Text extends string | undefined>(text: Text) {
  return text === undefined ? text : replaceUnprintable(text, '\ufffd');
}
