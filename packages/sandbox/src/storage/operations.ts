import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AuthenticatedRequest } from './authenticate.js';
import type { Caller, UploadScope } from './credentials.js';
import type { ObjectTable } from './object-table.js';
import { readPayload } from './payload.js';
import { encodeUri, parseTarget, type RequestTarget } from './request-target.js';
import { escapeXml, S3Error, sendXml } from './s3-error.js';

/** The requests of S3 that this storage answers: those that the service and its partners send. */
export type Operation =
  | { readonly name: 'put' | 'get' | 'head'; readonly bucket: string; readonly key: string }
  | {
      readonly name: 'delete';
      readonly bucket: string;
      readonly key: string;
      /** The ETag in `If-Match`, without quotes; absent where any object may be deleted. */
      readonly ifMatch: string | undefined;
    }
  | {
      readonly name: 'copy';
      readonly bucket: string;
      readonly key: string;
      readonly source: { readonly bucket: string; readonly key: string };
    }
  | { readonly name: 'list' | 'headBucket' | 'createBucket'; readonly bucket: string };

/** Largest object that temporary credentials may put, in bytes: 25 MiB and room for an envelope. */
export const largestUpload = 25 * 1024 * 1024 + 64 * 1024;
/** Largest object that the owner may put, in bytes. */
const largestObject = 64 * 1024 * 1024;
/** Most objects on a page of a list, as in S3. */
const longestPage = 1000;

/** Parameters that carry a signature, or repeat what the signed method says. */
const signing =
  /^(x-amz-(algorithm|credential|date|expires|signedheaders|signature|security-token|content-sha256|user-agent|checksum-.+|sdk-checksum-algorithm)|x-id)$/i;
/** Parameters of a list, and of the headers of a download. */
const parameters =
  /^(list-type|prefix|max-keys|continuation-token|start-after|encoding-type|fetch-owner|response-(content-(type|language|disposition|encoding)|expires|cache-control))$/;
/** Headers that change nothing about an operation. Every other header of S3 would. */
const harmless =
  /^x-amz-(date|content-sha256|security-token|user-agent|decoded-content-length|trailer|checksum-.+|sdk-checksum-algorithm|meta-.+)$/;
/** Headers that are stored with an object and returned with it. */
const stored =
  /^(content-type|cache-control|content-disposition|content-language|expires|x-amz-meta-.+)$/;

/**
 * Reads which operation a request asks for, and checks that its caller may do it.
 *
 * @throws S3Error
 */
export function permittedOperation(
  { method = '', headers }: IncomingMessage,
  target: RequestTarget,
  { session }: Caller,
): Operation {
  const operation = readOperation(method, target, headers);
  if (session !== undefined) checkScope(operation, session.scope);
  if (operation === undefined) {
    throw new S3Error(501, 'NotImplemented', 'This storage does not support the request');
  }
  return operation;
}

function checkScope(operation: Operation | undefined, { bucket, prefix }: UploadScope): void {
  const isPut = operation?.name === 'put';
  if (isPut && operation.bucket === bucket && operation.key.startsWith(prefix)) return;
  throw new S3Error(
    403,
    'AccessDenied',
    'The temporary credentials permit PutObject under their prefix and nothing else',
  );
}

/** Undefined for an operation, parameter, header or condition that this storage does not have. */
function readOperation(
  method: string,
  { bucket, key, query }: RequestTarget,
  headers: IncomingHttpHeaders,
): Operation | undefined {
  if (bucket === undefined) return undefined;
  const operation =
    key === undefined
      ? bucketOperation(method, bucket)
      : objectOperation(method, bucket, key, headers);
  if (operation === undefined) return undefined;
  const { name } = operation;
  if (name === 'list' && query.get('list-type') !== '2') return undefined;
  for (const parameter of query.keys()) {
    if (!signing.test(parameter) && !parameters.test(parameter)) return undefined;
  }
  const isReading = method === 'GET' || method === 'HEAD';
  for (const header of Object.keys(headers)) {
    // Ignoring a condition is safe for a reader only.
    const isUnknownCondition =
      header.startsWith('if-') && !isReading && !(name === 'delete' && header === 'if-match');
    const isUnknown = header.startsWith('x-amz-') && !harmless.test(header);
    const isSource = name === 'copy' && header === 'x-amz-copy-source';
    if (isUnknownCondition || (isUnknown && !isSource)) return undefined;
  }
  return operation;
}

