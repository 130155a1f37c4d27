import { createHash } from 'node:crypto';
import pg from 'pg';

/** An object without its bytes. */
export interface ObjectInfo {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  /** MD5 in hexadecimal, without quotes. */
  readonly etag: string;
  readonly modified: Date;
  /** Content type and other headers that were given with the object, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An inclusive range of bytes. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The objects of the storage, in a table. PostgreSQL makes every change atomic and durable, and lists
 * keys in the order of their bytes, as S3 does.
 */
export interface ObjectTable {
  /** Creates a bucket where it does not exist. */
  createBucket(bucket: string): Promise<void>;
  hasBucket(bucket: string): Promise<boolean>;
  /** Stores an object, in place of one with the same key; returns its ETag. */
  put(
    bucket: string,
    key: string,
    bytes: Buffer,
    headers: Readonly<Record<string, string>>,
  ): Promise<string>;
  find(bucket: string, key: string): Promise<ObjectInfo | undefined>;
  /** The bytes of an object, if it still has this ETag. */
  read(bucket: string, key: string, etag: string, range: ByteRange): Promise<Buffer | undefined>;
  copy(
    from: { bucket: string; key: string },
    bucket: string,
    key: string,
  ): Promise<ObjectInfo | undefined>;
  /** Deletes an object; returns false where one with another ETag, or none, is there. */
  delete(bucket: string, key: string, etag?: string): Promise<boolean>;
  /** Objects whose keys begin with a prefix and come after a key, in the order of their keys. */
  list(bucket: string, prefix: string, after: string, most: number): Promise<ObjectInfo[]>;
  close(): Promise<void>;
}

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

/** Opens the table in a database of its own, and creates it where it is missing. */
export async function openObjectTable(databaseUrl: string, now: () => Date): Promise<ObjectTable> {
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
    async createBucket(bucket) {
      await query('insert into buckets values ($1) on conflict do nothing', [bucket]);
    },

    async hasBucket(bucket) {
      if (known.has(bucket)) return true;
      const found = await query('select from buckets where name = $1', [bucket]);
      if (found.length > 0) known.add(bucket);
      return found.length > 0;
    },

    async put(bucket, key, bytes, headers) {
      const etag = createHash('md5').update(bytes).digest('hex');
      await query(
        `insert into objects (bucket, key, bytes, etag, headers, modified)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (bucket, key) do update
           set bytes = excluded.bytes, etag = excluded.etag, headers = excluded.headers,
               modified = excluded.modified`,
        [bucket, key, bytes, etag, headers, now()],
      );
      return etag;
    },

    async find(bucket, key) {
      const [found] = await query<ObjectInfo>(
        `select ${columns} from objects where bucket = $1 and key = $2`,
        [bucket, key],
      );
      return found;
    },

    async read(bucket, key, etag, { first, last }) {
      const [found] = await query<{ bytes: Buffer }>(
        `select substring(bytes from $4 for $5) as bytes from objects
          where bucket = $1 and key = $2 and etag = $3`,
        [bucket, key, etag, first + 1, last - first + 1],
      );
      return found?.bytes;
    },

    async copy(from, bucket, key) {
      const [copied] = await query<ObjectInfo>(
        `insert into objects (bucket, key, bytes, etag, headers, modified)
         select $3, $4, bytes, etag, headers, $5 from objects where bucket = $1 and key = $2
         on conflict (bucket, key) do update
           set bytes = excluded.bytes, etag = excluded.etag, headers = excluded.headers,
               modified = excluded.modified
         returning ${columns}`,
        [from.bucket, from.key, bucket, key, now()],
      );
      return copied;
    },

    async delete(bucket, key, etag) {
      const deleted = await query(
        `delete from objects where bucket = $1 and key = $2 and ($3::text is null or etag = $3)
         returning key`,
        [bucket, key, etag ?? null],
      );
      return deleted.length > 0;
    },

    list: (bucket, prefix, after, most) =>
      query<ObjectInfo>(
        `select ${columns} from objects
          where bucket = $1 and key > $3 and key >= $2 and starts_with(key, $2)
          order by key limit $4`,
        [bucket, prefix, after, most],
      ),

    close: () => pool.end(),
  };
}
