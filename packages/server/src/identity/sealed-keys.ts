import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { JWK } from 'jose';

const ALGORITHM = 'aes-256-gcm';
/** The lengths in bytes that GCM is made for. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts private signing keys for the database, and decrypts them (D-59). */
export interface KeySealer {
  /** Returns nonce, tag and ciphertext. They are bound to the id of the key. */
  seal(kid: string, privateJwk: JWK): Buffer;
  /** Returns undefined if the key was sealed with another secret or for another id, or was changed. */
  open(kid: string, sealed: Buffer): JWK | undefined;
}

/**
 * Creates a sealer: AES-256-GCM, with a key that HKDF derives from the secret.
 *
 * @param secret - the setting SIGNING_KEY_SECRET
 */
export function createKeySealer(secret: string): KeySealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'adx signing keys', 32));
  const options = { authTagLength: TAG_BYTES };
  return {
    seal(kid, privateJwk) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce, options).setAAD(Buffer.from(kid));
      const text = Buffer.concat([cipher.update(JSON.stringify(privateJwk)), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]);
    },

    open(kid, sealed) {
      const textStart = NONCE_BYTES + TAG_BYTES;
      if (sealed.length <= textStart) return undefined;
      const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), options)
        .setAAD(Buffer.from(kid))
        .setAuthTag(sealed.subarray(NONCE_BYTES, textStart));
      const text = decipher.update(sealed.subarray(textStart));
      try {
        return JSON.parse(Buffer.concat([text, decipher.final()]).toString()) as JWK;
      } catch {
        return undefined;
      }
    },
  };
}
