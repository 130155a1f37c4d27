import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Exchange } from './authenticate.js';
import { abortUpload, beginUpload, completeUpload, putPart } from './multipart.js';
import type { ObjectInfo, ObjectTable } from './object-table.js';
import type { PartTable } from './part-table.js';
import { readPayload } from './payload.js';
import { permittedOperation } from './permitted-operation.js';
import { encodeUri, parseTarget, type RequestTarget } from './request-target.js';
import { escapeXml, keyExists, S3Error, sendXml } from './s3-error.js';

/** The largest object of temporary credentials, in bytes: 25 MiB, and room for an envelope. */
export const largestUpload = 25 * 1024 * 1024 + 64 * 1024;
/** The largest object that the owner may put, in bytes. */
const largestObject = 64 * 1024 * 1024;
/** The most objects on a page of a list, as in S3. */
const longestPage = 1000;

/** Headers that are stored with an object and returned with it. */
const storedHeaders =
  /^(content-type|cache-control|content-disposition|content-language|expires|x-amz-meta-.+)$/;

export async function performOperation(
  { objects, parts }: { readonly objects: ObjectTable; readonly parts: PartTable },
  exchange: Exchange,
): Promise<void> {
  const { request, response, target, authenticated } = exchange;
  const operation = permittedOperation(exchange);
  if (operation === 'createBucket') await objects.createBucket(target.bucket);
  else await requireBucket(objects, target);
  switch (operation) {
    case 'headBucket':
    case 'createBucket':
      response.end();
      return;
    case 'listObjects':
      return listObjects(objects, target, response);
    case 'getObject':
    case 'headObject':
      return sendObject(objects, exchange);
    case 'putObject': {
      const bytes = await readPayload(request, response, authenticated, limitOf(exchange));
      const isNew = request.headers['if-none-match'] === '*';
      const stored = await objects.put(target, bytes, headersToStore(request.headers), isNew);
      if (stored === undefined) throw keyExists();
      response.setHeader('ETag', `"${stored.etag}"`).end();
      return;
    }
    case 'beginUpload':
      return beginUpload(parts, exchange, headersToStore(request.headers));
    case 'putPart':
      return putPart(parts, exchange, limitOf(exchange));
    case 'completeUpload':
      return completeUpload(parts, exchange);
    case 'abortUpload':
      return abortUpload(parts, exchange);
    case 'copyObject': {
      const source = await findCopySource(objects, request.headers);
      const ifMatch = request.headers['x-amz-copy-source-if-match'];
      if (ifMatch !== undefined && ifMatch !== `"${source.etag}"`) {
        throw new S3Error(412, 'PreconditionFailed', 'There is no object with this ETag');
      }
      const stored = await objects.put(target, source.bytes, source.headers);
      const result = `<ETag>&#34;${stored?.etag}&#34;</ETag><LastModified>${stored?.modified.toISOString()}</LastModified>`;
      return sendXml(response, 200, `<CopyObjectResult>${result}</CopyObjectResult>`);
    }
    case 'deleteObject': {
      const ifMatch = request.headers['if-match'];
      const etag = ifMatch === '*' ? undefined : ifMatch?.replaceAll('"', '');
      const isDeleted = await objects.delete(target, etag);
      if (!isDeleted && ifMatch !== undefined) {
        throw new S3Error(412, 'PreconditionFailed', 'There is no object with this ETag');
      }
      response.writeHead(204).end();
    }
  }
}

function limitOf({ authenticated }: Exchange): number {
  return authenticated.caller.session === undefined ? largestObject : largestUpload;
}

async function requireBucket(objects: ObjectTable, { bucket }: RequestTarget): Promise<void> {
  if (await objects.hasBucket(bucket)) return;
  throw new S3Error(404, 'NoSuchBucket', 'There is no such bucket');
}

async function findCopySource(objects: ObjectTable, headers: IncomingHttpHeaders) {
  const text = String(headers['x-amz-copy-source']);
  const source = parseTarget(text.startsWith('/') ? text : `/${text}`);
  if (source.key === '' || source.query.size > 0) {
    throw new S3Error(501, 'NotImplemented', 'This storage copies whole objects only');
  }
  await requireBucket(objects, source);
  const found = await objects.get(source);
  if (found === undefined) throw noSuchKey();
  return found;
}

async function sendObject(
  objects: ObjectTable,
  { request, response, target }: Exchange,
): Promise<void> {
  const found: (ObjectInfo & { readonly bytes?: Buffer }) | undefined =
    request.method === 'HEAD' ? await objects.head(target) : await objects.get(target);
  if (found === undefined) throw noSuchKey();
  const { size, etag, modified, headers } = found;
  const range = readRange(request.headers.range, size);
  const { first, last } = range ?? { first: 0, last: size - 1 };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  for (const [name, value] of target.query) {
    if (name.startsWith('response-')) response.setHeader(name.slice('response-'.length), value);
  }
  response.setHeader('ETag', `"${etag}"`);
  response.setHeader('Last-Modified', modified.toUTCString());
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('Content-Length', last - first + 1);
  if (range !== undefined) {
    response.statusCode = 206;
    response.setHeader('Content-Range', `bytes ${first}-${last}/${size}`);
  }
  response.end(found.bytes?.subarray(first, last + 1));
}

/** Returns the range; undefined for the whole object, and for forms that may be ignored. */
function readRange(text: string | undefined, size: number) {
  const [, start, end] = /^bytes=(\d+)-(\d*)$/.exec(text ?? '') ?? [];
  if (start === undefined || (end && Number(end) < Number(start))) return undefined;
  const first = Number(start);
  if (first >= size) throw new S3Error(416, 'InvalidRange', 'The range begins after the object');
  return { first, last: end ? Math.min(Number(end), size - 1) : size - 1 };
}

async function listObjects(
  objects: ObjectTable,
  { bucket, query }: RequestTarget,
  response: ServerResponse,
): Promise<void> {
  const prefix = query.get('prefix') ?? '';
  const maxKeys = readMaxKeys(query.get('max-keys'));
  const token = Buffer.from(query.get('continuation-token') ?? '', 'base64url').toString();
  const after = token || (query.get('start-after') ?? '');
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

function headersToStore(headers: IncomingHttpHeaders): Record<string, string> {
  const stored = Object.entries(headers).filter(([name]) => storedHeaders.test(name));
  const encoding = headers['content-encoding']?.replace(/\baws-chunked\b\s*,?\s*/, '');
  return {
    ...Object.fromEntries(stored.map(([name, value]) => [name, String(value)])),
    ...(encoding && { 'content-encoding': encoding }),
  };
}

function noSuchKey(): S3Error {
  return new S3Error(404, 'NoSuchKey', 'There is no such object');
}
