import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Caller, type Credentials, callerOf } from './credentials.js';
import { encodeUri, type RequestTarget } from './request-target.js';
import { S3Error } from './s3-error.js';

// Ours, because the AWS SDK signs requests and verifies none, and no maintained library does.

/** A request whose signature was verified. */
export interface AuthenticatedRequest {
  readonly caller: Caller;
  /** The value of `x-amz-content-sha256`, which says how the body is verified. */
  readonly payloadHash: string;
  /** Signs the next part of a body that is sent in signed chunks. */
  readonly signChunk: (algorithm: string, previous: string, parts: readonly string[]) => string;
  /** The signature of the request, which the first chunk refers to. */
  readonly signature: string;
}

/** The parts of a signature, from the `Authorization` header or from the query. */
interface Claim {
  readonly credential: string;
  readonly signedHeaders: string;
  readonly signature: string;
  readonly timestamp: string;
  readonly sessionToken: string | undefined;
  readonly payloadHash: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
/** How far the clock of a caller may be off, in ms, as in S3. */
const skewMs = 15 * 60_000;
/** Longest validity of a presigned URL, in seconds, as in S3. */
const longestExpiry = 7 * 24 * 3600;

/**
 * Verifies the signature of a request (Signature Version 4, in the `Authorization` header or in the
 * query), its time and its key.
 *
 * @param service - the service that the request has to be signed for
 * @param bodyHash - SHA-256 of the body, for STS, whose requests have no `x-amz-content-sha256`
 * @throws S3Error
 */
export function authenticate(
  request: IncomingMessage,
  target: RequestTarget,
  credentials: Credentials,
  now: Date,
  { service, bodyHash }: { readonly service: 's3' | 'sts'; readonly bodyHash?: string } = {
    service: 's3',
  },
): AuthenticatedRequest {
  const isPresigned = target.query.has('X-Amz-Algorithm') || target.query.has('X-Amz-Signature');
  if (isPresigned && request.headers.authorization !== undefined) {
    throw new S3Error(400, 'InvalidArgument', 'A request is signed in the header or in the query');
  }
  const claim = readClaim(request, target, isPresigned, bodyHash);
  const [accessKeyId = '', date = '', region = '', signedService, end, ...more] =
    claim.credential.split('/');
  if (signedService !== service || end !== 'aws4_request' || more.length > 0 || region === '') {
    throw malformed(isPresigned, `the credential is not key/date/region/${service}/aws4_request`);
  }
  const signedAt = parseTimestamp(claim.timestamp);
  if (signedAt === undefined || !claim.timestamp.startsWith(`${date}T`)) {
    throw malformed(isPresigned, 'the date is missing, malformed or not that of the credential');
  }
  checkTime(signedAt, isPresigned ? parseExpiry(target) : undefined, now);

  const caller = callerOf(credentials, accessKeyId, claim.sessionToken);
  const scope = `${date}/${region}/${service}/aws4_request`;
  const signingKey = [date, region, service, 'aws4_request'].reduce<string | Buffer>(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    `AWS4${caller.secretAccessKey}`,
  );
  const sign = (algorithm: string, parts: readonly string[]) =>
    createHmac('sha256', signingKey)
      .update([algorithm, claim.timestamp, scope, ...parts].join('\n'))
      .digest('hex');
  const signature = sign(ALGORITHM, [sha256(canonicalRequest(request, target, claim))]);
  if (!isSame(signature, claim.signature)) {
    throw new S3Error(
      403,
      'SignatureDoesNotMatch',
      'The signature does not match the request: check the secret key and the signed headers',
    );
  }
  // After the signature, so that a caller without the secret learns nothing about the key.
  if (caller.session !== undefined && now >= caller.session.expires) {
    throw new S3Error(400, 'ExpiredToken', 'The temporary credentials have expired');
  }
  return {
    ...{ caller, signature, payloadHash: claim.payloadHash },
    signChunk: (algorithm, previous, parts) => sign(algorithm, [previous, ...parts]),
  };
}

/** SHA-256 in hexadecimal. */
export function sha256(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Compares two secrets in constant time. */
export function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Reads the parts of a signature; their names in a query begin with `X-Amz-`. */
function readClaim(
  { headers }: IncomingMessage,
  { query }: RequestTarget,
  isPresigned: boolean,
  bodyHash: string | undefined,
): Claim {
  const parameters = isPresigned ? query : readAuthorization(headers.authorization);
  const start = isPresigned ? 'X-Amz-' : '';
  const required = (name: string): string => {
    const value = parameters.get(start + name);
    if (!value) throw malformed(isPresigned, `${start}${name} is missing`);
    return value;
  };
  const payloadHash =
    bodyHash ??
    query.get('X-Amz-Content-Sha256') ??
    single(headers['x-amz-content-sha256']) ??
    (isPresigned ? 'UNSIGNED-PAYLOAD' : undefined);
  if (payloadHash === undefined) {
    throw new S3Error(400, 'InvalidRequest', 'The header x-amz-content-sha256 is missing');
  }
  if (required('Algorithm') !== ALGORITHM) {
    throw new S3Error(400, 'InvalidRequest', `The request is not signed with ${ALGORITHM}`);
  }
  return {
    credential: required('Credential'),
    signedHeaders: required('SignedHeaders'),
    signature: required('Signature'),
    timestamp: (isPresigned ? query.get('X-Amz-Date') : single(headers['x-amz-date'])) ?? '',
    sessionToken: query.get('X-Amz-Security-Token') ?? single(headers['x-amz-security-token']),
    payloadHash,
  };
}

function readAuthorization(header: string | undefined): ReadonlyMap<string, string> {
  if (header === undefined) throw new S3Error(403, 'AccessDenied', 'The request is not signed');
  const [algorithm = '', ...parameters] = header.trim().split(/\s*,\s*|\s+/);
  return new Map([
    ['Algorithm', algorithm],
    ...parameters.map((parameter): [string, string] => {
      const [name = '', ...value] = parameter.split('=');
      return [name, value.join('=')];
    }),
  ]);
}

/** How long a presigned URL is valid, in seconds. */
function parseExpiry({ query }: RequestTarget): number {
  const text = query.get('X-Amz-Expires') ?? '';
  const seconds = Number(text);
  if (!/^\d{1,6}$/.test(text) || seconds < 1 || seconds > longestExpiry) {
    throw malformed(true, `X-Amz-Expires is not a number of seconds from 1 to ${longestExpiry}`);
  }
  return seconds;
}

function checkTime(signedAt: Date, expiry: number | undefined, now: Date): void {
  const age = now.getTime() - signedAt.getTime();
  if (expiry === undefined) {
    if (Math.abs(age) <= skewMs) return;
    throw new S3Error(403, 'RequestTimeTooSkewed', 'The time of the request is too far from now');
  }
  if (age < -skewMs) throw new S3Error(403, 'AccessDenied', 'Request is not valid yet');
  if (age > expiry * 1000) throw new S3Error(403, 'AccessDenied', 'Request has expired');
}

function canonicalRequest(request: IncomingMessage, target: RequestTarget, claim: Claim): string {
  const query = [...target.query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encodeUri(name), encodeUri(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`);
  const headers = readSignedHeaders(request, claim.signedHeaders.split(';'));
  return [
    ...[request.method, target.canonicalPath, query.join('&')],
    ...headers.map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, ' ')}`),
    ...['', claim.signedHeaders, claim.payloadHash],
  ].join('\n');
}

/** @throws S3Error unless the host and every `x-amz-` header are signed, and no signed header occurs twice */
function readSignedHeaders(request: IncomingMessage, names: readonly string[]): [string, string][] {
  const sent = request.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  const unsigned = sent.find(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !names.includes(name),
  );
  if (unsigned !== undefined || !names.includes('host')) {
    throw new S3Error(403, 'AccessDenied', `The header ${unsigned ?? 'host'} is not signed`);
  }
  return names.map((name) => {
    if (sent.indexOf(name) !== sent.lastIndexOf(name)) {
      throw new S3Error(400, 'InvalidRequest', `The header ${name} occurs twice`);
    }
    // Every object inherits names such as `constructor`.
    const value = Object.hasOwn(request.headers, name) ? single(request.headers[name]) : undefined;
    // Node reads header bytes as Latin-1; clients sign UTF-8.
    return [name, Buffer.from(value ?? '', 'latin1').toString()];
  });
}

function parseTimestamp(text: string): Date | undefined {
  const form = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
  const date = new Date(form.test(text) ? text.replace(form, '$1-$2-$3T$4:$5:$6Z') : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}

function malformed(isPresigned: boolean, problem: string): S3Error {
  return new S3Error(
    400,
    isPresigned ? 'AuthorizationQueryParametersError' : 'AuthorizationHeaderMalformed',
    `The authorization is malformed: ${problem}`,
  );
}
