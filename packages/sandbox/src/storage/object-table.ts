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

/**
 * Opens the table of objects in a database that has nothing else, and creates it if it is missing.
 * PostgreSQL makes every change atomic and durable, and sorts keys by their bytes, as S3 does.
 */
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
      const found = await query('select from buckets where name = $1', [bucket]);
      if (found.length > 0) known.add(bucket);
      return found.length > 0;
    },

    /** Stores an object, replacing one with the same key. Returns its ETag. */
    async put(
      bucket: string,
      key: string,
      bytes: Buffer,
      headers: ObjectInfo['headers'],
    ): Promise<string> {
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

    async find(bucket: string, key: string): Promise<ObjectInfo | undefined> {
      const [found] = await query<ObjectInfo>(
        `select ${columns} from objects where bucket = $1 and key = $2`,
        [bucket, key],
      );
      return found;
    },

    /** Returns the bytes `first` to `last` of an object, if it still has this ETag. */
    async read(
      bucket: string,
      key: string,
      etag: string,
      { first, last }: { readonly first: number; readonly last: number },
    ): Promise<Buffer | undefined> {
      const [found] = await query<{ bytes: Buffer }>(
        `select substring(bytes from $4 for $5) as bytes from objects
          where bucket = $1 and key = $2 and etag = $3`,
        [bucket, key, etag, first + 1, last - first + 1],
      );
      return found?.bytes;
    },

    async copy(
      from: { readonly bucket: string; readonly key: string },
      bucket: string,
      key: string,
    ): Promise<ObjectInfo | undefined> {
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

    /** Deletes an object. Returns false if there is none, or if it has another ETag. */
    async delete(bucket: string, key: string, etag?: string): Promise<boolean> {
      const deleted = await query(
        `delete from objects where bucket = $1 and key = $2 and ($3::text is null or etag = $3)
         returning key`,
        [bucket, key, etag ?? null],
      );
      return deleted.length > 0;
    },

    /** Lists objects whose keys have a prefix and sort after a key. */
    list: (bucket: string, prefix: string, after: string, limit: number): Promise<ObjectInfo[]> =>
      query<ObjectInfo>(
        `select ${columns} from objects
          where bucket = $1 and key > $3 and key >= $2 and starts_with(key, $2)
          order by key limit $4`,
        [bucket, prefix, after, limit],
      ),

    close: (): Promise<void> => pool.end(),
  };
}
