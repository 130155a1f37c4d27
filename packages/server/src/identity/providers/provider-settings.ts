import type { Settings } from '../../settings.js';
import type { CognitoSettings } from './cognito.js';
import type { OpenIdSettings } from './openid-connect.js';

export type ProviderSettings =
  | { readonly kind: 'built-in' }
  | ({ readonly kind: 'oidc' } & OpenIdSettings)
  | ({ readonly kind: 'cognito' } & CognitoSettings);

const requiredFor: Readonly<Record<string, readonly string[]>> = {
  oidc: ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  cognito: ['COGNITO_USER_POOL_ID', 'COGNITO_CLIENT_ID'],
};

/**
 * Returns a message, which starts with the name of the setting, for each that is missing or belongs
 * to another provider.
 *
 * @param given - the settings of the environment, by name
 */
export function providerFindings(given: ReadonlyMap<string, string>): string[] {
  const kind = given.get('IDENTITY_PROVIDER') ?? 'built-in';
  const missing = (requiredFor[kind] ?? []).filter((name) => !given.has(name));
  const ofOthers = [...given.keys()].flatMap((name) => {
    const owner = /^(OIDC|COGNITO)_/.exec(name)?.[1]?.toLowerCase();
    return owner === undefined || owner === kind ? [] : [{ name, owner }];
  });
  return [
    ...missing.map((name) => `${name}: is missing`),
    ...ofOthers.map(({ name, owner }) => `${name}: is only for IDENTITY_PROVIDER=${owner}`),
  ];
}

export function toProviderSettings(variables: Settings): ProviderSettings {
  if (variables.IDENTITY_PROVIDER === 'built-in') return { kind: 'built-in' };
  if (variables.IDENTITY_PROVIDER === 'cognito') return toCognitoSettings(variables);
  return {
    kind: 'oidc',
    issuer: variables.OIDC_ISSUER ?? '',
    clientId: variables.OIDC_CLIENT_ID ?? '',
    clientSecret: variables.OIDC_CLIENT_SECRET,
    scope: variables.OIDC_SCOPE,
    usernameClaim: variables.OIDC_USERNAME_CLAIM,
  };
}

function toCognitoSettings(variables: Settings): ProviderSettings {
  const { COGNITO_USER_POOL_ID: userPoolId = '' } = variables;
  const [region] = userPoolId.split('_');
  const aws = `https://cognito-idp.${region}.amazonaws.com`;
  return {
    kind: 'cognito',
    userPoolId,
    issuer: `${aws}/${userPoolId}`,
    endpoint: variables.COGNITO_ENDPOINT ?? aws,
    clientId: variables.COGNITO_CLIENT_ID ?? '',
    clientSecret: variables.COGNITO_CLIENT_SECRET,
    rotatesTokens: variables.COGNITO_REFRESH_ROTATION === 'true',
    usernameClaim: variables.COGNITO_USERNAME_CLAIM,
  };
}
