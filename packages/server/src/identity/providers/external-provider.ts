import type { Credentials, UserStore } from '../users.js';
import {
  authenticationFailed,
  type IdentityProvider,
  providerUnavailable,
  type Refusal,
} from './identity-provider.js';

/** A provider outside of this service. It knows names, but neither firms nor access levels. */
export interface ExternalProvider {
  readonly name: string;
  /** The claim of its ID tokens that is the username here. */
  readonly usernameClaim: string;
  signIn(username: string, password: string): Promise<ExternalIdentity | Refusal>;
  /** The answer has no claims if the provider gives no ID token when it refreshes. */
  refresh(refreshToken: string): Promise<ExternalRefresh | Refusal>;
}

type Claims = Readonly<Record<string, unknown>>;

/** The answer of a provider to a sign-in that it accepts. */
export interface ExternalIdentity {
  readonly accepted: true;
  /** Those of its ID token, which was verified. */
  readonly claims: Claims;
  readonly refreshToken?: string | undefined;
}

type ExternalRefresh = Omit<ExternalIdentity, 'claims'> & Partial<Pick<ExternalIdentity, 'claims'>>;

/** Matches the users of another provider, by their usernames, with those that are registered here (D-56). */
export function matchUsers(provider: ExternalProvider, users: UserStore): IdentityProvider {
  const { name, usernameClaim } = provider;

  /** Finds the user whom claims are about. */
  async function match(
    claims: Claims,
  ): Promise<{ accepted: true; user: Credentials | undefined } | Refusal> {
    const username = claims[usernameClaim];
    if (typeof username !== 'string' || username === '') {
      throw providerUnavailable(`its ID token has no text in the claim ${usernameClaim}`);
    }
    // Anybody could enter the address of somebody else. Cognito writes the claim of some users as text.
    const verified = claims[`${usernameClaim}_verified`];
    if (verified !== undefined && String(verified) !== 'true') {
      return authenticationFailed(`the provider has not verified the ${usernameClaim}`);
    }
    return { accepted: true, user: await users.findCredentials(username) };
  }

  return {
    name,

    async signIn(username, password) {
      const answer = await provider.signIn(username, password);
      if (!answer.accepted) return answer;
      const matched = await match(answer.claims);
      if (!matched.accepted) return matched;
      const { user } = matched;
      if (user === undefined) return authenticationFailed('user is not registered here');
      if (user.isDisabled) return authenticationFailed('disabled user or firm');
      return { accepted: true, user, refreshToken: answer.refreshToken };
    },

    async refresh({ id }, refreshToken) {
      const answer = await provider.refresh(refreshToken);
      if (!answer.accepted) return answer;
      if (answer.claims !== undefined) {
        const matched = await match(answer.claims);
        if (!matched.accepted) return matched;
        if (matched.user?.id !== id)
          return authenticationFailed('the provider has renamed the user');
      }
      return { accepted: true, refreshToken: answer.refreshToken };
    },
  };
}
