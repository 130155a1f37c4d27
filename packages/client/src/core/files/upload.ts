import type { OperationId } from '@adx/contract';
import { AwsV4Signer } from 'aws4fetch';
import type { Caller, CallOptions } from '../call.js';
import { hexOf, objectName, objectUrl } from './object-address.js';
import { readBytes } from './read-bytes.js';
import { requestStorage } from './request-storage.js';
import { credentialSource, type StorageCredentials } from './upload-credentials.js';

/** The maximum length of a stream: 25 MiB. It is read into memory first, because S3 requires the length. */
const longestStream = 25 * 1024 * 1024;

/** The content of an upload. */
export type UploadContent = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>;

/** The location of an uploaded object. */
export interface Upload {
  readonly bucketName: string;
  /** The key of the object: the prefix of the credentials, and a unique name that ends in the file name. */
  readonly key: string;
}

/**
 * Uploads a file to the object storage, where the service reads it.
 *
 * @param operation the operation that issues credentials
 * @param issue calls that operation
 */
export async function uploadFile(
  caller: Caller,
  operation: OperationId,
  issue: () => Promise<StorageCredentials>,
  content: UploadContent,
  fileName: string,
  options: CallOptions = {},
): Promise<Upload> {
  // Fails before anything is read or sent if the options lack the address of the storage.
  objectUrl(caller, 'bucket', '');
  const withoutLimit = { signal: options.signal, timeoutMs: Number.POSITIVE_INFINITY };
  const body = await caller.within(operation, (signal) => bytesOf(content, signal), withoutLimit);
  const payloadHash = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', body)));
  const name = objectName(fileName, new Date(), crypto.getRandomValues(new Uint8Array(8)));
  const source = credentialSource(caller, operation, issue);
  // Concurrent uploads share the request, which continues for the others if this one gives up.
  const credentialsFor = (refused?: StorageCredentials) =>
    caller.within(operation, () => source(refused), {
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? Number.POSITIVE_INFINITY,
    });

  async function put(credentials: StorageCredentials): Promise<Upload> {
    const { bucketName, prefix, accessKeyId, secretAccessKey, sessionToken } = credentials;
    const key = `${prefix}/${name}`;
    const { url, region } = objectUrl(caller, bucketName, key);
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
      const init = { method: 'PUT', headers, body, signal };
      const response = await requestStorage(caller, operation, url, init);
      await response.body?.cancel();
    };
    // Idempotent: each attempt puts the same bytes under the same key.
    await caller.repeat(operation, true, attempt, options);
    return { bucketName, key };
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

/** Copies the content, so that changes of the original after signing do not matter. */
async function bytesOf(
  content: UploadContent,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if ('getReader' in content) return readBytes(content, { limit: longestStream, signal });
  if ('arrayBuffer' in content) return new Uint8Array(await content.arrayBuffer());
  return content instanceof Uint8Array ? new Uint8Array(content) : new Uint8Array(content.slice(0));
}
