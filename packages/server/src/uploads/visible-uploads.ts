import { replaceUnprintable } from '@adx/command/unprintable';
import type { ListUploadsRequest, UploadFinding, UploadRecord } from '@adx/contract';
import type { Knex } from 'knex';
import { noFieldLeft, omitAbsent } from '../api/every-field.js';
import { type Page, type PageRow, readPaging, toPage } from '../api/paging.js';
import { allOf, condition, type SqlFragment } from '../api/sql-fragment.js';
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
  readonly product: UploadRecord['product'];
  readonly status: UploadRecord['status'];
  readonly prefix: string;
  /** Below the prefix. */
  readonly key: string;
  readonly etag: string;
  readonly received_on: Date;
  readonly settled_on: Date | null;
  readonly file_count: number;
  readonly files: UploadRecord['files'];
  readonly finding_count: number;
  readonly findings: readonly UploadFinding[];
}

export type VisibleUploads = ReturnType<typeof createVisibleUploads>;

/**
 * Creates the queries of operations 25 and 26, for users of the interface. They see uploads of grants
 * only, so no deliveries, and of their listed files those of customers that they may see now (D-31).
 */
export function createVisibleUploads(knex: Knex) {
  return {
    /** Returns an upload, or undefined. */
    async get(principal: Principal, id: string): Promise<UploadRecord | undefined> {
      const visible = visibleGrants(principal);
      const page: SqlFragment = {
        sql: `select u.id, u.received_on ${uploadsOf(visible)} and u.id = ?`,
        bindings: [...visible.bindings, id],
      };
      const { sql, bindings } = uploadRows(page, principal, maximumFiles, maximumFindings);
      const { rows } = await knex.raw<{ rows: UploadRow[] }>(sql, [...bindings]);
      const [row] = rows;
      return row && toRecord(row);
    },

    /**
     * Returns a page of uploads, the latest first.
     *
     * @throws ApiError `validationFailed` if `receivedSince` is not an instant
     */
    async list(principal: Principal, request: ListUploadsRequest): Promise<Page<UploadRecord>> {
      const { limit, offset } = readPaging(request);
      const visible = visibleGrants(principal);
      const { ofGrants, ofUploads, others } = uploadFilters(request);
      const granted = allOf([visible, ...ofGrants]);
      const matching = allOf([granted, ...ofUploads]);
      const page: SqlFragment = {
        sql: `select u.id, u.received_on ${uploadsOf(matching)}
               order by u.received_on desc, u.id desc limit ? offset ?`,
        bindings: [...matching.bindings, limit, offset],
      };
      const shown = uploadRows(page, principal, listedEntries, listedEntries);
      const counted = [
        countGranted(visible),
        others === undefined ? countUploads(matching) : countAllBut(others, granted),
      ] as const;
      const { rows } = await knex.raw<{ rows: PageRow<UploadRow>[] }>(
        `select counted.*, page.*
           from (select (${counted[0].sql}) as records_total,
                        (${counted[1].sql}) as records_filtered) counted
           left join (${shown.sql}) page on true
          order by page.received_on desc, page.id desc`,
        [...counted.flatMap(({ bindings }) => bindings), ...shown.bindings],
      );
      return toPage(rows, toRecord);
    },
  };
}

function uploadsOf(matching: SqlFragment): string {
  return `from upload_grants g join uploads u on u.grant_id = g.id where ${matching.sql}`;
}

function countUploads(matching: SqlFragment): SqlFragment {
  return { sql: `select count(*)::int ${uploadsOf(matching)}`, bindings: matching.bindings };
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

/** Returns the query that reads the uploads whose ids another one selects. */
function uploadRows(
  ids: SqlFragment,
  principal: Principal,
  files: number,
  findings: number,
): SqlFragment {
  const customers = customersWithVisibleFiles(principal);
  return {
    sql: `
      select u.id, u.product, u.status, g.prefix, u.etag, u.received_on, u.settled_on,
             substr(u.object_key, length(g.prefix) + 2) as key,
             listed.file_count, listed.files,
             jsonb_array_length(u.findings) as finding_count,
             jsonb_path_query_array(u.findings, '$[0 to ${findings - 1}]') as findings
        from (${ids.sql}) ids
        join uploads u on u.id = ids.id
        join upload_grants g on g.id = u.grant_id
       cross join lateral (
             select count(*)::int as file_count,
                    coalesce(json_agg(json_build_object('id', f.id, 'fileName', f.file_name)
                                      order by f.id) filter (where f.number <= ${files}),
                             '[]') as files
               from (select f.id, f.file_name, row_number() over (order by f.id) as number
                       from files f join customers c on c.id = f.customer_id
                      where f.upload_id = u.id and ${customers.sql}) f) listed`,
    bindings: [...ids.bindings, ...customers.bindings],
  };
}

function toRecord(row: UploadRow): UploadRecord {
  return omitAbsent<UploadRecord>({
    id: row.id,
    product: row.product,
    status: row.status,
    prefix: row.prefix,
    key: replaceUnprintable(row.key, '\ufffd'),
    etag: row.etag,
    receivedOn: row.received_on.toISOString(),
    settledOn: row.settled_on?.toISOString(),
    fileCount: row.file_count,
    files: row.files,
    findingCount: row.finding_count,
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
