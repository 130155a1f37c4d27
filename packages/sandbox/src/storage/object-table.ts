import { createHash } from 'node:crypto';
import pg from 'pg';
import type { RequestTarget } from './request-target.js';

export type Place = Pick<RequestTarget, 'bucket' | 'key'>;

export interface ObjectInfo {
  readonly key: string;
  /** The size in bytes. */
  readonly size: number;
  /** The ETag without quotes: no MD5, as in an encrypted bucket, so that nothing relies on one. */
  readonly etag: string;
  readonly modified: Date;
  /** The content type and the other headers that are stored with the object, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

export type ObjectTable = Awaited<ReturnType<typeof openObjectTable>>;

const schema = `
create table if not exists buckets (name text primary key);
create table if not exists objects (
  bucket    text collate "C" not null,
  key       text collate "C" not null,
  bytes     bytea not null,
  etag      text not null,
  headers   jsonb not null,
  modified  timestamptz(3) not null,
  primary key (bucket, key)
);
alter table objects alter column bytes set storage external`;

const columns = 'key, octet_length(bytes) as size, etag, modified, headers';

/** Returns an ETag without quotes, of the bytes of one part or of the ETags of several. */
export function etagOf(content: Buffer | string, parts: number): string {
  return `${createHash('sha256').update(content).digest('hex').slice(0, 32)}-${parts}`;
}

/**
 * Returns the insert of an object; `$1` to `$5` are bucket, key, ETag, headers and time.
 *
 * @param isNew - true to store nothing if there is an object with the same key
 */
export function insertObject(bytes: string, isNew: boolean): string {
  const replace = `on conflict (bucket, key) do update
    set bytes = excluded.bytes, etag = excluded.etag, headers = excluded.headers,
        modified = excluded.modified`;
  return `insert into objects (bucket, key, etag, headers, modified, bytes)
    values ($1, $2, $3, $4, $5, ${bytes}) ${isNew ? 'on conflict do nothing' : replace}`;
}

/** Opens the table. PostgreSQL makes changes atomic and durable, and sorts keys by bytes, as S3. */
export async function openObjectTable(databaseUrl: string, now: () => Date) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 });
  // A connection that breaks while it is idle is replaced at the next query.
  pool.on('error', () => {});
  await pool.query(schema);

  async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[]) {
    return (await pool.query<Row>(text, values)).rows;
  }

  // Buckets are never deleted.
  const known = new Set<string>();

  return {
    async createBucket(bucket: string): Promise<void> {
      await query('insert into buckets values ($1) on conflict do nothing', [bucket]);
    },

    async hasBucket(bucket: string): Promise<boolean> {
      if (known.has(bucket)) return true;
      const [found] = await query('select from buckets where name = $1', [bucket]);
      if (found !== undefined) known.add(bucket);
      return found !== undefined;
    },

    /** @param isNew - true to keep an object with the same key, and return undefined */
    async put(
      { bucket, key }: Place,
      bytes: Buffer,
      headers: ObjectInfo['headers'],
      isNew = false,
    ) {
      const etag = etagOf(bytes, 1);
      const modified = now();
      const values = [bucket, key, etag, headers, modified, bytes];
      const { rowCount } = await pool.query(insertObject('$6', isNew), values);
      return rowCount === 0 ? undefined : { etag, modified };
    },

    async head({ bucket, key }: Place): Promise<ObjectInfo | undefined> {
      const [found] = await query<ObjectInfo>(
        `select ${columns} from objects where bucket = $1 and key = $2`,
        [bucket, key],
      );
      return found;
    },

    /** Reads an object in one query, so that its bytes and headers belong together. */
    async get({ bucket, key }: Place) {
      const [found] = await query<ObjectInfo & { readonly bytes: Buffer }>(
        `select ${columns}, bytes from objects where bucket = $1 and key = $2`,
        [bucket, key],
      );
      return found;
    },

    /** Deletes an object. Returns false if there is none, or if it has another ETag. */
    async delete({ bucket, key }: Place, etag?: string): Promise<boolean> {
      const deleted = await query(
        `delete from objects where bucket = $1 and key = $2 and ($3::text is null or etag = $3)
         returning key`,
        [bucket, key, etag ?? null],
      );
      return deleted.length > 0;
    },

    list: (bucket: string, prefix: string, after: string, limit: number): Promise<ObjectInfo[]> =>
      query<ObjectInfo>(
        `select ${columns} from objects
          where bucket = $1 and key > $3 and key >= $2 and starts_with(key, $2)
          order by key limit $4`,
        [bucket, prefix, after, limit],
      ),

    pool,

    close: (): Promise<void> => pool.end(),
  };
}
