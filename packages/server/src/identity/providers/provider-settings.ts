import type { OpenIdSettings } from './openid-connect.js';

/** The settings of the identity provider. */
export type ProviderSettings =
  | { readonly kind: 'built-in' }
  | ({ readonly kind: 'oidc' } & OpenIdSettings);

/** The settings of an environment, each validated by itself. */
interface ProviderVariables {
  readonly IDENTITY_PROVIDER: ProviderSettings['kind'];
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_CLIENT_ID?: string | undefined;
  readonly OIDC_CLIENT_SECRET?: string | undefined;
  readonly OIDC_SCOPE: string;
  readonly OIDC_USERNAME_CLAIM: string;
}

/**
 * Returns a message, which starts with the name of the setting, for each setting that the identity
 * provider needs and that is missing, and for each that belongs to another one.
 *
 * @param given - the settings of the environment, by name
 */
export function providerFindings(given: ReadonlyMap<string, string>): string[] {
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
  return {
    kind: 'oidc',
    issuer: variables.OIDC_ISSUER ?? '',
    clientId: variables.OIDC_CLIENT_ID ?? '',
    clientSecret: variables.OIDC_CLIENT_SECRET,
    scope: variables.OIDC_SCOPE,
    usernameClaim: variables.OIDC_USERNAME_CLAIM,
  };
}
