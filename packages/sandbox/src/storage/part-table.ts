import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { etagOf, insertObject, type ObjectInfo, type Place } from './object-table.js';

export interface StoredPart {
  readonly number: number;
  readonly etag: string;
  /** The size in bytes. */
  readonly size: number;
}

/** How long an upload may take, in ms. Then it is removed with its parts. */
const longestUpload = 24 * 3_600_000;
const removalInterval = 3_600_000;

const schema = `
create table if not exists multipart_uploads (
  id       uuid primary key,
  bucket   text collate "C" not null,
  key      text collate "C" not null,
  headers  jsonb not null,
  begun    timestamptz(3) not null
);
create table if not exists parts (
  upload  uuid references multipart_uploads on delete cascade,
  number  integer,
  bytes   bytea not null,
  etag    text not null,
  primary key (upload, number)
);
alter table parts alter column bytes set storage external`;

export type PartTable = Awaited<ReturnType<typeof openPartTable>>;

export async function openPartTable(pool: pg.Pool, now: () => Date) {
  await pool.query(schema);
  const oldest = () => new Date(now().getTime() - longestUpload);
  const removeOld = () => pool.query('delete from multipart_uploads where begun <= $1', [oldest()]);
  await removeOld();
  const timer = setInterval(() => removeOld().catch(() => {}), removalInterval).unref();

  /** Works on an upload while nobody else does; returns undefined if there is none. */
  async function withUpload<Result>(
    { bucket, key }: Place,
    id: string,
    work: (client: pg.PoolClient, headers: ObjectInfo['headers']) => Promise<Result>,
  ): Promise<Result | undefined> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query<Pick<ObjectInfo, 'headers'>>(
        `select headers from multipart_uploads
          where id::text = $1 and bucket = $2 and key = $3 and begun > $4 for update`,
        [id, bucket, key, oldest()],
      );
      const result = rows[0] && (await work(client, rows[0].headers));
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      // Closing the connection rolls back, also if the connection is the reason.
      client.release(true);
      throw error;
    }
  }

  const partsOf = async (client: pg.PoolClient, id: string) => {
    const text =
      'select number, etag, octet_length(bytes) as size from parts where upload = $1 order by number';
    return (await client.query<StoredPart>(text, [id])).rows;
  };

  return {
    async begin({ bucket, key }: Place, headers: ObjectInfo['headers']): Promise<string> {
      const id = randomUUID();
      await pool.query('insert into multipart_uploads values ($1, $2, $3, $4, $5)', [
        ...[id, bucket, key, headers, now()],
      ]);
      return id;
    },

    /** @param limit - of all parts together, in bytes */
    put: (place: Place, id: string, number: number, bytes: Buffer, limit: number) =>
      withUpload(place, id, async (client) => {
        const others = (await partsOf(client, id)).filter((part) => part.number !== number);
        if (others.reduce((sum, { size }) => sum + size, bytes.length) > limit) return 'tooLarge';
        const etag = etagOf(bytes, 1);
        await client.query(
          `insert into parts values ($1, $2, $3, $4) on conflict (upload, number) do update
             set bytes = excluded.bytes, etag = excluded.etag`,
          [id, number, bytes, etag],
        );
        return { etag };
      }),

    /**
     * @param choose - if it throws, the upload stays as it was
     * @param isNew - true to keep an object with the same key, and the upload
     */
    complete: (
      place: Place,
      id: string,
      choose: (stored: readonly StoredPart[]) => readonly StoredPart[],
      isNew: boolean,
    ) =>
      withUpload(place, id, async (client, headers) => {
        const chosen = choose(await partsOf(client, id));
        const etag = etagOf(chosen.map((part) => part.etag).join(), chosen.length);
        const { rowCount } = await client.query(
          insertObject(
            `(select string_agg(bytes, '' order by number) from parts
               where upload = $6 and number = any ($7))`,
            isNew,
          ),
          [place.bucket, place.key, etag, headers, now(), id, chosen.map(({ number }) => number)],
        );
        if (rowCount === 0) return 'exists';
        await client.query('delete from multipart_uploads where id = $1', [id]);
        return { etag };
      }),

    /**
     * Returns the object that these parts have become before: a repeated call succeeds, as in S3.
     */
    async completed(
      { bucket, key }: Place,
      listed: readonly Pick<StoredPart, 'etag'>[],
    ): Promise<Pick<ObjectInfo, 'etag'> | undefined> {
      const text = 'select etag from objects where bucket = $1 and key = $2 and etag = $3';
      const etag = etagOf(listed.map((part) => part.etag).join(), listed.length);
      return (await pool.query<Pick<ObjectInfo, 'etag'>>(text, [bucket, key, etag])).rows[0];
    },

    abort: (place: Place, id: string) =>
      withUpload(place, id, async (client) => {
        await client.query('delete from multipart_uploads where id = $1', [id]);
        return true;
      }),

    close: () => clearInterval(timer),
  };
}
