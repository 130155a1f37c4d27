import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { encodeKey } from './signature-v4.js';

/** An object as a list names it. */
export interface StoredObject {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  readonly lastModified: Date;
  /** Without quotes. */
  readonly etag: string;
}

/** Largest object that S3 copies in one go, in bytes. */
export const largestCopy = 5 * 2 ** 30;

/** Objects in buckets. Every method throws the SDK's error where the storage refuses or does not answer. */
export interface ObjectStore {
  /** Puts an object as a whole, in place of one of the same key. */
  put(bucket: string, key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Undefined where there is no such object. Its bytes are read to the end, or left by `break`. */
  get(
    bucket: string,
    key: string,
  ): Promise<{ bytes: AsyncIterable<Uint8Array>; size: number; etag: string } | undefined>;
  /** What a list would say of an object, but its time in whole seconds; undefined where there is none. */
  head(bucket: string, key: string): Promise<StoredObject | undefined>;
  /** The objects whose keys begin so, in the order of keys. */
  list(bucket: string, prefix: string): AsyncIterable<StoredObject>;
  /** Copies an object of `largestCopy` at most. */
  copy(
    from: { readonly bucket: string; readonly key: string },
    to: { readonly bucket: string; readonly key: string },
  ): Promise<void>;
  /**
   * Removes an object; fine where there is none.
   *
   * @param condition - an ETag: another object of the key stays. Storages that cannot compare it
   * remove whatever is there: whoever needs it looks right before.
   */
  remove(bucket: string, key: string, condition?: { readonly ifMatch: string }): Promise<void>;
}

/** The objects that a client reaches. */
export function createObjectStore(client: S3Client): ObjectStore {
  return {
    async put(bucket, key, bytes, contentType) {
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes, ContentType: contentType }),
      );
    },

    async get(bucket, key) {
      try {
        const found = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        const bytes = found.Body;
        if (!(bytes instanceof Readable)) throw new Error("The body is no stream of Node's");
        return { bytes, size: found.ContentLength ?? 0, etag: unquote(found.ETag) };
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },

    async head(bucket, key) {
      try {
        const found = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
        const lastModified = found.LastModified ?? new Date(0);
        return { key, size: found.ContentLength ?? 0, lastModified, etag: unquote(found.ETag) };
      } catch (error) {
        if (error instanceof NotFound) return undefined;
        throw error;
      }
    },

    async *list(bucket, prefix) {
      let token: string | undefined;
      do {
        const page: ListObjectsV2CommandOutput = await client.send(
          new ListObjectsV2Command({
            ...{ Bucket: bucket, Prefix: prefix, ContinuationToken: token },
            // A key may hold what no XML can.
            EncodingType: 'url',
          }),
        );
        const decode = page.EncodingType === 'url' ? decodeListed : (key: string) => key;
        for (const { Key, Size, LastModified, ETag } of page.Contents ?? []) {
          if (Key === undefined) continue;
          const lastModified = LastModified ?? new Date(0);
          yield { key: decode(Key), size: Size ?? 0, lastModified, etag: unquote(ETag) };
        }
        token = page.NextContinuationToken;
      } while (token !== undefined);
    },

    async copy(from, to) {
      await client.send(
        new CopyObjectCommand({
          ...{ Bucket: to.bucket, Key: to.key },
          CopySource: `${from.bucket}/${encodeKey(from.key)}`,
        }),
      );
    },

    async remove(bucket, key, condition) {
      const object = { Bucket: bucket, Key: key };
      if (condition !== undefined) {
        const sent = { ...object, IfMatch: `"${condition.ifMatch}"` };
        const outcome = await client.send(new DeleteObjectCommand(sent)).catch(readRefusal);
        if (outcome !== 'notImplemented') return;
      }
      await client.send(new DeleteObjectCommand(object));
    },
  };
}

/** What the refusal of a condition means; every other error is thrown again. */
function readRefusal(error: unknown): 'kept' | 'notImplemented' {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  if (status === 412 || status === 404) return 'kept';
  if (status === 501) return 'notImplemented';
  throw error;
}

/** Lists encode keys as forms do. */
function decodeListed(key: string): string {
  return decodeURIComponent(key.replaceAll('+', ' '));
}

function unquote(etag: string | undefined): string {
  return (etag ?? '').replaceAll('"', '');
}
