import { decodeJwt, decodeProtectedHeader, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { queryDatabase } from '../operator.js';
import { type Head, valuesOf } from '../proxy/http-messages.js';
import type { ElapsedTime } from './kept-state.js';

/**
 * Returns the head of a request with its ID token as old as scenarios have made it: the same token, signed with
 * the same key, but issued as much earlier. So the service itself decides whether it has expired. Undefined
 * if nothing is to change: without a token, with one that is fresh, and with one that the service did not sign.
 */
export async function ageIdToken(
  head: Head,
  elapsed: ElapsedTime,
  databaseUrl: string,
): Promise<Buffer | undefined> {
  const [, token] = /^bearer +(\S+)$/i.exec(valuesOf(head, 'authorization')[0] ?? '') ?? [];
  if (token === undefined) return undefined;
  try {
    const { iat: issuedAt } = decodeJwt(token);
    const age = issuedAt === undefined ? 0 : elapsed.since(new Date(issuedAt * 1000));
    if (issuedAt === undefined || age === 0) return undefined;
    const [key] = await queryDatabase<StoredKey>(
      databaseUrl,
      'select private_jwk "privateJwk", public_jwk "publicJwk" from signing_keys where kid = $1',
      [decodeProtectedHeader(token).kid],
    );
    if (key === undefined) return undefined;
    const publicKey = await importJWK(key.publicJwk, 'ES256');
    const { payload, protectedHeader } = await jwtVerify(token, publicKey, {
      currentDate: new Date(issuedAt * 1000),
    });
    const seconds = Math.floor(age / 1000);
    const older = await new SignJWT({ ...payload, iat: issuedAt - seconds })
      .setExpirationTime((payload.exp ?? 0) - seconds)
      .setProtectedHeader({ ...protectedHeader, alg: 'ES256' })
      .sign(await importJWK(key.privateJwk, 'ES256'));
    return Buffer.from(
      head.bytes.toString('latin1').replace(token, () => older),
      'latin1',
    );
  } catch {
    // The service refuses it.
    return undefined;
  }
}

interface StoredKey {
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}
