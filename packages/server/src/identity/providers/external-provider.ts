import type { UserStore } from '../users.js';
import { authenticationFailed, type IdentityProvider, type Refusal } from './identity-provider.js';

/** A provider outside of this service. It knows names, but neither firms nor access levels. */
export interface ExternalProvider {
  readonly name: string;
  signIn(username: string, password: string): Promise<ExternalIdentity | Refusal>;
  /** The answer has no username if the provider says nothing about it when it refreshes. */
  refresh(refreshToken: string): Promise<ExternalRefresh | Refusal>;
}

/** The answer of a provider to a sign-in that it accepts. Its signature was verified. */
export interface ExternalIdentity {
  readonly accepted: true;
  readonly username: string;
  readonly refreshToken?: string | undefined;
}

type ExternalRefresh = Omit<ExternalIdentity, 'username'> &
  Partial<Pick<ExternalIdentity, 'username'>>;

/** Matches the users of another provider, by their usernames, with those that are registered here (D-56). */
export function matchUsers(provider: ExternalProvider, users: UserStore): IdentityProvider {
  return {
    name: provider.name,

    async signIn(username, password) {
      const answer = await provider.signIn(username, password);
      if (!answer.accepted) return answer;
      const user = await users.findCredentials(answer.username);
      if (user === undefined) return authenticationFailed('user is not registered here');
      if (user.isDisabled) return authenticationFailed('disabled user or firm');
      return { accepted: true, user, refreshToken: answer.refreshToken };
    },

    async refresh({ id }, refreshToken) {
      const answer = await provider.refresh(refreshToken);
      if (!answer.accepted) return answer;
      if (answer.username !== undefined) {
        const user = await users.findCredentials(answer.username);
        if (user?.id !== id) return authenticationFailed('the provider has renamed the user');
      }
      return { accepted: true, refreshToken: answer.refreshToken };
    },
  };
}
