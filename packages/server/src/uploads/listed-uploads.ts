import type { Product } from '@adx/contract';
import type { Knex } from 'knex';
import { type Listing, readRecord, readRecords } from '../api/paging.js';
import { condition, fragment } from '../api/sql-fragment.js';
import { runUnprepared } from '../db/prepared-statements.js';
import {
  customersWithVisibleFiles,
  type OperatorScope,
  visibleGrants,
} from '../identity/principal.js';
import type { UploadFinding } from './documents/finding.js';
import type { UploadStatus } from './upload-store.js';

export type UploadSource = 'upload' | 'bank' | 'payrollProvider';

/** An upload or delivered file, as the operator's commands show it. */
export interface ShownUpload {
  readonly id: string;
  readonly source: UploadSource;
  /** The BIC or code of the sender of a delivery; null for an upload. */
  readonly sender: string | null;
  /** Null for a delivery and for an object that no grant covers (D-31). */
  readonly grant: UploadGrant | null;
  readonly product: Product;
  readonly status: UploadStatus;
  readonly bucket: string;
  readonly key: string;
  /** The ETag, as partners see it: with the key it identifies the content (D-32). */
  readonly etag: string;
  /** The size in bytes. */
  readonly size: number;
  readonly receivedOn: Date;
  readonly settledOn: Date | null;
  /** When the copy of a rejected upload was deleted. */
  readonly copyRemovedOn: Date | null;
  readonly files: number;
  readonly held: number;
  readonly errors: number;
  /** The codes of its errors, each once. */
  readonly codes: readonly string[];
  /** The number of failed attempts to read it since the last progress, as long as others follow. */
  readonly failedAttempts: number;
  /** The error of the last failed attempt; of an upload that was given up, why. */
  readonly lastError: string | null;
}

interface UploadGrant {
  readonly id: string;
  readonly firmId: string;
  readonly userId: string;
  readonly username: string;
  readonly apiKeyId: string;
  readonly partner: string;
}

interface ListedFile {
  readonly id: string;
  readonly fileName: string;
  readonly customerId: string;
  readonly customerName: string;
}

export interface UploadDetails extends ShownUpload {
  readonly findings: readonly UploadFinding[];
  readonly listed: readonly ListedFile[];
}

const errorsOf = `from jsonb_array_elements(u.findings) as finding
              where finding ->> 'severity' = 'error'`;

/** An upload without what lies elsewhere: its files, those held of it, and its job. */
type UploadRow = Omit<ShownUpload, 'files' | 'held' | 'failedAttempts' | 'lastError'> & {
  readonly failure: string | null;
};

const uploadsOf = <Row extends UploadRow>(operator: OperatorScope): Listing<Row, Row> => ({
  ...{ sort: ['u.received_on'], id: 'u.id', direction: 'desc' },
  from: 'uploads u left join upload_grants g on g.id = u.grant_id and g.firm_id = u.firm_id',
  visible: visibleGrants(operator),
  columns: fragment(`
    u.id, u.source, u.sender, u.product, u.status, u.bucket,
            u.object_key as "key", u.etag, u.size::float8 as size, u.received_on as "receivedOn",
            u.settled_on as "settledOn", u.copy_removed_on as "copyRemovedOn",
            case when g.id is not null then json_build_object(
              'id', g.id, 'firmId', g.firm_id, 'userId', g.user_id, 'username', w.username,
              'apiKeyId', g.api_key_id, 'partner', k.partner) end as "grant",
            (select count(*)::int ${errorsOf}) as errors,
            array(select distinct finding ->> 'code' ${errorsOf} order by 1) as codes,
            u.failure`),
  joins: fragment(
    `left join users w on w.id = g.user_id and w.firm_id = g.firm_id
     left join api_keys k on k.id = g.api_key_id`,
  ),
  toItem: (upload) => upload,
});

/** Adds what is listed and held of uploads, for any firm, and how often reading them failed. */
async function withOutcomes<Row extends UploadRow>(knex: Knex, uploads: readonly Row[]) {
  const ids = uploads.map(({ id }) => id);
  const count = async (table: 'files' | 'held_deliveries') => {
    const { rows } = await knex.raw<{ rows: { id: string; count: number }[] }>(
      `select upload_id as id, count(*)::int as count from ${table}
        where upload_id = any(?) group by upload_id`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row.count]));
  };
  const [files, held] = [await count('files'), await count('held_deliveries')];
  const { rows } = await knex.raw<{ rows: { id: string; attempts: number; last_error: string }[] }>(
    `select substr(key, length('readUpload:') + 1) as id, attempts, last_error
       from graphile_worker.jobs where key = any(?) and last_error is not null`,
    [ids.map((id) => `readUpload:${id}`)],
  );
  const jobs = new Map(rows.map((job) => [job.id, job]));
  return uploads.map(({ failure, ...upload }) => ({
    ...upload,
    files: files.get(upload.id) ?? 0,
    held: held.get(upload.id) ?? 0,
    failedAttempts: jobs.get(upload.id)?.attempts ?? 0,
    lastError: failure ?? jobs.get(upload.id)?.last_error ?? null,
  }));
}

const maximumRows = 1000;

/**
 * Lists uploads, latest first.
 *
 * @param filters.fileId - only the upload that contained this listed file
 * @param filters.code - only those with a finding of this code
 */
export async function listUploads(
  knex: Knex,
  operator: OperatorScope,
  filters: {
    readonly status?: UploadStatus | undefined;
    readonly fileId?: string | undefined;
    readonly product?: Product | undefined;
    readonly code?: string | undefined;
    readonly since?: Date | undefined;
  },
): Promise<ShownUpload[]> {
  const { status, fileId, product, code, since } = filters;
  const conditions = [
    ...condition('u.status = ?', status),
    // Few of all uploads, so found by an index of their own.
    ...condition(
      `exists (select from unprocessed_uploads p
                where p.upload_id = u.id and p.firm_id = u.firm_id and p.status = ?)`,
      status === 'processed' ? undefined : status,
    ),
    ...condition('u.product = ?', product),
    ...condition('u.id in (select upload_id from files where id = ?)', fileId),
    ...condition("u.findings @> jsonb_build_array(jsonb_build_object('code', ?::text))", code),
    ...condition('u.received_on >= ?::timestamptz', since?.toISOString()),
  ];
  const rows = await readRecords(knex, uploadsOf(operator), conditions, { limit: maximumRows });
  return withOutcomes(knex, rows);
}

export async function showUpload(
  knex: Knex,
  operator: OperatorScope,
  id: string,
): Promise<UploadDetails | undefined> {
  const listing = uploadsOf<UploadRow & Pick<UploadDetails, 'findings'>>(operator);
  const shown = { ...listing, columns: fragment(`${listing.columns.sql}, u.findings`) };
  const row = await readRecord(knex, shown, id);
  const [upload] = await withOutcomes(knex, row === undefined ? [] : [row]);
  return upload && { ...upload, listed: await filesOf(knex, operator, id) };
}

function filesOf(knex: Knex, operator: OperatorScope, uploadId: string): Promise<ListedFile[]> {
  const visible = customersWithVisibleFiles(operator);
  return runUnprepared(
    knex,
    fragment(
      `select f.id, f.file_name as "fileName", c.id as "customerId", c.name as "customerName"
         from files f join customers c on c.id = f.customer_id and c.firm_id = f.firm_id
        where f.upload_id = ? and ${visible.sql} order by f.id`,
      uploadId,
      ...visible.bindings,
    ),
  );
}
