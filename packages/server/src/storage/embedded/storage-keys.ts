import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { S3Refusal } from './s3-refusal.js';

/** A pair of keys as S3 clients use them. */
export interface KeyPair {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Who signs with a key: the service itself, or who may put objects under a prefix until a time. */
export type KeyHolder =
  | { readonly kind: 'service'; readonly secretAccessKey: string }
  | {
      readonly kind: 'upload';
      readonly secretAccessKey: string;
      readonly bucket: string;
      readonly prefix: string;
      readonly expires: Date;
    };

/** The keys of an embedded storage: all follow from its secret, so nothing of them is stored. */
export interface StorageKeys {
  /** The key of the service itself, which never expires. */
  readonly service: KeyPair;
  /** A new temporary key for putting objects under a prefix of a bucket. */
  issue(
    upload: { readonly bucket: string; readonly prefix: string },
    expires: Date,
  ): KeyPair & { readonly sessionToken: string };
  /** @throws S3Refusal for a key or token that is not of this storage */
  find(accessKeyId: string, sessionToken: string | undefined): KeyHolder;
}

const claims = z.object({
  id: z.string(),
  bucket: z.string(),
  prefix: z.string(),
  /** Milliseconds since 1970. */
  expires: z.number(),
});

/** The keys that follow from a secret: the same in every process that has it. */
export function createStorageKeys(secret: string): StorageKeys {
  const derive = (purpose: string, text = '') =>
    createHmac('sha256', secret).update(`${purpose}\0${text}`).digest();
  const secretOf = (purpose: string, text?: string) =>
    derive(purpose, text).toString('base64url').slice(0, 40);

  const service = {
    accessKeyId: keyId('ADXS', derive('service-key-id')),
    secretAccessKey: secretOf('service-secret-key'),
  };

  return {
    service,

    issue({ bucket, prefix }, expires) {
      const id = keyId('ADXT', randomBytes(10));
      const body = JSON.stringify({ id, bucket, prefix, expires: expires.getTime() });
      const payload = Buffer.from(body).toString('base64url');
      const sessionToken = `${payload}.${derive('session-token', payload).toString('base64url')}`;
      return {
        accessKeyId: id,
        secretAccessKey: secretOf('temporary-secret-key', sessionToken),
        sessionToken,
      };
    },

    find(accessKeyId, sessionToken) {
      if (sessionToken === undefined) {
        if (accessKeyId !== service.accessKeyId) {
          throw new S3Refusal('InvalidAccessKeyId', 'There is no such access key');
        }
        return { kind: 'service', secretAccessKey: service.secretAccessKey };
      }
      const [payload = '', mark = ''] = sessionToken.split('.');
      const genuine = `${payload}.${derive('session-token', payload).toString('base64url')}`;
      if (mark === '' || !isSame(sessionToken, genuine)) throw invalidToken();
      const { id, expires, ...upload } = claims.parse(
        JSON.parse(Buffer.from(payload, 'base64url').toString()),
      );
      if (id !== accessKeyId) throw invalidToken();
      return {
        kind: 'upload',
        secretAccessKey: secretOf('temporary-secret-key', sessionToken),
        ...upload,
        expires: new Date(expires),
      };
    },
  };
}

/** Whether two texts are the same, in a time that tells nothing of where they differ. */
export function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** In the form of those of AWS: 20 characters of `[A-Z0-9]`. */
function keyId(prefix: string, bytes: Buffer): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  let bits = BigInt(`0x${bytes.toString('hex')}`);
  let id = '';
  while (id.length < 16) {
    id += letters[Number(bits % 32n)];
    bits /= 32n;
  }
  return prefix + id;
}

function invalidToken(): S3Refusal {
  return new S3Refusal('InvalidToken', 'The session token is not valid');
}
