import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts the refresh token of an identity provider with a key that is derived from our own refresh
 * token. Only callers have that one, so a copy of the database reveals neither (D-56).
 *
 * @returns nonce, tag and ciphertext
 */
export function sealToken(token: string, ownToken: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(ownToken), nonce);
  const ciphertext = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** @throws Error if the token was sealed with another one of ours, or changed */
export function unsealToken(sealed: Buffer, ownToken: string): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, keyOf(ownToken), nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const ciphertext = sealed.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
}

/** The token has 256 random bits, so HKDF needs no salt. */
function keyOf(ownToken: string): Buffer {
  return Buffer.from(hkdfSync('sha256', ownToken, '', 'adx provider refresh token', 32));
}
