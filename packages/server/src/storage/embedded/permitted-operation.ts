import type { IncomingHttpHeaders } from 'node:http';
import { parseTarget, type RequestTarget } from './request-target.js';
import { S3Refusal } from './s3-refusal.js';
import type { KeyHolder } from './storage-keys.js';

/** The requests of S3 that the embedded storage answers: those that the service and its partners need. */
export type StorageOperation =
  | {
      readonly name: 'put' | 'get' | 'head';
      readonly bucket: string;
      readonly key: string;
    }
  | {
      readonly name: 'delete';
      readonly bucket: string;
      readonly key: string;
      /** As the header `If-Match` has it; undefined for whatever object is there. */
      readonly ifMatch: string | undefined;
    }
  | {
      readonly name: 'copy';
      readonly bucket: string;
      readonly key: string;
      readonly source: { readonly bucket: string; readonly key: string };
    }
  | { readonly name: 'list' | 'headBucket'; readonly bucket: string };

/** Parameters that carry the signature, or say what the signed method says already. */
const signing =
  /^(x-amz-(algorithm|credential|date|expires|signedheaders|signature|security-token|content-sha256|user-agent|checksum-.+|sdk-checksum-algorithm)|x-id)$/i;
/** Parameters of the operations; any other asks for something that is not here. */
const parameters: Readonly<Record<StorageOperation['name'], RegExp>> = {
  put: /^$/,
  copy: /^$/,
  delete: /^$/,
  headBucket: /^$/,
  get: /^response-(content-(type|language|disposition|encoding)|expires|cache-control)$/,
  head: /^response-(content-(type|language|disposition|encoding)|expires|cache-control)$/,
  list: /^(list-type|prefix|max-keys|continuation-token|start-after|encoding-type|fetch-owner)$/,
};
/** Headers with conditions: those that are ignored do no harm to readers, and would to writers. */
const conditions: Readonly<Record<StorageOperation['name'], RegExp>> = {
  ...{ get: /^/, head: /^/, list: /^/, headBucket: /^/ },
  ...{ put: /^$/, copy: /^$/, delete: /^if-match$/ },
};
const objectMethods: ReadonlyMap<string, 'get' | 'head'> = new Map([
  ['GET', 'get'],
  ['HEAD', 'head'],
]);
/** Headers that change nothing of what an operation does; any other of S3 would. */
const harmless =
  /^x-amz-(date|content-sha256|security-token|user-agent|decoded-content-length|trailer|checksum-.+|sdk-checksum-algorithm|meta-.+)$/;

/**
 * What a request asks for, where its key permits that: the key of the service every operation there
 * is, a temporary key to put an object under its prefix, and nothing else.
 *
 * @throws S3Refusal
 */
export function permittedOperation(
  method: string,
  target: RequestTarget,
  headers: IncomingHttpHeaders,
  holder: KeyHolder,
): StorageOperation {
  const operation = readOperation(method, target, headers);
  if (holder.kind === 'upload') checkUpload(operation, holder);
  if (operation === undefined) {
    throw new S3Refusal('NotImplemented', 'The embedded storage has no such operation');
  }
  return operation;
}

function checkUpload(
  operation: StorageOperation | undefined,
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
): void {
  if (
    operation?.name !== 'put' ||
    operation.bucket !== bucket ||
    !operation.key.startsWith(`${prefix}/`)
  ) {
    throw new S3Refusal(
      'AccessDenied',
      'The temporary key permits to put one whole object under its prefix, and nothing else',
    );
  }
}

/** Undefined for what is no operation of this storage. */
function readOperation(
  method: string,
  { bucket, key, query }: RequestTarget,
  headers: IncomingHttpHeaders,
): StorageOperation | undefined {
  if (bucket === undefined) return undefined;
  const operation = nameOperation(method, bucket, key, headers);
  if (operation === undefined) return undefined;
  const { name } = operation;
  if (name === 'list' && query.get('list-type') !== '2') return undefined;
  for (const parameter of query.keys()) {
    if (!signing.test(parameter) && !parameters[name].test(parameter)) return undefined;
  }
  for (const header of Object.keys(headers)) {
    const isConditional = header.startsWith('if-') && !conditions[name].test(header);
    const isOfS3 = header.startsWith('x-amz-') && !harmless.test(header);
    if (isConditional || (isOfS3 && !(name === 'copy' && header === 'x-amz-copy-source'))) {
      return undefined;
    }
  }
  return operation;
}

function nameOperation(
  method: string,
  bucket: string,
  key: string | undefined,
  headers: IncomingHttpHeaders,
): StorageOperation | undefined {
  if (key === undefined) {
    if (method === 'GET') return { name: 'list', bucket };
    return method === 'HEAD' ? { name: 'headBucket', bucket } : undefined;
  }
  if (method === 'DELETE') return { name: 'delete', bucket, key, ifMatch: headers['if-match'] };
  if (method === 'PUT') {
    const source = headers['x-amz-copy-source']?.toString();
    if (source === undefined) return { name: 'put', bucket, key };
    const from = parseTarget(source.startsWith('/') ? source : `/${source}`);
    if (from.bucket === undefined || from.key === undefined || from.query.size > 0) {
      return undefined;
    }
    return { name: 'copy', bucket, key, source: { bucket: from.bucket, key: from.key } };
  }
  const name = objectMethods.get(method);
  return name && { name, bucket, key };
}
