import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Credentials, callerOf, isSame } from './credentials.js';
import { encodeUri, type RequestTarget } from './request-target.js';
import { S3Error } from './s3-error.js';

// Ours, because the AWS SDK signs requests and verifies none, and no maintained library does.

export type AuthenticatedRequest = ReturnType<typeof authenticate>;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: RequestTarget;
  readonly authenticated: AuthenticatedRequest;
}

export interface StorageTime {
  readonly now: Date;
  /** Returns by how many ms something that was issued at an instant is older than by the clock. */
  readonly elapsedSince: (issued: Date) => number;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
/** The largest permitted difference between the clocks of caller and storage, in ms, as in S3. */
const skewMs = 15 * 60_000;
/** The longest validity of a presigned URL, in seconds, as in S3. */
const longestExpiry = 7 * 24 * 3600;

/**
 * Verifies the signature (Version 4, in header or query), the time and the key of a request.
 *
 * @param stsBody - the body of a request to STS, which has no `x-amz-content-sha256`
 */
export function authenticate(
  request: IncomingMessage,
  target: RequestTarget,
  credentials: Credentials,
  { now, elapsedSince }: StorageTime,
  stsBody?: string,
) {
  const service = stsBody === undefined ? 's3' : 'sts';
  const isPresigned = target.query.has('X-Amz-Algorithm') || target.query.has('X-Amz-Signature');
  if (isPresigned && request.headers.authorization !== undefined) {
    throw new S3Error(400, 'InvalidArgument', 'A request is signed in the header or in the query');
  }
  const claim = readClaim(request, target, isPresigned, stsBody);
  const { timestamp, credential, sessionToken, payloadHash } = claim;
  const [accessKeyId = '', ...scope] = credential.split('/');
  const [date = '', region = ''] = scope;
  if (region === '' || scope.slice(2).join('/') !== `${service}/aws4_request`) {
    throw malformed(isPresigned, `the credential is not key/date/region/${service}/aws4_request`);
  }
  const signedAt = parseTimestamp(timestamp);
  if (signedAt === undefined || !timestamp.startsWith(`${date}T`)) {
    throw malformed(isPresigned, 'the date is missing, malformed or not that of the credential');
  }
  const at = isPresigned ? later(now, elapsedSince(signedAt)) : now;
  checkTime(signedAt, target.query, isPresigned, at);

  const caller = callerOf(credentials, accessKeyId, sessionToken);
  const signingKey = scope.reduce<string | Buffer>(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    `AWS4${caller.secretAccessKey}`,
  );
  const sign = (algorithm = '', ...lines: readonly string[]) =>
    createHmac('sha256', signingKey)
      .update([algorithm, timestamp, scope.join('/'), ...lines].join('\n'))
      .digest('hex');
  const signature = sign(ALGORITHM, sha256(canonicalRequest(request, target, claim)));
  if (!isSame(signature, claim.signature)) {
    throw new S3Error(403, 'SignatureDoesNotMatch', 'Check the secret key and the signed headers');
  }
  // After the signature, so that a caller without the secret learns nothing about the key.
  const { session } = caller;
  if (session !== undefined && later(now, elapsedSince(session.issued)) >= session.expires) {
    throw new S3Error(400, 'ExpiredToken', 'The temporary credentials have expired');
  }
  // `payloadHash` says how the body is verified: chunks are signed too, each with the signature
  // before it.
  return { caller, payloadHash, signature, sign };
}

function later(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms);
}

export function sha256(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function readClaim(
  { headers }: IncomingMessage,
  { query }: RequestTarget,
  isPresigned: boolean,
  stsBody: string | undefined,
) {
  const parameters = isPresigned ? query : readAuthorization(headers.authorization);
  const start = isPresigned ? 'X-Amz-' : '';
  const required = (name: string): string => {
    const value = parameters.get(start + name);
    if (!value) throw malformed(isPresigned, `${start}${name} is missing`);
    return value;
  };
  const payloadHash =
    stsBody === undefined
      ? (query.get('X-Amz-Content-Sha256') ??
        headers['x-amz-content-sha256']?.toString() ??
        (isPresigned ? 'UNSIGNED-PAYLOAD' : undefined))
      : sha256(stsBody);
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
    timestamp: (isPresigned ? query.get('X-Amz-Date') : headers['x-amz-date']?.toString()) ?? '',
    sessionToken: query.get('X-Amz-Security-Token') ?? headers['x-amz-security-token']?.toString(),
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

function checkTime(signedAt: Date, query: RequestTarget['query'], isPresigned: boolean, now: Date) {
  const age = now.getTime() - signedAt.getTime();
  if (!isPresigned) {
    if (Math.abs(age) <= skewMs) return;
    throw new S3Error(403, 'RequestTimeTooSkewed', 'The time of the request is too far from now');
  }
  const expires = query.get('X-Amz-Expires') ?? '';
  const seconds = Number(expires);
  if (!/^\d{1,6}$/.test(expires) || seconds < 1 || seconds > longestExpiry) {
    throw malformed(true, `X-Amz-Expires is not a number of seconds from 1 to ${longestExpiry}`);
  }
  if (age < -skewMs) throw new S3Error(403, 'AccessDenied', 'Request is not valid yet');
  if (age > seconds * 1000) throw new S3Error(403, 'AccessDenied', 'Request has expired');
}

function canonicalRequest(
  request: IncomingMessage,
  target: RequestTarget,
  claim: ReturnType<typeof readClaim>,
): string {
  const query = [...target.query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encodeUri(name), encodeUri(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`);
  return [
    request.method,
    target.canonicalPath,
    query.join('&'),
    ...canonicalHeaders(request, claim.signedHeaders.split(';')),
    '',
    claim.signedHeaders,
    claim.payloadHash,
  ].join('\n');
}

/** @throws S3Error unless the host and all `x-amz-` headers are signed, and none occurs twice */
function canonicalHeaders({ rawHeaders }: IncomingMessage, signed: readonly string[]): string[] {
  const values = new Map<string, string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? '';
    const isSigned = signed.includes(name);
    if (!isSigned && (name === 'host' || name.startsWith('x-amz-'))) throw unsigned(name);
    if (isSigned && values.has(name)) {
      throw new S3Error(400, 'InvalidRequest', `The header ${name} occurs twice`);
    }
    values.set(name, rawHeaders[i + 1] ?? '');
  }
  if (!signed.includes('host')) throw unsigned('host');
  return signed.map((name) => {
    // Node reads header bytes as Latin-1; clients sign UTF-8.
    const value = Buffer.from(values.get(name) ?? '', 'latin1').toString();
    return `${name}:${value.trim().replace(/\s+/g, ' ')}`;
  });
}

function parseTimestamp(text: string): Date | undefined {
  const form = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
  const date = new Date(form.test(text) ? text.replace(form, '$1-$2-$3T$4:$5:$6Z') : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function unsigned(header: string): S3Error {
  return new S3Error(403, 'AccessDenied', `The header ${header} is not signed`);
}

function malformed(isPresigned: boolean, problem: string): S3Error {
  return new S3Error(
    400,
    isPresigned ? 'AuthorizationQueryParametersError' : 'AuthorizationHeaderMalformed',
    `The authorization is malformed: ${problem}`,
  );
}
