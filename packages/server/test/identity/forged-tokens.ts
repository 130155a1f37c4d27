import { importJWK, SignJWT } from 'jose';
import type { Knex } from 'knex';
import { createSigningKeyStore } from '../../src/identity/signing-keys.js';
import { signingKeySecret } from './identity-database.js';

export const issuer = 'https://adx.example.org';
export const user = {
  id: '673f0c2a9b1d4e8f7a6c5b4d',
  firmId: '673f0c2a9b1d4e8f7a6c5b4e',
  tokenVersion: 1,
};
export const partner = 'Boekhoudpakket';

/** Signs claims that the service would not issue with its real key. */
export async function forgeToken(
  { knex, now }: { readonly knex: Knex; readonly now: () => Date },
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
) {
  const [key] = await createSigningKeyStore(knex, signingKeySecret).list();
  const seconds = Math.floor(now().getTime() / 1000);
  return new SignJWT({
    iss: issuer,
    aud: 'accounting-data-exchange',
    sub: user.id,
    firm: user.firmId,
    partner,
    version: user.tokenVersion,
    iat: seconds,
    exp: seconds + 3600,
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: key?.kid ?? '', ...header })
    .sign(await importJWK(key?.privateJwk ?? {}, 'ES256'));
}
