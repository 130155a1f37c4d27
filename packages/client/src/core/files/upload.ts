import type { OperationId } from '@adx/contract';
import { AwsV4Signer } from 'aws4fetch';
import type { Caller, CallOptions, FetchedResponse } from '../call.js';
import { hexOf, objectName, objectUrl } from './object-address.js';
import { readBytes } from './read-bytes.js';
import { requestStorage } from './request-storage.js';
import { credentialSource, type StorageCredentials } from './upload-credentials.js';
import {
  type OutcomeSource,
  outcomeOf,
  type Settled,
  type UploadState,
} from './upload-outcomes.js';

/**
 * The maximum length of a stream: 25 MiB. It is read into memory first, because S3 requires the
 * length.
 */
const longestStream = 25 * 1024 * 1024;

/** Bytes per millisecond of a slow line, on which an upload still succeeds: 0.4 Mbit/s. */
const slowestLine = 50;

/** The content of an upload. */
export type UploadContent = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>;

/** An uploaded object. */
export interface Upload<Outcome = unknown> {
  readonly bucketName: string;
  /**
   * The key of the object: the prefix of the credentials, and a unique name that ends in the file
   * name.
   */
  readonly key: string;
  /**
   * Waits until the service has read the file, and returns the upload with its files and findings.
   * Its `status` is `processed` or `rejected`. All uploads of a client that wait share one poll, so
   * that many of them need no more calls than one.
   *
   * @param options Can cancel the wait. `timeoutMs` limits all of it, by default 10 minutes.
   * @throws {TimeoutError} If there is no outcome by then. The upload goes on; wait again, or look
   *   it up later.
   * @throws {ApiError} If the service refuses to list uploads, with every status except 429 and
   *   5xx, and with 501.
   * @throws {AuthenticationError} If the sign-in is refused.
   */
  outcome(options?: CallOptions): Promise<Outcome>;
}

/**
 * Uploads a file to the object storage, where the service reads it.
 *
 * @param operation the operation that issues credentials
 * @param issuer calls that operation
 * @param source the operations that return what became of uploads
 */
export async function uploadFile<State extends UploadState>(
  caller: Caller,
  operation: OperationId,
  issuer: { uploadCredentials(): Promise<StorageCredentials> },
  source: OutcomeSource<State>,
  content: UploadContent,
  fileName: string,
  options: CallOptions = {},
): Promise<Upload<Settled<State>>> {
  if (typeof fileName !== 'string') {
    throw new TypeError('upload takes the content and then the name of the file');
  }
  const withoutLimit = { signal: options.signal, timeoutMs: Number.POSITIVE_INFINITY };
  const body = await caller.within(operation, (signal) => bytesOf(content, signal), withoutLimit);
  const payloadHash = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', body)));
  const name = objectName(fileName, new Date(), crypto.getRandomValues(new Uint8Array(8)));
  const credentialsOf = credentialSource(caller, operation, () => issuer.uploadCredentials());
  // Concurrent uploads share the request, which continues for the others if this one gives up.
  const credentialsFor = (refused?: StorageCredentials) =>
    caller.within(operation, () => credentialsOf(refused), {
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? Number.POSITIVE_INFINITY,
    });

  async function put(credentials: StorageCredentials): Promise<Upload<Settled<State>>> {
    const { bucketName, prefix, accessKeyId, secretAccessKey, sessionToken } = credentials;
    const key = `${prefix}/${name}`;
    const place = {
      endpoint: caller.storageUrl || credentials.endpoint,
      region: caller.storageRegion || credentials.region,
    };
    if (place.endpoint) caller.safeUrl('storageUrl', place.endpoint);
    const { url, region } = objectUrl(place, bucketName, key);
    const begunOn = Date.now();
    // Each attempt has a new signature, which is valid for minutes only.
    const attempt = async (signal: AbortSignal) => {
      const { headers } = await new AwsV4Signer({
        method: 'PUT',
        url,
        region,
        service: 's3',
        accessKeyId,
        secretAccessKey,
        sessionToken,
        headers: { 'x-amz-content-sha256': payloadHash },
      }).sign();
      const init = { method: 'PUT', headers: Object.fromEntries(headers), body, signal };
      const response = await requestStorage(caller, operation, url, init);
      await response.body?.cancel();
      return response.headers;
    };
    // Idempotent: each attempt puts the same bytes under the same key.
    const headers = await caller.repeat(operation, true, attempt, {
      ...options,
      host: new URL(url).host,
      extraMs: Math.ceil(body.byteLength / slowestLine),
    });
    const stored = { prefix, name, etag: headers.get('etag'), since: earliest(headers, begunOn) };
    return { bucketName, key, outcome: (wait) => outcomeOf(caller, source, stored, wait) };
  }

  const credentials = await credentialsFor();
  try {
    return await put(credentials);
  } catch (error) {
    if (!(error instanceof caller.errors.StorageError) || error.code !== 'ExpiredToken')
      throw error;
    return put(await credentialsFor(credentials));
  }
}

/** The storage accepts signatures whose time differs from its own by 15 minutes at most. */
const clockSkew = 15 * 60_000;

/** The time within which the clocks of the servers of a storage agree, and which it rounds off. */
const rounding = 5_000;

/**
 * Returns the earliest time at which the storage may have received an object, by its own clock, in
 * ms. A web page sees the time of its response only if the storage allows that (CORS).
 */
function earliest(headers: FetchedResponse['headers'], begunOn: number): number {
  const now = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(now) ? begunOn - clockSkew : now - (Date.now() - begunOn) - rounding;
}

/** Copies the content, so that changes of the original after signing do not matter. */
async function bytesOf(
  content: UploadContent,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!['getReader', 'arrayBuffer', 'byteLength'].some((member) => member in Object(content))) {
    throw new TypeError('the content must be a Uint8Array, ArrayBuffer, Blob or ReadableStream');
  }
  if ('getReader' in content) return readBytes(content, { limit: longestStream, signal });
  if ('arrayBuffer' in content) return new Uint8Array(await content.arrayBuffer());
  return content instanceof Uint8Array ? new Uint8Array(content) : new Uint8Array(content.slice(0));
}
