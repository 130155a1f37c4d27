import { hash, randomBytes } from 'node:crypto';

/** 256 bits cannot be guessed, so a plain SHA-256 of such a secret is safe to store (D-20). */
const SECRET_BYTES = 32;

/** Returns a secret in base64url, which its prefix identifies to people and secret scanners. */
export function createSecret(prefix: string): string {
  return prefix + randomBytes(SECRET_BYTES).toString('base64url');
}

/** Returns true if a text has the form of a secret with this prefix; others need no look-up. */
export function isSecret(prefix: string, text: string): boolean {
  return text.startsWith(prefix) && /^[\w-]{43}$/.test(text.slice(prefix.length));
}

/** Returns the SHA-256 of a secret, which is stored instead of the secret (D-20). */
export function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
