import { createHash, randomBytes } from 'node:crypto';

/** 256 bits, too many to guess: a plain SHA-256 of such a secret is safe to store (D-20). */
const SECRET_BYTES = 32;

/** A new random secret in base64url; the prefix tells people and secret scanners what it is. */
export function createSecret(prefix: string): string {
  return prefix + randomBytes(SECRET_BYTES).toString('base64url');
}

/** Whether the text has the shape of a secret with this prefix; anything else needs no look-up. */
export function isSecret(prefix: string, text: string): boolean {
  return text.startsWith(prefix) && /^[\w-]{43}$/.test(text.slice(prefix.length));
}

/** The SHA-256 of a secret: all that is stored of it (D-20). */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
