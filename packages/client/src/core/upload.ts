import type { OperationId } from '@adx/contract';
import { AwsV4Signer } from 'aws4fetch';
import type { Caller, CallOptions } from './call.js';
import { hexOf, objectName } from './object-name.js';
import { objectUrl } from './object-url.js';
import { readBytes } from './read-bytes.js';
import { requestStorage } from './request-storage.js';
import { credentialSource, type StorageCredentials } from './upload-credentials.js';

/** Bytes of a stream: 25 MiB. S3 wants the length first, so a stream is read to its end before. */
const longestStream = 25 * 1024 * 1024;

/** What can be uploaded. */
export type UploadContent = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>;

/** Where an upload ended up. */
export interface Upload {
  readonly bucketName: string;
  /** Key of the object: the prefix of the firm, and a name of its own that ends in the file's. */
  readonly key: string;
}

/**
 * Puts a file into the object storage, from where the service takes it.
 *
 * @param operation the one that issues credentials
 * @param issue calls it
 */
export async function uploadFile(
  caller: Caller,
  operation: OperationId,
  issue: () => Promise<StorageCredentials>,
  content: UploadContent,
  fileName: string,
  options: CallOptions = {},
): Promise<Upload> {
  // Before anything is read or sent: it does not pass by itself.
  objectUrl(caller, 'bucket', '');
  const withoutLimit = { signal: options.signal, timeoutMs: Number.POSITIVE_INFINITY };
  const body = await caller.within(operation, (signal) => bytesOf(content, signal), withoutLimit);
  const payloadHash = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', body)));
  const name = objectName(fileName, new Date(), crypto.getRandomValues(new Uint8Array(8)));
  const source = credentialSource(caller, operation, issue);
  // Shared with other uploads, as a sign-in is with other calls: it goes on for them.
  const credentialsFor = (refused?: StorageCredentials) =>
    caller.within(operation, () => source(refused), {
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? Number.POSITIVE_INFINITY,
    });

  async function put(credentials: StorageCredentials): Promise<Upload> {
    const { bucketName, prefix, accessKeyId, secretAccessKey, sessionToken } = credentials;
    const key = `${prefix}/${name}`;
    const { url, region } = objectUrl(caller, bucketName, key);
    // Signed anew for each attempt: a signature is good for minutes only.
    const attempt = async (signal: AbortSignal) => {
      const { headers } = await new AwsV4Signer({
        ...{ method: 'PUT', url, region, service: 's3' },
        ...{ accessKeyId, secretAccessKey, sessionToken },
        headers: { 'x-amz-content-sha256': payloadHash },
      }).sign();
      const init = { method: 'PUT', headers, body, signal };
      const response = await requestStorage(caller, operation, url, init);
      await response.body?.cancel();
    };
    // Put again under the same key, the same bytes are the same object.
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

/** A copy, so that what is sent is what was signed, whatever becomes of the original. */
async function bytesOf(
  content: UploadContent,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if ('getReader' in content) return readBytes(content, { limit: longestStream, signal });
  if ('arrayBuffer' in content) return new Uint8Array(await content.arrayBuffer());
  return content instanceof Uint8Array ? new Uint8Array(content) : new Uint8Array(content.slice(0));
}
