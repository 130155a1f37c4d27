import type { Credentials, UserStore } from '../users.js';
import type { Account, AccountStore } from './bound-accounts.js';
import {
  authenticationFailed,
  becauseDisabled,
  type IdentityProvider,
  otherAccount,
  providerUnavailable,
  type Refusal,
} from './identity-provider.js';

/** A provider outside of this service. It knows names, but neither firms nor access levels. */
export interface ExternalProvider {
  readonly name: string;
  readonly issuer: string;
  /** The claim of its ID tokens that is the username here. */
  readonly usernameClaim: string;
  signIn(username: string, password: string): Promise<ExternalIdentity | Refusal>;
  /** The answer has no claims if the provider gives no ID token when it refreshes. */
  refresh(refreshToken: string): Promise<ExternalRefresh | Refusal>;
}

type Claims = Readonly<Record<string, unknown>>;

export interface ExternalIdentity {
  readonly accepted: true;
  /** The claims of its ID token, which was verified. */
  readonly claims: Claims;
  readonly refreshToken?: string | undefined;
}

type ExternalRefresh = Omit<ExternalIdentity, 'claims'> & Partial<Pick<ExternalIdentity, 'claims'>>;

/**
 * Matches users by their usernames (D-56). A user is bound to the account that signs in first,
 * because its username may later be that of somebody else.
 */
export function matchUsers(
  provider: ExternalProvider,
  users: UserStore,
  accounts: AccountStore,
): IdentityProvider {
  const { name, issuer, usernameClaim } = provider;

  /** Returns the user with the username of an ID token, who may be bound to another account. */
  async function match(
    claims: Claims,
  ): Promise<{ accepted: true; user: Credentials | undefined; account: Account } | Refusal> {
    const username = requireText(claims, usernameClaim);
    const account = { issuer, subject: requireText(claims, 'sub') };
    // Anybody could enter the address of somebody else. Cognito writes some claims as text.
    const verified = claims[`${usernameClaim}_verified`];
    if (verified !== undefined && String(verified) !== 'true') {
      return authenticationFailed(`the provider has not verified the ${usernameClaim}`);
    }
    return { accepted: true, user: await users.findCredentials(username), account };
  }

  /** Binds a user, unless it has another account of this issuer. */
  async function requireOwn(
    user: Credentials,
    tokenVersion: number,
    account: Account,
  ): Promise<Refusal | undefined> {
    const { id } = user;
    if (isBound(user, account)) return undefined;
    const boundUserId =
      user.account?.issuer === issuer ? id : await accounts.bind({ id, tokenVersion }, account);
    if (boundUserId === undefined) return undefined;
    const who =
      boundUserId === id ? 'user is bound to another account' : 'account is bound to another user';
    return otherAccount(who, boundUserId);
  }

  return {
    name,

    async signIn(username, password) {
      const answer = await provider.signIn(username, password);
      if (!answer.accepted) return answer;
      const matched = await match(answer.claims);
      if (!matched.accepted) return matched;
      const { user, account } = matched;
      if (user === undefined) return authenticationFailed('user is not registered here');
      const { disabled } = user;
      if (disabled !== null) return becauseDisabled(authenticationFailed, { ...user, disabled });
      const refusal = await requireOwn(user, user.tokenVersion, account);
      if (refusal !== undefined) return refusal;
      return { accepted: true, user, refreshToken: answer.refreshToken };
    },

    async refresh({ id, tokenVersion }, refreshToken) {
      const answer = await provider.refresh(refreshToken);
      if (!answer.accepted) return answer;
      if (answer.claims !== undefined) {
        const matched = await match(answer.claims);
        if (!matched.accepted) return matched;
        const { user, account } = matched;
        if (user?.id !== id) return authenticationFailed('the provider has renamed the user');
        const refusal = await requireOwn(user, tokenVersion, account);
        if (refusal !== undefined) return refusal;
      }
      return { accepted: true, refreshToken: answer.refreshToken };
    },
  };
}

/** @throws ApiError `unavailable` if the ID token does not have the claim */
function requireText(claims: Claims, claim: string): string {
  const text = claims[claim];
  if (typeof text === 'string' && text !== '') return text;
  throw providerUnavailable(`its ID token has no text in the claim ${claim}`);
}

function isBound({ account }: Credentials, { issuer, subject }: Account): boolean {
  return account?.issuer === issuer && account.subject === subject;
}
