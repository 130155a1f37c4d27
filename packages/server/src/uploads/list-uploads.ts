import type { Knex } from 'knex';
import type { Product } from './documents/document.js';
import type { UploadFinding } from './documents/finding.js';
import type { UploadStatus } from './upload-store.js';

/** A status, or `failed`: it is received, and workers have given up reading it. */
export type SeenStatus = UploadStatus | 'failed';

/** How a file came in: uploaded by a partner, or delivered by a bank or payroll provider. */
export type UploadSource = 'upload' | 'bank' | 'payrollProvider';

/** An upload or a delivered file as the operator sees it. */
export interface ListedUpload {
  readonly id: string;
  readonly source: UploadSource;
  /** The owner of the credentials it was put with; absent for a delivery, and where no grant covers the object (D-31). */
  readonly grant: UploadOwner | null;
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
  /** How many of its documents are held. */
  readonly held: number;
  readonly errors: number;
  /** How often workers failed to read it since it was received. */
  readonly failedAttempts: number;
  /** Why the last of those attempts failed. */
  readonly lastError: string | null;
}

/** The grant of an upload: user, firm, and the partner software with its API key. */
export interface UploadOwner {
  readonly id: string;
  readonly firmId: string;
  readonly userId: string;
  readonly username: string;
  readonly apiKeyId: string;
  readonly partner: string;
}

/** A listed file and its customer. */
export interface FileOfUpload {
  readonly id: string;
  readonly fileName: string;
  readonly customerId: string;
  readonly customerName: string;
}

/** An upload with its findings and its listed files. */
export interface ShownUpload extends ListedUpload {
  readonly findings: readonly UploadFinding[];
  readonly listed: readonly FileOfUpload[];
}

/** Which uploads to list; an absent condition does not restrict. */
export interface UploadFilters {
  readonly firmId?: string;
  readonly status?: SeenStatus;
  /** The one that a listed file came in. */
  readonly fileId?: string;
}

const seenStatus = `case when u.status = 'received' and j.attempts >= j.max_attempts
            then 'failed' else u.status end`;

/** Uploads with their grants, and with their reading jobs where these have failed. */
const uploads = `uploads u
       left join upload_grants g on g.id = u.grant_id
       left join users w on w.id = g.user_id
       left join api_keys k on k.id = g.api_key_id
       left join graphile_worker.jobs j
            on j.key = 'readUpload:' || u.id and u.status = 'received' and j.last_error is not null`;

const columns = `u.id, u.source, u.product, ${seenStatus} as status, u.bucket,
            u.object_key as "key", u.size::float8 as size, u.received_on as "receivedOn",
            u.settled_on as "settledOn",
            case when g.id is not null then json_build_object(
              'id', g.id, 'firmId', g.firm_id, 'userId', g.user_id, 'username', w.username,
              'apiKeyId', g.api_key_id, 'partner', k.partner) end as "grant",
            (select count(*)::int from files f where f.upload_id = u.id) as files,
            (select count(*)::int from held_deliveries h
              where h.upload_id = u.id) as held,
            (select count(*)::int from jsonb_array_elements(u.findings) as finding
              where finding ->> 'severity' = 'error') as errors,
            coalesce(j.attempts, 0)::int as "failedAttempts", j.last_error as "lastError"`;

/** Uploads listed at most; filters find the others. */
const longestList = 1000;

/** Uploads, the latest first. */
export async function listUploads(
  knex: Knex,
  { firmId, status, fileId }: UploadFilters,
): Promise<ListedUpload[]> {
  const { rows } = await knex.raw<{ rows: ListedUpload[] }>(
    `select ${columns} from ${uploads}
      where (:firmId::text is null or g.firm_id = :firmId)
        and (:status::text is null or ${seenStatus} = :status)
        and (:fileId::text is null or u.id = (select upload_id from files where id = :fileId))
      order by u.received_on desc, u.id desc limit ${longestList}`,
    { firmId: firmId ?? null, status: status ?? null, fileId: fileId ?? null },
  );
  return rows;
}

/** An upload with its findings and its listed files. */
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
