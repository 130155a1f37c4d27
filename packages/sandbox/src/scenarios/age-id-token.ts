import { decodeJwt, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import pg from 'pg';
import { type Head, valuesOf } from '../proxy/http-messages.js';
import type { ElapsedTime } from './elapsed-time.js';

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
  const issuedAt = issueTimeOf(token);
  const age = issuedAt === undefined ? 0 : elapsed.since(new Date(issuedAt * 1000));
  if (issuedAt === undefined || age === 0) return undefined;
  const key = await findSigningKey(token, databaseUrl);
  if (key === undefined) return undefined;
  try {
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
    return undefined;
  }
}

function issueTimeOf(token: string): number | undefined {
  try {
    return decodeJwt(token).iat;
  } catch {
    return undefined;
  }
}

interface StoredKey {
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

/** Returns the key that a token names, from the database of the service. */
async function findSigningKey(token: string, databaseUrl: string): Promise<StoredKey | undefined> {
  const [header = ''] = token.split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid?: unknown };
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<StoredKey>(
      'select private_jwk "privateJwk", public_jwk "publicJwk" from signing_keys where kid = $1',
      [String(kid)],
    );
    return rows[0];
  } finally {
    await client.end();
  }
}
