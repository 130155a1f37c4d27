import * as client from 'openid-client';
import { boundedFetch, PROVIDER_TIMEOUT_SECONDS } from './bounded-fetch.js';
import type { ExternalProvider } from './external-provider.js';
import {
  CLOCK_SKEW_SECONDS,
  describeFailure,
  providerUnavailable,
  type Refusal,
  refusedByProvider,
} from './identity-provider.js';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  readonly scope: string;
  /** The claim of the ID token that is the username here. */
  readonly usernameClaim: string;
}

/**
 * Errors of RFC 6749 §5.2 and OpenID Connect that are not about the user: the client is not
 * configured as expected, or the provider failed.
 */
const notAboutTheUser = new Set([
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_request',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
]);

type Tokens = Awaited<ReturnType<typeof client.genericGrantRequest>>;

/**
 * Uses the password and the refresh grant, and verifies signature, issuer, audience and times of
 * every ID token. It asks the provider nothing before the first sign-in, so the service also starts
 * while the provider is away.
 */
export function createOpenIdProvider(settings: OpenIdSettings): ExternalProvider {
  const { issuer, clientId, clientSecret, scope, usernameClaim } = settings;
  const server = new URL(issuer);
  /** The metadata and keys of the provider, which are fetched again after a failure. */
  let configuration: Promise<client.Configuration> | undefined;

  function discover(): Promise<client.Configuration> {
    return client.discovery(
      server,
      clientId,
      { [client.clockTolerance]: CLOCK_SKEW_SECONDS },
      clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret),
      {
        [client.customFetch]: boundedFetch,
        timeout: PROVIDER_TIMEOUT_SECONDS,
        execute: [
          // Signatures of ID tokens are not verified by default.
          client.enableNonRepudiationChecks,
          // The settings accept http only for this machine.
          ...(server.protocol === 'http:' ? [client.allowInsecureRequests] : []),
        ],
      },
    );
  }

  async function ask(grant: (configuration: client.Configuration) => Promise<Tokens>) {
    configuration ??= discover();
    const current = configuration;
    try {
      return { accepted: true, tokens: await grant(await current) } as const;
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal !== undefined) return refusal;
      if (configuration === current) configuration = undefined;
      throw providerUnavailable(describe(error));
    }
  }

  return {
    // The claim is part of it: by another one, the username would be that of somebody else.
    name: `oidc ${issuer} ${usernameClaim}`,
    issuer,
    usernameClaim,

    async signIn(username, password) {
      const answer = await ask((current) =>
        client.genericGrantRequest(current, 'password', { username, password, scope }),
      );
      if (!answer.accepted) return answer;
      const { tokens } = answer;
      return { accepted: true, claims: tokens.claims() ?? {}, refreshToken: tokens.refresh_token };
    },

    async refresh(refreshToken) {
      const answer = await ask((current) => client.refreshTokenGrant(current, refreshToken));
      if (!answer.accepted) return answer;
      const { tokens } = answer;
      const claims = tokens.claims();
      // OpenID Connect Core §12.2: the ID token may be missing.
      return { accepted: true, ...(claims && { claims }), refreshToken: tokens.refresh_token };
    },
  };
}

/** Returns a refusal if the provider has decided about the user. Anything else is a failure. */
function toRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof client.ResponseBodyError)) return undefined;
  const { status, error: code, error_description: description } = error;
  // 429 is about this service, not about the user.
  if (status >= 500 || status === 429 || notAboutTheUser.has(code)) return undefined;
  return refusedByProvider(description ?? code);
}

function describe(error: unknown): string {
  if (error instanceof client.ResponseBodyError) {
    return `${error.response.url} answered ${error.status} ${error.error}`;
  }
  if (error instanceof client.WWWAuthenticateChallengeError) {
    const [challenge] = error.cause;
    return `${error.response.url} answered ${error.status} ${challenge?.parameters.error ?? ''}`.trim();
  }
  return describeFailure(error);
}
