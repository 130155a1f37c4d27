import type { JWK } from 'jose';
import { createTextSealer } from './sealed-text.js';

/** Encrypts private signing keys for the database, and decrypts them (D-59). */
export interface KeySealer {
  /** Returns the sealed key, which is bound to its id. */
  seal(kid: string, privateJwk: JWK): Buffer;
  /**
   * Returns undefined if the key was sealed with another secret or for another id, or was changed.
   */
  open(kid: string, sealed: Buffer): JWK | undefined;
}

/** @param secret - the setting SIGNING_KEY_SECRET */
export function createKeySealer(secret: string): KeySealer {
  const sealer = createTextSealer(secret, 'adx signing keys');
  return {
    seal: (kid, privateJwk) => sealer.seal(JSON.stringify(privateJwk), kid),

    open(kid, sealed) {
      const text = sealer.open(sealed, kid);
      return text === undefined ? undefined : (JSON.parse(text) as JWK);
    },
  };
}
