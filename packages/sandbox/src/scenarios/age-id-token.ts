import { createKeySealer } from '@adx/server/sealed-keys';
import { decodeJwt, decodeProtectedHeader, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { queryDatabase } from '../operator.js';
import { type Head, valuesOf } from '../proxy/http-messages.js';
import type { ElapsedTime } from './kept-state.js';

/**
 * Returns the head of a request with its ID token as old as scenarios have made it: the same token,
 * signed with the same key, but issued as much earlier. So the service itself decides whether it
 * has expired. Undefined if nothing is to change: without a token, with one that is fresh, and with
 * one that the service did not sign.
 */
export async function ageIdToken(
  head: Head,
  elapsed: ElapsedTime,
  settings: KeySettings,
): Promise<Buffer | undefined> {
  const [, token] = /^bearer +(\S+)$/i.exec(valuesOf(head, 'authorization')[0] ?? '') ?? [];
  if (token === undefined) return undefined;
  try {
    const { iat: issuedAt } = decodeJwt(token);
    const age = issuedAt === undefined ? 0 : elapsed.since(new Date(issuedAt * 1000));
    if (issuedAt === undefined || age === 0) return undefined;
    const [key] = await queryDatabase<StoredKey>(
      settings.DATABASE_URL,
      'select kid, sealed_key "sealedKey", public_jwk "publicJwk" from signing_keys where kid = $1 and sealed_key is not null',
      [decodeProtectedHeader(token).kid],
    );
    if (key === undefined) return undefined;
    const sealer = createKeySealer(settings.SIGNING_KEY_SECRET);
    const privateJwk = sealer.open(key.kid, key.sealedKey);
    if (privateJwk === undefined) return undefined;
    const publicKey = await importJWK(key.publicJwk, 'ES256');
    const { payload, protectedHeader } = await jwtVerify(token, publicKey, {
      currentDate: new Date(issuedAt * 1000),
    });
    const seconds = Math.floor(age / 1000);
    const older = await new SignJWT({ ...payload, iat: issuedAt - seconds })
      .setExpirationTime((payload.exp ?? 0) - seconds)
      .setProtectedHeader({ ...protectedHeader, alg: 'ES256' })
      .sign(await importJWK(privateJwk, 'ES256'));
    return Buffer.from(
      head.bytes.toString('latin1').replace(token, () => older),
      'latin1',
    );
  } catch {
    // The service refuses it.
    return undefined;
  }
}

/** The settings of the service that are needed to read its signing keys. */
export interface KeySettings {
  readonly DATABASE_URL: string;
  readonly SIGNING_KEY_SECRET: string;
}

interface StoredKey {
  readonly kid: string;
  readonly sealedKey: Buffer;
  readonly publicJwk: JWK;
}