function bucketOperation(method: string, bucket: string): Operation | undefined {
  if (method === 'GET') return { name: 'list', bucket };
  if (method === 'PUT') return { name: 'createBucket', bucket };
  return method === 'HEAD' ? { name: 'headBucket', bucket } : undefined;
}

function objectOperation(
  method: string,
  bucket: string,
  key: string,
  headers: IncomingHttpHeaders,
): Operation | undefined {
  if (method === 'GET') return { name: 'get', bucket, key };
  if (method === 'HEAD') return { name: 'head', bucket, key };
  if (method === 'DELETE') {
    return { name: 'delete', bucket, key, ifMatch: headers['if-match']?.replaceAll('"', '') };
  }
  if (method !== 'PUT') return undefined;
  const source = headers['x-amz-copy-source']?.toString();
  if (source === undefined) return { name: 'put', bucket, key };
  const from = parseTarget(source.startsWith('/') ? source : `/${source}`);
  if (from.bucket === undefined || from.key === undefined || from.query.size > 0) return undefined;
  return { name: 'copy', bucket, key, source: { bucket: from.bucket, key: from.key } };
}

/** A request that was authenticated and whose operation is permitted. */
export interface PermittedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: RequestTarget;
  readonly authenticated: AuthenticatedRequest;
  readonly operation: Operation;
}

/**
 * Performs an operation and answers it.
 *
 * @throws S3Error
 */
export async function answer(objects: ObjectTable, permitted: PermittedRequest): Promise<void> {
  const { request, response, target, authenticated, operation } = permitted;
  switch (operation.name) {
    case 'put': {
      const limit = authenticated.caller.session === undefined ? largestObject : largestUpload;
      const bytes = await readPayload(request, response, authenticated, limit);
      const headers = storedHeaders(request.headers);
      const etag = await objects.put(operation.bucket, operation.key, bytes, headers);
      response.setHeader('ETag', `"${etag}"`).end();
      return;
    }
    case 'copy': {
      const copied = await objects.copy(operation.source, operation.bucket, operation.key);
      if (copied === undefined) throw noSuchKey();
      const { etag, modified } = copied;
      const result = `<ETag>&#34;${etag}&#34;</ETag><LastModified>${modified.toISOString()}</LastModified>`;
      return sendXml(response, 200, `<CopyObjectResult>${result}</CopyObjectResult>`);
    }
    case 'delete': {
      const { bucket, key, ifMatch } = operation;
      const isDeleted = await objects.delete(bucket, key, ifMatch === '*' ? undefined : ifMatch);
      if (!isDeleted && ifMatch !== undefined) {
        throw new S3Error(
          412,
          'PreconditionFailed',
          'The object has another ETag or does not exist',
        );
      }
      response.writeHead(204).end();
      return;
    }
    case 'createBucket':
      await objects.createBucket(operation.bucket);
      request.resume();
      response.end();
      return;
    case 'headBucket':
      // The bucket exists: that was checked for every operation.
      response.end();
      return;
    case 'list':
      return answerList(objects, operation.bucket, target.query, response);
    default:
      return answerObject(objects, operation, permitted);
  }
}

