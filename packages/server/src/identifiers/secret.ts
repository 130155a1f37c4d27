import { hash, randomBytes } from 'node:crypto';

/** 256 bits cannot be guessed, so a plain SHA-256 of such a secret is safe to store (D-20). */
const SECRET_BYTES = 32;

/** In base64url. The prefix identifies it to people and secret scanners. */
export function createSecret(prefix: string): string {
  return prefix + randomBytes(SECRET_BYTES).toString('base64url');
}

/** Others need no look-up. */
export function isSecret(prefix: string, text: string): boolean {
  return text.startsWith(prefix) && /^[\w-]{43}$/.test(text.slice(prefix.length));
}

/** The SHA-256 of a secret, which is stored instead of it (D-20). */
export function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
