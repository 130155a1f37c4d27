import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AuthenticatedRequest } from './authenticate.js';
import type { Caller } from './credentials.js';
import type { ObjectInfo, ObjectTable } from './object-table.js';
import { readPayload } from './payload.js';
import { encodeUri, parseTarget, type RequestTarget } from './request-target.js';
import { escapeXml, S3Error, sendXml } from './s3-error.js';

/** The operations of S3 that the service and its partners need. */
export type Operation =
  | 'put'
  | 'get'
  | 'head'
  | 'delete'
  | 'copy'
  | 'list'
  | 'headBucket'
  | 'createBucket';

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

/** A request on a bucket, or on one of its objects. */
export type BucketTarget = RequestTarget & { readonly bucket: string };

/**
 * Returns the operation of a request, after checking that its caller may do it.
 *
 * @throws S3Error for an operation, parameter, header or condition that this storage does not have
 */
export function permittedOperation(
  { method = '', headers }: IncomingMessage,
  { bucket, key, query }: RequestTarget,
  { session }: Caller,
): Operation {
  const names = key === undefined ? bucketOperations : objectOperations;
  const operation =
    method === 'PUT' && headers['x-amz-copy-source'] !== undefined ? 'copy' : names[method];
  const isSupported =
    operation !== undefined &&
    bucket !== undefined &&
    (operation !== 'copy' || key !== undefined) &&
    (operation !== 'list' || query.get('list-type') === '2') &&
    [...query.keys()].every((name) => signing.test(name) || parameters.test(name)) &&
    Object.keys(headers).every((name) => isSupportedHeader(name, operation));
  if (session !== undefined) {
    const { scope } = session;
    const isInScope = bucket === scope.bucket && key?.startsWith(scope.prefix);
    if (!isSupported || operation !== 'put' || !isInScope) {
      throw new S3Error(
        403,
        'AccessDenied',
        'The temporary credentials permit PutObject under their prefix and nothing else',
      );
    }
  }
  if (isSupported) return operation;
  throw new S3Error(501, 'NotImplemented', 'This storage does not support the request');
}

const bucketOperations: Readonly<Record<string, Operation>> = {
  GET: 'list',
  PUT: 'createBucket',
  HEAD: 'headBucket',
};

const objectOperations: Readonly<Record<string, Operation>> = {
  GET: 'get',
  HEAD: 'head',
  PUT: 'put',
  DELETE: 'delete',
};

function isSupportedHeader(name: string, operation: Operation): boolean {
  if (name.startsWith('x-amz-')) {
    return harmless.test(name) || (operation === 'copy' && name === 'x-amz-copy-source');
  }
  // Ignoring a condition is safe only where nothing is changed.
  const isReading = operation === 'get' || operation === 'head' || operation === 'list';
  return !name.startsWith('if-') || isReading || (operation === 'delete' && name === 'if-match');
}

/** A request that was authenticated and whose operation is permitted. */
export interface PermittedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: BucketTarget;
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
  const { bucket, key = '' } = target;
  if (operation === 'createBucket') await objects.createBucket(bucket);
  else await requireBucket(objects, bucket);
  switch (operation) {
    case 'put': {
      const limit = authenticated.caller.session === undefined ? largestObject : largestUpload;
      const bytes = await readPayload(request, response, authenticated, limit);
      const etag = await objects.put(bucket, key, bytes, storedHeaders(request.headers));
      response.setHeader('ETag', `"${etag}"`).end();
      return;
    }
    case 'copy': {
      const copied = await copy(objects, request.headers, bucket, key);
      const result = `<ETag>&#34;${copied.etag}&#34;</ETag><LastModified>${copied.modified.toISOString()}</LastModified>`;
      return sendXml(response, 200, `<CopyObjectResult>${result}</CopyObjectResult>`);
    }
    case 'delete': {
      const ifMatch = request.headers['if-match']?.replaceAll('"', '');
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
    case 'list':
      return answerList(objects, target, response);
    case 'get':
    case 'head':
      return answerObject(objects, permitted);
    default:
      request.resume();
      response.end();
  }
}

async function requireBucket(objects: ObjectTable, bucket: string): Promise<void> {
  if (await objects.hasBucket(bucket)) return;
  throw new S3Error(404, 'NoSuchBucket', 'There is no such bucket');
}

async function copy(
  objects: ObjectTable,
  headers: IncomingHttpHeaders,
  bucket: string,
  key: string,
): Promise<ObjectInfo> {
  const text = String(headers['x-amz-copy-source']);
  const source = parseTarget(text.startsWith('/') ? text : `/${text}`);
  if (source.bucket === undefined || source.key === undefined || source.query.size > 0) {
    throw new S3Error(501, 'NotImplemented', 'This storage copies whole objects only');
  }
  await requireBucket(objects, source.bucket);
  const copied = await objects.copy({ bucket: source.bucket, key: source.key }, bucket, key);
  if (copied === undefined) throw noSuchKey();
  return copied;
}

/** Answers `GetObject` and `HeadObject`. */
async function answerObject(
  objects: ObjectTable,
  { request, response, target, operation }: PermittedRequest,
): Promise<void> {
  const { bucket, key = '' } = target;
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
  if (size === 0 || operation === 'head') {
    response.end();
    return;
  }
  const bytes = await objects.read(bucket, key, etag, { first, last });
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
  { bucket, query }: BucketTarget,
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
