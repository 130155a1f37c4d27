import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { JWK } from 'jose';

const ALGORITHM = 'aes-256-gcm';
/** The lengths in bytes that GCM is made for. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts text for the database, and decrypts it (D-56, D-59): AES-256-GCM, with a key that HKDF
 * derives from the secret.
 *
 * @param secret - has at least 256 random bits, so HKDF needs no salt
 * @param purpose - gives each use of a secret a key of its own
 */
export function createTextSealer(secret: string, purpose: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const options = { authTagLength: TAG_BYTES };
  return {
    /** @param boundTo - a text without which it cannot be opened, such as the id of its row */
    seal(text: string, boundTo = ''): Buffer {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce, options).setAAD(Buffer.from(boundTo));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
    },

    /**
     * Returns undefined if it was sealed with another secret or for another text, or was changed.
     */
    open(sealed: Buffer, boundTo = ''): string | undefined {
      const textStart = NONCE_BYTES + TAG_BYTES;
      if (sealed.length <= textStart) return undefined;
      const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), options)
        .setAAD(Buffer.from(boundTo))
        .setAuthTag(sealed.subarray(NONCE_BYTES, textStart));
      const text = decipher.update(sealed.subarray(textStart));
      try {
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

/**
 * Seals private signing keys, each bound to its id (D-59).
 *
 * @param secret - the setting SIGNING_KEY_SECRET
 */
export function createKeySealer(secret: string) {
  const sealer = createTextSealer(secret, 'adx signing keys');
  return {
    seal: (kid: string, privateJwk: JWK) => sealer.seal(JSON.stringify(privateJwk), kid),

    open(kid: string, sealed: Buffer): JWK | undefined {
      const text = sealer.open(sealed, kid);
      return text === undefined ? undefined : (JSON.parse(text) as JWK);
    },
  };
}
