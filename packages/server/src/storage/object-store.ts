import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { encodeKey } from './presign.js';

export interface StoredObject {
  readonly key: string;
  /** The size in bytes. */
  readonly size: number;
  readonly lastModified: Date;
  /** The ETag without quotes. */
  readonly etag: string;
}

export interface OpenedObject extends Pick<StoredObject, 'size' | 'etag'> {
  readonly bytes: AsyncIterable<Uint8Array>;
}

export type ObjectStore = ReturnType<typeof createObjectStore>;

interface RequestOptions {
  readonly abortSignal: AbortSignal;
}

interface Place {
  readonly bucket: string;
  readonly key: string;
}

/** Creates operations that throw the errors of the SDK if the storage refuses or is away. */
export function createObjectStore(client: S3Client) {
  return {
    async put(
      bucket: string,
      key: string,
      bytes: Uint8Array,
      contentType: string,
      options?: RequestOptions,
    ): Promise<void> {
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes, ContentType: contentType }),
        options,
      );
    },

    /** Opens an object. Read its bytes to the end, or leave the loop by `break`. */
    async get(
      bucket: string,
      key: string,
      options?: RequestOptions,
    ): Promise<OpenedObject | undefined> {
      try {
        const found = await client.send(
          new GetObjectCommand({ Bucket: bucket, Key: key }),
          options,
        );
        const bytes = found.Body;
        if (!(bytes instanceof Readable)) throw new Error('The body is not a Node stream');
        return { bytes, size: found.ContentLength ?? 0, etag: unquote(found.ETag) };
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },

    /** Finds an object by a list: only a list has one that is encrypted with an unknown key. */
    async find(bucket: string, key: string): Promise<StoredObject | undefined> {
      // The key itself comes first among those that begin with it.
      for await (const entry of list(client, bucket, key, { pageSize: 1 })) {
        return entry.key === key ? entry : undefined;
      }
      return undefined;
    },

    /** Lists objects by key. Throws an Error if the storage ignores `startAfter`. */
    list: (bucket: string, prefix: string, startAfter?: string) =>
      list(client, bucket, prefix, { startAfter }),

    /**
     * Copies an object of at most `largestCopy` bytes, unless it is gone or has a different ETag.
     * Some storages ignore the condition, so callers must check the ETag just before.
     */
    async copy(from: Place & { readonly etag: string }, to: Place): Promise<void> {
      const copied = {
        CopySource: `${from.bucket}/${encodeKey(from.key)}`,
        CopySourceIfMatch: `"${from.etag}"`,
      };
      const command = new CopyObjectCommand({ Bucket: to.bucket, Key: to.key, ...copied });
      const outcome = await client.send(command).catch(readRefusal);
      if (outcome === 'notImplemented')
        throw new Error('The storage copies without conditions only');
    },

    /**
     * Removes an object unless its ETag differs from `ifMatch`. Some storages do not support the
     * condition, so callers must check the ETag just before.
     */
    async remove(
      bucket: string,
      key: string,
      {
        ifMatch,
        ...options
      }: { readonly ifMatch?: string; readonly abortSignal?: AbortSignal } = {},
    ): Promise<void> {
      const object = { Bucket: bucket, Key: key };
      if (ifMatch !== undefined) {
        const sent = { ...object, IfMatch: `"${ifMatch}"` };
        const outcome = await client
          .send(new DeleteObjectCommand(sent), options)
          .catch(readRefusal);
        if (outcome !== 'notImplemented') return;
      }
      await client.send(new DeleteObjectCommand(object), options);
    },
  };
}

async function* list(
  client: S3Client,
  bucket: string,
  prefix: string,
  { startAfter, pageSize = 1000 }: { startAfter?: string | undefined; pageSize?: number },
): AsyncGenerator<StoredObject> {
  let token: string | undefined;
  do {
    const page: ListObjectsV2CommandOutput = await client.send(
      new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix,
        MaxKeys: pageSize,
        StartAfter: startAfter,
        ContinuationToken: token,
        // XML cannot contain all characters of keys.
        EncodingType: 'url',
      }),
    );
    const decode = page.EncodingType === 'url' ? decodeListed : (key: string) => key;
    for (const { Key, Size, LastModified, ETag } of page.Contents ?? []) {
      if (Key === undefined) continue;
      const lastModified = LastModified ?? new Date(0);
      const key = decode(Key);
      // Callers continue after the last key, and would list the same objects for ever.
      if (
        startAfter !== undefined &&
        Buffer.compare(Buffer.from(key), Buffer.from(startAfter)) <= 0
      ) {
        throw new Error('The storage ignores StartAfter');
      }
      yield { key, size: Size ?? 0, lastModified, etag: unquote(ETag) };
    }
    token = page.NextContinuationToken;
  } while (token !== undefined);
}

/** The errors for an object that is encrypted with a key that only its owner has, or archived. */
const unreadable = new Set(['InvalidRequest', 'InvalidArgument', 'InvalidObjectState']);

/**
 * Returns `'unreadable'` if the storage cannot return an object; throws other errors of `get`
 * again. Not every storage can forbid such uploads (D-31).
 */
export function orUnreadable(error: unknown): 'unreadable' {
  if (error instanceof S3ServiceException && unreadable.has(error.name)) return 'unreadable';
  throw error;
}

/** Returns the meaning of a refused condition, and throws any other error again. */
function readRefusal(error: unknown): 'kept' | 'notImplemented' {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  if (status === 412 || status === 404) return 'kept';
  if (status === 501) return 'notImplemented';
  throw error;
}

function decodeListed(key: string): string {
  return decodeURIComponent(key.replaceAll('+', ' '));
}

function unquote(etag: string | undefined): string {
  return (etag ?? '').replaceAll('"', '');
}
