import { hash, verify } from '@node-rs/argon2';
import { charactersToGuess, squeezed } from './guessable-passwords.js';

/**
 * As OWASP recommends (Password Storage Cheat Sheet): 19 MiB of memory, two passes, one thread.
 * `algorithm` 2 is argon2id; the package's enum cannot be imported by itself.
 */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Verified for an unknown user, who so takes as long as a wrong password (D-20). */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$BQmtnJj2bWqFI7YT4DIyDg$n5AIK+0taDuBio9EoufOsnMjrHqM23iqfZnVsLO/YO4';

/** The longest password that `POST /token` accepts: 1024 characters of Base64. */
const MAX_PASSWORD_BYTES = 768;
const MIN_PASSWORD_CHARACTERS = 12;
const MIN_DIFFERENT_CHARACTERS = 5;
const MIN_CHARACTERS_TO_GUESS = 7;

/** Shorter names are parts of many words. */
const MIN_NAME_CHARACTERS = 5;

export function hashPassword(password: string): Promise<string> {
  return hash(normalize(password), ARGON2ID);
}

/** Compares a password with a hash. Without a hash, it takes the same time and returns false. */
export async function verifyPassword(
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> {
  const matches = await verify(passwordHash ?? DECOY_HASH, normalize(password));
  return matches && passwordHash !== undefined;
}

/**
 * Returns undefined if the password of a `POST /token` body is not Base64 (§4.1). Strict, so that
 * a plain-text password almost never passes.
 */
export function decodePassword(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== encoded) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export interface PasswordContext {
  readonly username: string;
  readonly firmName: string;
}

/**
 * Returns the end of a sentence that starts with "The password"; undefined if it is accepted
 * (D-20).
 */
export function passwordWeakness(
  password: string,
  { username, firmName }: PasswordContext,
): string | undefined {
  if (password === '') return 'is empty';
  if ([...password].length < MIN_PASSWORD_CHARACTERS) {
    return `is shorter than ${MIN_PASSWORD_CHARACTERS} characters`;
  }
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    return `is longer than ${MAX_PASSWORD_BYTES} bytes`;
  }
  if (new Set(password).size < MIN_DIFFERENT_CHARACTERS) {
    return `has fewer than ${MIN_DIFFERENT_CHARACTERS} different characters`;
  }
  const contains = (name: string) =>
    squeezed(name).length >= MIN_NAME_CHARACTERS && squeezed(password).includes(squeezed(name));
  if (contains(username) || contains(username.replace(/@.*/s, ''))) return 'contains the username';
  if (contains(firmName)) return 'contains the name of the firm';
  if (charactersToGuess(password, [username, firmName]) < MIN_CHARACTERS_TO_GUESS) {
    return 'is easy to guess: it consists of common words, names, years, sequences or repetitions';
  }
  return undefined;
}

/** Makes accents the same, whether the keyboard enters them as one code point or two. */
function normalize(password: string): string {
  return password.normalize('NFKC');
}
