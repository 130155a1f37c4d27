import { z } from 'zod';
import type { OpenIdSettings } from './openid-connect.js';

/** The settings of the identity provider. */
export type ProviderSettings =
  | { readonly kind: 'built-in' }
  | ({ readonly kind: 'oidc' } & OpenIdSettings);

/** An issuer as the provider writes it: compared as text, so nothing is changed. */
const issuer = z
  .url({ protocol: /^https?$/ })
  .refine((url) => {
    const { protocol, hostname } = new URL(url);
    return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  }, 'is not https, which is required except on this machine')
  .refine((url) => {
    const { search, hash, username, password } = new URL(url);
    return search + hash + username + password === '';
  }, 'has more than scheme, host, port and path');

/** The settings as environment variables; part of those of the service. */
export const providerVariables = {
  /** Who checks passwords: this service, or a provider with OpenID Connect (D-56). */
  IDENTITY_PROVIDER: z.enum(['built-in', 'oidc']).default('built-in'),
  /** Issuer of the OpenID Connect provider, exactly as in its metadata. */
  OIDC_ISSUER: issuer.optional(),
  /** The client that this service is at the provider. */
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  /** Its secret; by default it is a public client. */
  OIDC_CLIENT_SECRET: z.string().min(1).optional().meta({ secret: true }),
  /** Scopes that are requested, separated by spaces; `openid` is needed for an ID token. */
  OIDC_SCOPE: z
    .string()
    .regex(/^(?:\S+ )*openid(?: \S+)*$/, 'does not contain openid')
    .default('openid profile'),
  /** Claim of the provider's ID token that is the username here. */
  OIDC_USERNAME_CLAIM: z.string().min(1).default('preferred_username'),
};

const requiredFor = { 'built-in': [], oidc: ['OIDC_ISSUER', 'OIDC_CLIENT_ID'] } as const;

/**
 * Returns a message, which starts with the name of the setting, for each setting that the identity
 * provider needs and that is missing, and for each that belongs to another one.
 *
 * @param given - the settings of the environment, by name
 */
export function providerFindings(given: ReadonlyMap<string, string>): string[] {
  const kind = given.get('IDENTITY_PROVIDER') ?? 'built-in';
  const required = Object.entries(requiredFor).flatMap(([each, names]) =>
    each === kind ? [...names] : [],
  );
  const foreign = [...given.keys()].filter(
    (name) => name.startsWith('OIDC_') && name in providerVariables && kind !== 'oidc',
  );
  return [
    ...required.filter((name) => !given.has(name)).map((name) => `${name}: is missing`),
    ...foreign.map((name) => `${name}: is only for IDENTITY_PROVIDER=oidc`),
  ];
}

/** Returns the settings of variables without findings. */
export function toProviderSettings(
  variables: z.infer<z.ZodObject<typeof providerVariables>>,
): ProviderSettings {
  if (variables.IDENTITY_PROVIDER === 'built-in') return { kind: 'built-in' };
  return {
    kind: 'oidc',
    issuer: variables.OIDC_ISSUER ?? '',
    clientId: variables.OIDC_CLIENT_ID ?? '',
    clientSecret: variables.OIDC_CLIENT_SECRET,
    scope: variables.OIDC_SCOPE,
    usernameClaim: variables.OIDC_USERNAME_CLAIM,
  };
}
