import type { Knex } from 'knex';
import type { UploadFinding } from './upload-finding.js';
import type { UploadStatus } from './upload-store.js';
import type { Product } from './uploaded-document.js';

/** An upload as the operator sees it. */
export interface ListedUpload {
  readonly id: string;
  readonly firmId: string | null;
  readonly product: Product;
  readonly status: UploadStatus;
  readonly bucket: string;
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  readonly receivedOn: Date;
  readonly settledOn: Date | null;
  /** How many files are listed of it. */
  readonly files: number;
  readonly errors: number;
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

const columns = `u.id, u.firm_id as "firmId", u.product, u.status, u.bucket,
            u.object_key as "key", u.size::float8 as size, u.received_on as "receivedOn",
            u.settled_on as "settledOn",
            (select count(*)::int from files f where f.upload_id = u.id) as files,
            (select count(*)::int from jsonb_array_elements(u.findings) as finding
              where finding ->> 'severity' = 'error') as errors`;

/** How many uploads are listed; the rest is found by narrowing the list. */
const longestList = 1000;

/** The latest uploads of a firm, or of all, in some status or any: the latest first. */
export async function listUploads(
  knex: Knex,
  { firmId, status }: { readonly firmId?: string; readonly status?: UploadStatus },
): Promise<ListedUpload[]> {
  const { rows } = await knex.raw<{ rows: ListedUpload[] }>(
    `select ${columns} from uploads u
      where (:firmId::text is null or u.firm_id = :firmId)
        and u.status = coalesce(:status, u.status)
      order by u.received_on desc, u.id desc limit ${longestList}`,
    { firmId: firmId ?? null, status: status ?? null },
  );
  return rows;
}

/** An upload with its findings and the files that are listed of it. */
export async function showUpload(knex: Knex, id: string): Promise<ShownUpload | undefined> {
  const { rows } = await knex.raw<{ rows: Omit<ShownUpload, 'listed'>[] }>(
    `select ${columns}, u.findings from uploads u where u.id = ?`,
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
