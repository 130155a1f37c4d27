import type { Knex } from 'knex';
import type { UploadFinding } from './upload-finding.js';
import type { UploadStatus } from './upload-store.js';
import type { Product } from './uploaded-document.js';

/** A status, or `failed`: it is received, and no worker tries any more to read it. */
export type SeenStatus = UploadStatus | 'failed';

/** An upload as the operator sees it. */
export interface ListedUpload {
  readonly id: string;
  readonly firmId: string | null;
  readonly product: Product;
  readonly status: SeenStatus;
  readonly bucket: string;
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  readonly receivedOn: Date;
  readonly settledOn: Date | null;
  /** How many files are listed of it. */
  readonly files: number;
  readonly errors: number;
  /** How often workers tried to read it in vain since it was received. */
  readonly failedAttempts: number;
  /** Why the last of those attempts failed. */
  readonly lastError: string | null;
}

/** A file that is listed, and whom it is for. */
export interface FileOfUpload {
  readonly id: string;
  readonly fileName: string;
  readonly customerId: string;
  readonly customerName: string;
}

/** An upload with all that is known of it. */
export interface ShownUpload extends ListedUpload {
  readonly findings: readonly UploadFinding[];
  readonly listed: readonly FileOfUpload[];
}

const seenStatus = `case when u.status = 'received' and j.attempts >= j.max_attempts
            then 'failed' else u.status end`;

/** The uploads, each with the job that reads it where that is still to be done. */
const uploads = `uploads u left join graphile_worker.jobs j
            on j.key = 'readUpload:' || u.id and u.status = 'received' and j.last_error is not null`;

const columns = `u.id, u.firm_id as "firmId", u.product, ${seenStatus} as status, u.bucket,
            u.object_key as "key", u.size::float8 as size, u.received_on as "receivedOn",
            u.settled_on as "settledOn",
            (select count(*)::int from files f where f.upload_id = u.id) as files,
            (select count(*)::int from jsonb_array_elements(u.findings) as finding
              where finding ->> 'severity' = 'error') as errors,
            coalesce(j.attempts, 0)::int as "failedAttempts", j.last_error as "lastError"`;

/** How many uploads are listed; the rest is found by narrowing the list. */
const longestList = 1000;

/** The latest uploads of a firm, or of all, in some status or any: the latest first. */
export async function listUploads(
  knex: Knex,
  { firmId, status }: { readonly firmId?: string; readonly status?: SeenStatus },
): Promise<ListedUpload[]> {
  const { rows } = await knex.raw<{ rows: ListedUpload[] }>(
    `select ${columns} from ${uploads}
      where (:firmId::text is null or u.firm_id = :firmId)
        and (:status::text is null or ${seenStatus} = :status)
      order by u.received_on desc, u.id desc limit ${longestList}`,
    { firmId: firmId ?? null, status: status ?? null },
  );
  return rows;
}

/** An upload with its findings and the files that are listed of it. */
export async function showUpload(knex: Knex, id: string): Promise<ShownUpload | undefined> {
  const { rows } = await knex.raw<{ rows: Omit<ShownUpload, 'listed'>[] }>(
    `select ${columns}, u.findings from ${uploads} where u.id = ?`,
    [id],
  );
  const [upload] = rows;
  if (upload === undefined) return undefined;
  const { rows: listed } = await knex.raw<{ rows: FileOfUpload[] }>(
    `select f.id, f.file_name as "fileName", c.id as "customerId", c.name as "customerName"
       from files f join customers c on c.id = f.customer_id
      where f.upload_id = ? order by f.id`,
    [id],
  );
  return { ...upload, listed };
}
