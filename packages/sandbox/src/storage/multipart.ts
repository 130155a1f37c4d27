import type { IncomingHttpHeaders } from 'node:http';
import type { Exchange } from './authenticate.js';
import type { PartTable, StoredPart } from './part-table.js';
import { readPayload } from './payload.js';
import type { RequestTarget } from './request-target.js';
import { escapeXml, keyExists, S3Error, sendXml } from './s3-error.js';

/** The smallest part but the last, in bytes, and the highest number of a part, as in S3. */
const smallestPart = 5 * 1024 * 1024;
const highestNumber = 10_000;
/** The longest list of parts, in bytes, as in S3. */
const longestList = 1024 * 1024;

const document = (name: string, content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${name}>`;
const place = ({ bucket, key }: RequestTarget) =>
  `<Bucket>${bucket}</Bucket><Key>${escapeXml(key)}</Key>`;
const idOf = ({ query }: RequestTarget) => query.get('uploadId') ?? '';

/** @param headers - those of the later object */
export async function beginUpload(
  parts: PartTable,
  { response, target }: Exchange,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const id = await parts.begin(target, headers);
  const content = `${place(target)}<UploadId>${id}</UploadId>`;
  sendXml(response, 200, document('InitiateMultipartUploadResult', content));
}

export async function putPart(
  parts: PartTable,
  { request, response, target, authenticated }: Exchange,
  limit: number,
): Promise<void> {
  const text = target.query.get('partNumber') ?? '';
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number < 1 || number > highestNumber) {
    const sentence = `The number of a part is from 1 to ${highestNumber}`;
    throw new S3Error(400, 'InvalidArgument', sentence);
  }
  const bytes = await readPayload(request, response, authenticated, limit);
  const outcome = await parts.put(target, idOf(target), number, bytes, limit);
  if (outcome === undefined) throw noSuchUpload();
  if (outcome === 'tooLarge') {
    throw new S3Error(400, 'EntityTooLarge', `The object is larger than ${limit} bytes`);
  }
  response.setHeader('ETag', `"${outcome.etag}"`).end();
}

export async function completeUpload(
  parts: PartTable,
  { request, response, target, authenticated }: Exchange,
): Promise<void> {
  const body = await readPayload(request, response, authenticated, longestList);
  const listed = readList(body.toString());
  const isNew = request.headers['if-none-match'] === '*';
  const choose = (stored: readonly StoredPart[]) => chooseParts(listed, stored, request.headers);
  const outcome =
    (await parts.complete(target, idOf(target), choose, isNew)) ??
    (await parts.completed(target, listed));
  if (outcome === undefined) throw noSuchUpload();
  if (outcome === 'exists') throw keyExists();
  const location = escapeXml(`http://${request.headers.host}${target.canonicalPath}`);
  const content = `<Location>${location}</Location>${place(target)}<ETag>&#34;${outcome.etag}&#34;</ETag>`;
  sendXml(response, 200, document('CompleteMultipartUploadResult', content));
}

export async function abortUpload(parts: PartTable, { response, target }: Exchange): Promise<void> {
  if ((await parts.abort(target, idOf(target))) === undefined) throw noSuchUpload();
  response.writeHead(204).end();
}

type ListedPart = Pick<StoredPart, 'number' | 'etag'>;

/** Reads a list of parts. Clients write few forms of XML; each expression reads the text once. */
function readList(xml: string): readonly ListedPart[] {
  const field = (part: string, name: string) =>
    new RegExp(`<${name}>([^<]*)</${name}>`).exec(part)?.[1]?.trim() ?? '';
  const parts = xml.split('</Part>').slice(0, -1);
  const listed = parts.map((part) => ({
    number: Number(field(part, 'PartNumber') || Number.NaN),
    etag: field(part, 'ETag').replace(/^("|&quot;|&#34;)|("|&quot;|&#34;)$/g, ''),
  }));
  if (listed.length > 0 && listed.every(({ number }) => Number.isInteger(number))) return listed;
  throw new S3Error(400, 'MalformedXML', 'The body is not a list of parts');
}

function chooseParts(
  listed: readonly ListedPart[],
  stored: readonly StoredPart[],
  headers: IncomingHttpHeaders,
): readonly StoredPart[] {
  if (listed.some(({ number }, index) => number <= (listed[index - 1]?.number ?? 0))) {
    throw new S3Error(400, 'InvalidPartOrder', 'The parts are not in the order of their numbers');
  }
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  const chosen = listed.map(({ number, etag }) => {
    const part = byNumber.get(number);
    if (part?.etag === etag) return part;
    throw new S3Error(400, 'InvalidPart', `There is no part ${number} with this ETag`);
  });
  if (chosen.slice(0, -1).some(({ size }) => size < smallestPart)) {
    const sentence = `Each part but the last has at least ${smallestPart} bytes`;
    throw new S3Error(400, 'EntityTooSmall', sentence);
  }
  const size = chosen.reduce((sum, part) => sum + part.size, 0);
  if (Number(headers['x-amz-mp-object-size'] ?? size) !== size) {
    throw new S3Error(400, 'InvalidRequest', `The parts have ${size} bytes together`);
  }
  return chosen;
}

function noSuchUpload(): S3Error {
  const sentence = 'There is no such upload, or it was completed, aborted or begun a day ago';
  return new S3Error(404, 'NoSuchUpload', sentence);
}
