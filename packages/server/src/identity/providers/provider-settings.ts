<<<<<<< ours
=======
import { z } from 'zod';
import type { CognitoSettings } from './cognito.js';
>>>>>>> theirs
import type { OpenIdSettings } from './openid-connect.js';

/** The settings of the identity provider. */
export type ProviderSettings =
  | { readonly kind: 'built-in' }
  | ({ readonly kind: 'oidc' } & OpenIdSettings)
  | ({ readonly kind: 'cognito' } & CognitoSettings);

<<<<<<< ours
/** The settings of an environment, each validated by itself. */
interface ProviderVariables {
  readonly IDENTITY_PROVIDER: ProviderSettings['kind'];
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_CLIENT_ID?: string | undefined;
  readonly OIDC_CLIENT_SECRET?: string | undefined;
  readonly OIDC_SCOPE: string;
  readonly OIDC_USERNAME_CLAIM: string;
}
=======
/** An address of a provider. Passwords are sent to it, so it has TLS unless it is this machine. */
const secureUrl = z
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
  /** Who checks passwords: this service, a provider with OpenID Connect, or Cognito (D-56). */
  IDENTITY_PROVIDER: z.enum(['built-in', 'oidc', 'cognito']).default('built-in'),
  /** Issuer of the OpenID Connect provider, exactly as in its metadata. */
  OIDC_ISSUER: secureUrl.optional(),
  /** The client that this service is at the provider. */
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  /** Its secret; by default it is a public client. */
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  /** Scopes that are requested, separated by spaces; `openid` is needed for an ID token. */
  OIDC_SCOPE: z
    .string()
    .regex(/^(?:\S+ )*openid(?: \S+)*$/, 'does not contain openid')
    .default('openid profile'),
  /** Claim of the provider's ID token that is the username here. */
  OIDC_USERNAME_CLAIM: z.string().min(1).default('preferred_username'),
  /** Region of the Cognito user pool. */
  COGNITO_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'is not a region')
    .optional(),
  COGNITO_USER_POOL_ID: z
    .string()
    .regex(/^[\w-]+$/, 'is not the id of a user pool')
    .optional(),
  /** The app client that this service is in the pool. */
  COGNITO_CLIENT_ID: z.string().min(1).optional(),
  /** Its secret; by default it has none. */
  COGNITO_CLIENT_SECRET: z.string().min(1).optional(),
  /** Address of Cognito, if it is a private one. */
  COGNITO_ENDPOINT: secureUrl.transform((url) => url.replace(/\/+$/, '')).optional(),
  /** Claim of the ID token of Cognito that is the username here. */
  COGNITO_USERNAME_CLAIM: z.string().min(1).default('cognito:username'),
};

const requiredFor: Readonly<Record<string, readonly string[]>> = {
  oidc: ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  cognito: ['COGNITO_REGION', 'COGNITO_USER_POOL_ID', 'COGNITO_CLIENT_ID'],
};
>>>>>>> theirs

/**
 * Returns a message, which starts with the name of the setting, for each setting that the identity
 * provider needs and that is missing, and for each that belongs to another one.
 *
 * @param given - the settings of the environment, by name
 */
export function providerFindings(given: ReadonlyMap<string, string>): string[] {
<<<<<<< ours
  if (given.get('IDENTITY_PROVIDER') === 'oidc') {
    return ['OIDC_ISSUER', 'OIDC_CLIENT_ID']
      .filter((name) => !given.has(name))
      .map((name) => `${name}: is missing`);
  }
  return [...given.keys()]
    .filter((name) => name.startsWith('OIDC_'))
    .map((name) => `${name}: is only for IDENTITY_PROVIDER=oidc`);
}

/** Returns the settings of variables without findings. */
export function toProviderSettings(variables: ProviderVariables): ProviderSettings {
  if (variables.IDENTITY_PROVIDER === 'built-in') return { kind: 'built-in' };
=======
  const kind = given.get('IDENTITY_PROVIDER') ?? 'built-in';
  const missing = (requiredFor[kind] ?? []).filter((name) => !given.has(name));
  const foreign = [...given.keys()].filter((name) => {
    const owner = name.split('_')[0]?.toLowerCase() ?? '';
    return name in providerVariables && owner in requiredFor && owner !== kind;
  });
  return [
    ...missing.map((name) => `${name}: is missing`),
    ...foreign.map((name) => `${name}: is not for IDENTITY_PROVIDER=${kind}`),
  ];
}

/** Returns the settings of variables without findings. */
export function toProviderSettings(
  variables: z.infer<z.ZodObject<typeof providerVariables>>,
): ProviderSettings {
  const kind = variables.IDENTITY_PROVIDER;
  if (kind === 'built-in') return { kind };
  if (kind === 'cognito') {
    return {
      kind,
      region: variables.COGNITO_REGION ?? '',
      userPoolId: variables.COGNITO_USER_POOL_ID ?? '',
      clientId: variables.COGNITO_CLIENT_ID ?? '',
      clientSecret: variables.COGNITO_CLIENT_SECRET,
      endpoint: variables.COGNITO_ENDPOINT,
      usernameClaim: variables.COGNITO_USERNAME_CLAIM,
    };
  }
>>>>>>> theirs
  return {
    kind,
    issuer: variables.OIDC_ISSUER ?? '',
    clientId: variables.OIDC_CLIENT_ID ?? '',
    clientSecret: variables.OIDC_CLIENT_SECRET,
    scope: variables.OIDC_SCOPE,
    usernameClaim: variables.OIDC_USERNAME_CLAIM,
  };
}
