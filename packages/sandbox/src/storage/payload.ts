import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import { type AuthenticatedRequest, sha256 } from './authenticate.js';
import { isSame } from './credentials.js';
import { S3Error } from './s3-error.js';

/** The longest line between two chunks, in bytes: a size and a signature, or a trailer. */
const longestLine = 1024;
/** The framing of chunks may double the length of a body, and add this many bytes. */
const framingBytes = 64 * 1024;

/**
 * Reads the object of a request, and verifies its length, its SHA-256 or the signatures of chunks,
 * and its checksums except CRC-32C and CRC-64/NVME.
 *
 * @param limit - the size of the largest object, in bytes
 */
export async function readPayload(
  request: IncomingMessage,
  response: ServerResponse,
  authenticated: AuthenticatedRequest,
  limit: number,
): Promise<Buffer> {
  const { headers } = request;
  const { payloadHash } = authenticated;
  const [, kind, trailer] =
    /^STREAMING-(UNSIGNED-PAYLOAD|AWS4-HMAC-SHA256-PAYLOAD)(-TRAILER)?$/.exec(payloadHash) ?? [];
  const isSigned = kind === 'AWS4-HMAC-SHA256-PAYLOAD';
  const isChunked = isSigned || trailer !== undefined;
  const isHash = /^[0-9a-f]{64}$/.test(payloadHash);
  if (!isChunked && !isHash && payloadHash !== 'UNSIGNED-PAYLOAD') {
    throw new S3Error(400, 'InvalidArgument', 'This x-amz-content-sha256 is not supported');
  }
  const lengthHeader = headers[isChunked ? 'x-amz-decoded-content-length' : 'content-length'];
  const length = readLength(lengthHeader?.toString(), limit);
  if (headers.expect !== undefined) response.writeContinue();
  const sent = await readBytes(request, isChunked ? length * 2 + framingBytes : length);
  const trailers = new Map<string, string>();
  const object = isChunked
    ? decodeChunks(sent, isSigned ? authenticated : undefined, trailers)
    : sent;
  if (object.length !== length) {
    throw new S3Error(400, 'IncompleteBody', 'The body does not have the length given');
  }
  if (isHash && sha256(object) !== payloadHash) {
    throw new S3Error(400, 'XAmzContentSHA256Mismatch', 'The body does not have the SHA-256 given');
  }
  verifyChecksums(object, headers, trailers);
  return object;
}

function readLength(text: string | undefined, limit: number): number {
  if (text === undefined || !/^\d{1,15}$/.test(text)) {
    throw new S3Error(411, 'MissingContentLength', 'The length of the object is missing');
  }
  const length = Number(text);
  if (length <= limit) return length;
  throw new S3Error(400, 'EntityTooLarge', `The object is larger than ${limit} bytes`);
}

/** @param limit - in bytes */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    length += part.length;
    if (length > limit)
      throw new S3Error(400, 'IncompleteBody', 'The body is longer than announced');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * Decodes `aws-chunked`: chunks with their size and perhaps signature, an empty chunk, trailers.
 *
 * @param trailers - receives the trailers, by lower-case name
 */
function decodeChunks(
  sent: Buffer,
  signing: AuthenticatedRequest | undefined,
  trailers: Map<string, string>,
): Buffer {
  const chunks: Buffer[] = [];
  let position = 0;
  let previous = signing?.signature ?? '';
  const readLine = (): string => {
    const end = sent.subarray(position, position + longestLine).indexOf('\n');
    if (end === -1) throw malformed();
    const line = sent.toString('latin1', position, position + end).replace(/\r$/, '');
    position += end + 1;
    return line;
  };
  const checkSignature = (given: string, algorithm: string, ...digests: readonly string[]) => {
    if (signing === undefined) return;
    const expected = signing.sign(algorithm, previous, ...digests);
    if (!isSame(expected, given)) {
      throw new S3Error(403, 'SignatureDoesNotMatch', 'The signature of a chunk is wrong');
    }
    previous = expected;
  };
  for (;;) {
    const [, size = '', signature = ''] =
      /^([0-9a-f]{1,8})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(readLine()) ?? [];
    if (size === '') throw malformed();
    const chunk = sent.subarray(position, position + Number.parseInt(size, 16));
    position += Number.parseInt(size, 16);
    checkSignature(signature, 'AWS4-HMAC-SHA256-PAYLOAD', sha256(''), sha256(chunk));
    if (chunk.length === 0) break;
    if (readLine() !== '') throw malformed();
    chunks.push(chunk);
  }
  let signedTrailers = '';
  for (let line = readLine(); line !== ''; line = readLine()) {
    const colon = line.indexOf(':');
    if (colon < 1) throw malformed();
    const [name, value] = [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    trailers.set(name, value);
    if (name !== 'x-amz-trailer-signature') signedTrailers += `${name}:${value}\n`;
  }
  if (position !== sent.length) throw malformed();
  if (signedTrailers !== '') {
    const given = trailers.get('x-amz-trailer-signature') ?? '';
    checkSignature(given, 'AWS4-HMAC-SHA256-TRAILER', sha256(signedTrailers));
  }
  return Buffer.concat(chunks);
}

const digest = (algorithm: string) => (bytes: Buffer) =>
  createHash(algorithm).update(bytes).digest();

const checksums: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'content-md5': digest('md5'),
  'x-amz-checksum-sha1': digest('sha1'),
  'x-amz-checksum-sha256': digest('sha256'),
  'x-amz-checksum-crc32': (bytes) => Buffer.from(crc32(bytes).toString(16).padStart(8, '0'), 'hex'),
};

/** Verifies the checksums in the headers, and those that the header `x-amz-trailer` announces. */
function verifyChecksums(
  object: Buffer,
  headers: IncomingHttpHeaders,
  trailers: ReadonlyMap<string, string>,
): void {
  const announced = (headers['x-amz-trailer']?.toString() ?? '').toLowerCase().split(/\s*,\s*/);
  for (const [name, compute] of Object.entries(checksums)) {
    const given = announced.includes(name) ? (trailers.get(name) ?? '') : headers[name]?.toString();
    if (given !== undefined && given !== compute(object).toString('base64')) {
      throw new S3Error(400, 'BadDigest', `The body does not have the ${name} given`);
    }
  }
}

function malformed(): S3Error {
  return new S3Error(400, 'IncompleteBody', 'The chunks of the body are malformed or incomplete');
}
