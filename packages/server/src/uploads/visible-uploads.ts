import { replaceUnprintable } from '@adx/command/unprintable';
import type { ListUploadsRequest, UploadFinding, UploadRecord } from '@adx/contract';
import type { Knex } from 'knex';
import { columnsOf, type FieldSql, noFieldLeft, omitAbsent, recordOf } from '../api/every-field.js';
import { type Listing, type Page, readPage, readPaging, readRecord } from '../api/paging.js';
import { allOf, condition, fragment, isOneOf, type SqlFragment } from '../api/sql-fragment.js';
import { readInstant } from '../dates/instant.js';
import { customersWithVisibleFiles, type Principal, visibleGrants } from '../identity/principal.js';
import { type ReadsOf, readsFrom } from '../replica/replica.js';

const listedEntries = 10;

const maximumFiles = 1000;

/** The number of findings of a single upload: all that are kept, and `furtherFindings`. */
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
export function createVisibleUploads(knex: Knex, readsOf: ReadsOf = readsFrom(knex)) {
  return {
    get: (principal: Principal, id: string): Promise<UploadRecord | undefined> =>
      readRecord(knex, uploadsOf(principal, maximumFiles, maximumFindings), id),

    /**
     * Returns a page of uploads, the latest first.
     *
     * @throws ApiError `validationFailed` if `receivedSince` is not an instant
     */
    list(principal: Principal, request: ListUploadsRequest): Promise<Page<UploadRecord>> {
      const { uploads, ofGrants, ofUploads, others } = uploadFilters(request);
      const listing = uploadsOf(principal, listedEntries, listedEntries, uploads);
      const granted = allOf([listing.visible, ...ofGrants]);
      const all = countGranted(listing.visible);
      const some = others
        ? countAllBut(others, granted)
        : countOf(uploads, allOf([granted, ...ofUploads]));
      const totals = fragment(
        `select (${all.sql}) as records_total, (${some.sql}) as records_filtered`,
        ...[...all.bindings, ...some.bindings],
      );
      const filters = [...ofGrants, ...ofUploads];
      return readsOf(principal.firmId)((run) =>
        readPage(run, listing, filters, readPaging(request), { totals }),
      );
    },
  };
}

type Uploads = Readonly<Record<'from' | 'joins' | 'id' | 'status' | 'receivedOn', string>>;

const everyUpload: Uploads = {
  id: 'u.id',
  from: 'upload_grants g join uploads u on u.grant_id = g.id and u.firm_id = g.firm_id',
  joins: '',
  status: 'u.status',
  receivedOn: 'u.received_on',
};

/** Uploads that are not processed are few: a table of their own counts and orders them. */
const unprocessed: Uploads = {
  id: 'p.upload_id',
  from: 'upload_grants g join unprocessed_uploads p on p.grant_id = g.id and p.firm_id = g.firm_id',
  joins: 'join uploads u on u.id = p.upload_id and u.firm_id = p.firm_id',
  status: 'p.status',
  receivedOn: 'p.received_on',
};

function uploadsOf(
  principal: Principal,
  files: number,
  findings: number,
  { from, joins, id, receivedOn }: Uploads = everyUpload,
): Listing<UploadRow, UploadRecord> {
  const customers = customersWithVisibleFiles(principal);
  return {
    ...{ from, id, sort: [receivedOn], direction: 'desc' },
    visible: visibleGrants(principal),
    columns: fragment(columnsOf<UploadRecord>(fields)),
    joins: fragment(
      `${joins} cross join lateral (
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

function countOf({ from }: Uploads, { sql, bindings }: SqlFragment): SqlFragment {
  return { sql: `select count(*)::int from ${from} where ${sql}`, bindings };
}

/** Returns the query of the number of all uploads of grants, which reads none of them. */
function countGranted({ sql, bindings }: SqlFragment): SqlFragment {
  const count = `select coalesce(sum(g.upload_count), 0)::int from upload_grants g where ${sql}`;
  return { sql: count, bindings };
}

function countAllBut(others: readonly UploadStatus[], granted: SqlFragment): SqlFragment {
  const all = countGranted(granted);
  if (others.length === 0) return all;
  const few = countOf(unprocessed, allOf([granted, isOneOf(unprocessed.status, others)]));
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
  const uploads = statuses.includes('processed') ? everyUpload : unprocessed;
  const isMost = since === undefined && uploads === everyUpload;
  return {
    uploads,
    // A grant is for one product, and has a prefix of its own.
    ofGrants: [...condition('g.product = ?', product), ...condition('g.prefix = ?', prefix)],
    ofUploads: [
      ...(status === undefined ? [] : [isOneOf(uploads.status, statuses)]),
      ...condition(`${uploads.receivedOn} >= ?::timestamptz`, since),
    ],
    /** The statuses that are left out, if their uploads are few: most have been processed. */
    others: isMost ? allStatuses.filter((each) => !statuses.includes(each)) : undefined,
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
