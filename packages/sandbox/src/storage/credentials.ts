import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { S3Error } from './s3-error.js';

export type Credentials = ReturnType<typeof deriveCredentials>;

/** The prefix of a bucket under which temporary credentials may put objects. */
export interface UploadScope {
  readonly bucket: string;
  /** Ends with a slash. */
  readonly prefix: string;
}

interface Validity {
  readonly issued: Date;
  readonly expires: Date;
}

export interface Caller {
  readonly secretAccessKey: string;
  /** Undefined for the owner, who may do everything. */
  readonly session?: { readonly scope: UploadScope } & Validity;
}

/** The claims of a session token. The token carries them, so nothing is stored. */
const claims = z.object({
  id: z.string(),
  bucket: z.string(),
  prefix: z.string(),
  /** Milliseconds since 1970. */
  issued: z.number(),
  expires: z.number(),
});

/** Derives the credentials from one secret, so that they are the same at every start. */
export function deriveCredentials(secret: string) {
  return {
    accessKeyId: keyId('ADXS', hmac(secret, 'access-key-id')),
    secretAccessKey: hmac(secret, 'secret-access-key').toString('base64url').slice(0, 40),
    /** The secret that session tokens are signed with. */
    tokenSecret: hmac(secret, 'session-tokens').toString('hex'),
  };
}

/** Issues credentials that can put objects within a scope until they expire, and nothing else. */
export function issueTemporary(
  { tokenSecret }: Credentials,
  scope: UploadScope,
  { issued, expires }: Validity,
) {
  const accessKeyId = keyId('ADXT', randomBytes(16));
  const times = { issued: issued.getTime(), expires: expires.getTime() };
  const body = JSON.stringify({ ...scope, ...times, id: accessKeyId });
  const payload = Buffer.from(body).toString('base64url');
  const sessionToken = `${payload}.${hmac(tokenSecret, payload).toString('base64url')}`;
  const secretAccessKey = secretOfToken(tokenSecret, sessionToken);
  return { accessKeyId, secretAccessKey, sessionToken };
}

/** @throws S3Error for an access key or session token that this storage did not issue */
export function callerOf(
  credentials: Credentials,
  accessKeyId: string,
  sessionToken: string | undefined,
): Caller {
  const { tokenSecret, secretAccessKey } = credentials;
  if (sessionToken === undefined) {
    if (accessKeyId === credentials.accessKeyId) return { secretAccessKey };
    throw new S3Error(403, 'InvalidAccessKeyId', 'There is no such access key');
  }
  const [payload = ''] = sessionToken.split('.');
  const genuine = `${payload}.${hmac(tokenSecret, payload).toString('base64url')}`;
  if (!isSame(sessionToken, genuine)) throw invalidToken();
  const text = Buffer.from(payload, 'base64url').toString();
  const { id, issued, expires, bucket, prefix } = claims.parse(JSON.parse(text));
  if (id !== accessKeyId) throw invalidToken();
  return {
    secretAccessKey: secretOfToken(tokenSecret, sessionToken),
    session: { scope: { bucket, prefix }, issued: new Date(issued), expires: new Date(expires) },
  };
}

/** Compares two secrets in constant time. */
export function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function secretOfToken(tokenSecret: string, sessionToken: string): string {
  return hmac(tokenSecret, `secret-access-key\0${sessionToken}`).toString('base64url').slice(0, 40);
}

function hmac(key: string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Returns an access key id in the form of AWS: 20 characters of `[A-Z0-9]`. */
function keyId(start: string, bytes: Buffer): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  return start + [...bytes.subarray(0, 16)].map((byte) => letters[byte % 32]).join('');
}

function invalidToken(): S3Error {
  return new S3Error(400, 'InvalidToken', 'The session token is not valid');
}
