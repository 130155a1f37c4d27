import type { IncomingMessage } from 'node:http';
import { createKeySealer } from '@adx/server/sealed-text';
import { decodeJwt, decodeProtectedHeader, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import type { ElapsedTime } from '../kept-state.js';
import { queryDatabase } from '../postgres/with-connection.js';
import type { ServiceSettings } from '../settings-file.js';

/**
 * Makes the ID token of a request as old as scenarios have made it: signed with the same key, but
 * issued earlier, so that the service itself decides whether it has expired. One that is fresh, or
 * that the service did not sign, stays as it is.
 */
export async function ageIdToken(
  request: IncomingMessage,
  elapsed: ElapsedTime,
  settings: ServiceSettings,
): Promise<void> {
  const { headers, rawHeaders } = request;
  const [, token] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (token === undefined) return;
  const older = await olderToken(token, elapsed, settings).catch(() => undefined);
  if (older === undefined) return;
  headers.authorization = `Bearer ${older}`;
  rawHeaders.splice(0, rawHeaders.length, ...rawHeaders.map((each) => each.replace(token, older)));
}

async function olderToken(token: string, elapsed: ElapsedTime, settings: ServiceSettings) {
  const { iat: issuedAt = 0 } = decodeJwt(token);
  const issued = new Date(issuedAt * 1000);
  const seconds = Math.floor(elapsed.since(issued) / 1000);
  if (issuedAt === 0 || seconds === 0) return undefined;
  const [key] = await queryDatabase<StoredKey>(
    settings.DATABASE_URL,
    'select kid, sealed_key "sealedKey", public_jwk "publicJwk" from signing_keys where kid = $1 and sealed_key is not null',
    [decodeProtectedHeader(token).kid],
  );
  if (key === undefined) return undefined;
  const privateJwk = createKeySealer(settings.SIGNING_KEY_SECRET).open(key.kid, key.sealedKey);
  if (privateJwk === undefined) return undefined;
  const publicKey = await importJWK(key.publicJwk, 'ES256');
  const { payload, protectedHeader } = await jwtVerify(token, publicKey, { currentDate: issued });
  return new SignJWT({ ...payload, iat: issuedAt - seconds })
    .setExpirationTime((payload.exp ?? 0) - seconds)
    .setProtectedHeader({ ...protectedHeader, alg: 'ES256' })
    .sign(await importJWK(privateJwk, 'ES256'));
}

interface StoredKey {
  readonly kid: string;
  readonly sealedKey: Buffer;
  readonly publicJwk: JWK;
}