/** Answers `GetObject` and `HeadObject`. */
async function answerObject(
  objects: ObjectTable,
  { name, bucket, key }: { readonly name: string; readonly bucket: string; readonly key: string },
  { request, response, target }: PermittedRequest,
): Promise<void> {
  const found = await objects.find(bucket, key);
  if (found === undefined) throw noSuchKey();
  const { size, etag, modified, headers } = found;
  for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
  for (const [parameter, value] of target.query) {
    if (parameter.startsWith('response-')) response.setHeader(parameter.slice(9), value);
  }
  response.setHeader('ETag', `"${etag}"`);
  response.setHeader('Last-Modified', modified.toUTCString());
  response.setHeader('Accept-Ranges', 'bytes');
  const range = readRange(request.headers.range, size);
  const { first, last } = range ?? { first: 0, last: size - 1 };
  if (range !== undefined) {
    response.statusCode = 206;
    response.setHeader('Content-Range', `bytes ${first}-${last}/${size}`);
  }
  response.setHeader('Content-Length', last - first + 1);
  if (name === 'head') {
    response.end();
    return;
  }
  const bytes =
    size === 0 ? Buffer.alloc(0) : await objects.read(bucket, key, etag, { first, last });
  // Replaced or deleted since its headers were read: the caller asks again.
  if (bytes === undefined) throw new S3Error(500, 'InternalError', 'The object has just changed');
  response.end(bytes);
}

/** The range that is asked for; undefined for the whole object, and for forms that may be ignored. */
function readRange(text: string | undefined, size: number) {
  const [, start, end] = /^bytes=(\d+)-(\d*)$/.exec(text ?? '') ?? [];
  if (start === undefined || (end && Number(end) < Number(start))) return undefined;
  const first = Number(start);
  if (first >= size) throw new S3Error(416, 'InvalidRange', 'The range begins after the object');
  return { first, last: end ? Math.min(Number(end), size - 1) : size - 1 };
}

/** Answers `ListObjectsV2`; the token of the next page is the last key of this one. */
async function answerList(
  objects: ObjectTable,
  bucket: string,
  query: ReadonlyMap<string, string>,
  response: ServerResponse,
): Promise<void> {
  const prefix = query.get('prefix') ?? '';
  const maxKeys = readMaxKeys(query.get('max-keys'));
  const token = query.get('continuation-token');
  const after =
    token === undefined
      ? (query.get('start-after') ?? '')
      : Buffer.from(token, 'base64url').toString();
  const found = await objects.list(bucket, prefix, after, maxKeys + 1);
  const page = found.slice(0, maxKeys);
  const isTruncated = page.length > 0 && found.length > maxKeys;
  const isEncoded = query.get('encoding-type') === 'url';
  const write = isEncoded ? encodeUri : escapeXml;
  const next = Buffer.from(page.at(-1)?.key ?? '').toString('base64url');
  const contents = page.map(
    ({ key, size, etag, modified }) =>
      `<Contents><Key>${write(key)}</Key><LastModified>${modified.toISOString()}</LastModified>` +
      `<ETag>&#34;${etag}&#34;</ETag><Size>${size}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
  );
  sendXml(
    response,
    200,
    [
      '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
      `<Name>${bucket}</Name><Prefix>${write(prefix)}</Prefix>`,
      `<KeyCount>${page.length}</KeyCount><MaxKeys>${maxKeys}</MaxKeys>`,
      isEncoded ? '<EncodingType>url</EncodingType>' : '',
      `<IsTruncated>${isTruncated}</IsTruncated>`,
      isTruncated ? `<NextContinuationToken>${next}</NextContinuationToken>` : '',
      ...contents,
      '</ListBucketResult>',
    ].join(''),
  );
}

function readMaxKeys(text: string | undefined): number {
  if (text === undefined) return longestPage;
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text), longestPage);
  throw new S3Error(400, 'InvalidArgument', 'max-keys is not a whole number');
}

function storedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => stored.test(name));
  const encoding = headers['content-encoding']?.replace(/\baws-chunked\b\s*,?\s*/, '');
  return {
    ...Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    ...(encoding && { 'content-encoding': encoding }),
  };
}

function noSuchKey(): S3Error {
  return new S3Error(404, 'NoSuchKey', 'There is no such object');
}
