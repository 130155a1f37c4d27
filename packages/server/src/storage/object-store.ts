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
import { encodeKey } from './presign.js';

/** An object of a list. */
export interface StoredObject {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  readonly lastModified: Date;
  /** Without quotes. */
  readonly etag: string;
}

/** Objects in buckets. Methods throw the errors of the SDK if the storage refuses or does not respond. */
export interface ObjectStore {
  /** Stores an object, and replaces one with the same key. */
  put(bucket: string, key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Opens an object; undefined if there is none. Read its bytes to the end, or leave the loop by `break`. */
  get(
    bucket: string,
    key: string,
  ): Promise<{ bytes: AsyncIterable<Uint8Array>; size: number; etag: string } | undefined>;
  /** Returns the entry of an object, with its time in whole seconds; undefined if there is none. */
  head(bucket: string, key: string): Promise<StoredObject | undefined>;
  /** Lists the objects whose keys start with a prefix, by key. */
  list(bucket: string, prefix: string): AsyncIterable<StoredObject>;
  /** Copies an object of at most `largestCopy` bytes. */
  copy(
    from: { readonly bucket: string; readonly key: string },
    to: { readonly bucket: string; readonly key: string },
  ): Promise<void>;
  /**
   * Removes an object, if it exists.
   *
   * @param condition - an ETag; an object with another one stays. A storage that does not support
   *   conditions removes any object, so callers must check the ETag just before.
   */
  remove(bucket: string, key: string, condition?: { readonly ifMatch: string }): Promise<void>;
}

/** Creates the object store of a client. */
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
        if (!(bytes instanceof Readable)) throw new Error('The body is not a Node stream');
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
            // XML cannot contain all characters of keys.
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

/** Returns the meaning of a refused condition, and throws any other error again. */
function readRefusal(error: unknown): 'kept' | 'notImplemented' {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  if (status === 412 || status === 404) return 'kept';
  if (status === 501) return 'notImplemented';
  throw error;
}

/** Decodes a key of a list, which is encoded like a form. */
function decodeListed(key: string): string {
  return decodeURIComponent(key.replaceAll('+', ' '));
}

function unquote(etag: string | undefined): string {
  return (etag ?? '').replaceAll('"', '');
}
