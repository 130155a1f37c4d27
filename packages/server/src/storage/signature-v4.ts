import { createHash, createHmac } from 'node:crypto';
import { encodeUri } from './encode-uri.js';

/** The day, region and service that a signing key is for. */
export interface CredentialScope {
  /** `YYYYMMDD`. */
  readonly date: string;
  readonly region: string;
}

/** What a signature is made over (Signature Version 4 of AWS). */
export interface SignedRequest {
  readonly method: string;
  readonly canonicalPath: string;
  /** Without the signature itself. */
  readonly query: ReadonlyMap<string, string>;
  /** Names and values, in the order of the signed names. */
  readonly headers: readonly (readonly [string, string])[];
  readonly payloadHash: string;
}

/** The key that signs for one day, region and S3. */
export function signingKeyOf(secretAccessKey: string, { date, region }: CredentialScope): Buffer {
  return [region, 's3', 'aws4_request'].reduce(
    (key, part) => hmac(key, part),
    hmac(`AWS4${secretAccessKey}`, date),
  );
}

/**
 * The signature of a request, in hexadecimal.
 *
 * @param timestamp - `YYYYMMDDTHHMMSSZ`
 */
export function signatureOf(
  request: SignedRequest,
  timestamp: string,
  scope: CredentialScope,
  signingKey: Buffer,
): string {
  return hmac(
    signingKey,
    ['AWS4-HMAC-SHA256', timestamp, scopeText(scope), sha256(canonicalRequest(request))].join('\n'),
  ).toString('hex');
}

/** A scope as it is signed. */
export function scopeText({ date, region }: CredentialScope): string {
  return `${date}/${region}/s3/aws4_request`;
}

/** SHA-256 in hexadecimal. */
export function sha256(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function canonicalRequest(request: SignedRequest): string {
  const query = [...request.query]
    .map(([name, value]) => [encodeUri(name), encodeUri(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`);
  return [
    request.method,
    request.canonicalPath,
    query.join('&'),
    ...request.headers.map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, ' ')}`),
    '',
    request.headers.map(([name]) => name).join(';'),
    request.payloadHash,
  ].join('\n');
}
