import type { IncomingMessage } from 'node:http';
import { type CredentialScope, signatureOf, signingKeyOf } from '../signature-v4.js';
import type { RequestTarget } from './request-target.js';
import { S3Refusal } from './s3-refusal.js';
import { isSame, type KeyHolder, type StorageKeys } from './storage-keys.js';

/** A request whose signature is right. */
export interface AuthenticatedRequest {
  readonly holder: KeyHolder;
  /** What `x-amz-content-sha256` says of the body. */
  readonly payloadHash: string;
  /** What the signatures of a body's chunks go on from. */
  readonly chunkSigning: ChunkSigning;
}

/** What the chunks of a body are signed with. */
export interface ChunkSigning {
  readonly signingKey: Buffer;
  readonly scope: CredentialScope;
  readonly timestamp: string;
  /** The signature of the request. */
  readonly seed: string;
}

/** What a request says of its own signature, in a header or in the query. */
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
 * @throws S3Refusal
 */
export function authenticateRequest(
  request: IncomingMessage,
  target: RequestTarget,
  keys: StorageKeys,
  now: Date,
): AuthenticatedRequest {
  const presigned = target.query.has('X-Amz-Algorithm') || target.query.has('X-Amz-Signature');
  if (presigned && request.headers.authorization !== undefined) {
    throw new S3Refusal('InvalidArgument', 'A request is signed in one place only');
  }
  const claim = presigned ? readQuery(request, target) : readHeader(request);
  const [accessKeyId = '', date = '', region = '', service, end, ...more] =
    claim.credential.split('/');
  if (service !== 's3' || end !== 'aws4_request' || more.length > 0 || region === '') {
    throw malformed(presigned, 'the credential is not of the form key/date/region/s3/aws4_request');
  }
  const signedAt = parseTimestamp(claim.timestamp);
  if (signedAt === undefined || !claim.timestamp.startsWith(`${date}T`)) {
    throw malformed(presigned, 'the date is missing, malformed or not that of the credential');
  }
  checkTime(signedAt, presigned ? parseExpiry(target) : undefined, now);

  const holder = keys.find(accessKeyId, claim.sessionToken);
  const scope = { date, region };
  const signingKey = signingKeyOf(holder.secretAccessKey, scope);
  const signature = signatureOf(
    {
      method: request.method ?? '',
      canonicalPath: target.canonicalPath,
      query: new Map([...target.query].filter(([name]) => name !== 'X-Amz-Signature')),
      headers: readSignedHeaders(request, claim.signedHeaders),
      payloadHash: claim.payloadHash,
    },
    claim.timestamp,
    scope,
    signingKey,
  );
  if (!isSame(signature, claim.signature)) {
    throw new S3Refusal(
      'SignatureDoesNotMatch',
      'The signature of the request is not the one that its key makes; check the key and what is signed',
    );
  }
  // After the signature: whoever does not hold the key learns nothing of it.
  if (holder.kind === 'upload' && now >= holder.expires) {
    throw new S3Refusal('ExpiredToken', 'The temporary key has expired');
  }
  const chunkSigning = { signingKey, scope, timestamp: claim.timestamp, seed: signature };
  return { holder, payloadHash: claim.payloadHash, chunkSigning };
}

function readHeader({ headers }: IncomingMessage): Claim {
  const { authorization } = headers;
  if (authorization === undefined) {
    throw new S3Refusal('AccessDenied', 'The request is not signed');
  }
  const [algorithm, ...parameters] = authorization.trim().split(/\s*,\s*|\s+/);
  if (algorithm !== ALGORITHM) {
    throw new S3Refusal('InvalidRequest', `The request is not signed with ${ALGORITHM}`);
  }
  const named = new Map(
    parameters.map((parameter): [string, string] => {
      const [name = '', ...value] = parameter.split('=');
      return [name, value.join('=')];
    }),
  );
  const credential = named.get('Credential');
  const signedHeaders = named.get('SignedHeaders');
  const signature = named.get('Signature');
  if (!credential || !signedHeaders || !signature) {
    throw malformed(false, 'Credential, SignedHeaders or Signature is missing');
  }
  const payloadHash = single(headers['x-amz-content-sha256']);
  if (payloadHash === undefined) {
    throw new S3Refusal('InvalidRequest', 'The header x-amz-content-sha256 is missing');
  }
  return {
    ...{ credential, signedHeaders, signature, payloadHash },
    timestamp: single(headers['x-amz-date']) ?? '',
    sessionToken: single(headers['x-amz-security-token']),
  };
}

function readQuery({ headers }: IncomingMessage, { query }: RequestTarget): Claim {
  if (query.get('X-Amz-Algorithm') !== ALGORITHM) {
    throw malformed(true, `X-Amz-Algorithm is not ${ALGORITHM}`);
  }
  const credential = query.get('X-Amz-Credential');
  const signedHeaders = query.get('X-Amz-SignedHeaders');
  const signature = query.get('X-Amz-Signature');
  if (!credential || !signedHeaders || !signature) {
    throw malformed(true, 'X-Amz-Credential, X-Amz-SignedHeaders or X-Amz-Signature is missing');
  }
  return {
    ...{ credential, signedHeaders, signature },
    timestamp: query.get('X-Amz-Date') ?? '',
    sessionToken: query.get('X-Amz-Security-Token') ?? single(headers['x-amz-security-token']),
    payloadHash:
      query.get('X-Amz-Content-Sha256') ??
      single(headers['x-amz-content-sha256']) ??
      'UNSIGNED-PAYLOAD',
  };
}

/** Seconds that a presigned URL is valid for. */
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
    throw new S3Refusal('RequestTimeTooSkewed', 'The time of the request is too far from now');
  }
  if (age < -skewMs) throw new S3Refusal('AccessDenied', 'Request is not valid yet');
  if (age > expiry * 1000) throw new S3Refusal('AccessDenied', 'Request has expired');
}

/** @throws S3Refusal unless the host and every `x-amz-` header are signed, and none occurs twice */
function readSignedHeaders(request: IncomingMessage, list: string): [string, string][] {
  const names = list.split(';');
  const sent = request.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  const unsigned = sent.find(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !names.includes(name),
  );
  if (unsigned !== undefined || !names.includes('host')) {
    throw new S3Refusal('AccessDenied', `The header ${unsigned ?? 'host'} is not signed`);
  }
  return names.map((name) => {
    if (sent.indexOf(name) !== sent.lastIndexOf(name)) {
      throw new S3Refusal('InvalidRequest', `The header ${name} occurs twice`);
    }
    // Names such as `constructor` are found in every object.
    const value = Object.hasOwn(request.headers, name) ? single(request.headers[name]) : undefined;
    // Node reads bytes as Latin-1; clients sign UTF-8.
    return [name, Buffer.from(value ?? '', 'latin1').toString()];
  });
}

function parseTimestamp(text: string): Date | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}

function malformed(presigned: boolean, what: string): S3Refusal {
  return new S3Refusal(
    presigned ? 'AuthorizationQueryParametersError' : 'AuthorizationHeaderMalformed',
    `The authorization is malformed: ${what}`,
  );
}
