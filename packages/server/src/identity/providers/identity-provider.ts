import { ApiError } from '../../api/api-error.js';
import type { TokenUser } from '../tokens.js';

/** Checks who signs in (D-56). Throws ApiError `unavailable` if it cannot tell at the moment. */
export interface IdentityProvider {
  /** The name in each refresh token, which works only with the provider that it was issued with. */
  readonly name: string;
  signIn(username: string, password: string): Promise<SignedIn | Refusal>;
  /** Asks whether the user may stay signed in. Undefined if our own refresh token says enough. */
  readonly refresh?: (user: TokenUser, refreshToken: string) => Promise<Refreshed | Refusal>;
}

interface SignedIn {
  readonly accepted: true;
  readonly user: TokenUser;
  /** The provider's own refresh token, if it has one. It never leaves the service. */
  readonly refreshToken?: string | undefined;
}

interface Refreshed {
  readonly accepted: true;
  /** A new refresh token of the provider, if the one that was sent must not be used again. */
  readonly refreshToken?: string | undefined;
}

export interface Refusal {
  readonly accepted: false;
  /** The `error` of the response (§7). */
  readonly reason: string;
  readonly message: string;
  /** The cause, which is only logged; callers never see it. */
  readonly cause: string;
  /** The user, only logged, whom the operator may release, so that the account gets in (D-56). */
  readonly boundUserId?: string;
  /** The user, only logged, who is disabled, or whose firm is (D-60). */
  readonly disabledUser?: Pick<TokenUser, 'id' | 'firmId'>;
}

/** Returns the same refusal for all causes, so that nobody learns which users exist (D-20). */
export function authenticationFailed(cause: string): Refusal {
  const message = 'The username or password is wrong, or the password is not encoded in Base64.';
  return { accepted: false, reason: 'Authentication failed', message, cause };
}

/** Names the user or firm that is disabled, in the log only. */
export function becauseDisabled(
  refuse: (cause: string) => Refusal,
  { id, firmId, disabled }: Pick<TokenUser, 'id' | 'firmId'> & { disabled: 'user' | 'firm' },
): Refusal {
  return { ...refuse(`${disabled} is disabled`), disabledUser: { id, firmId } };
}

/**
 * @param boundUserId - the user whose binding is in the way (D-56): the one who signs in, or
 *   another
 */
export function otherAccount(cause: string, boundUserId: string): Refusal {
  const message =
    'The user signed in with another account of the identity provider before. If the account is a new one of the same person, the operator can release the old one.';
  return { accepted: false, reason: 'Authentication failed', message, cause, boundUserId };
}

export function invalidRefreshToken(cause: string): Refusal {
  const message = 'The refresh token is not valid; sign in again.';
  return { accepted: false, reason: 'Invalid refresh token', message, cause };
}

/** The maximum difference between the clocks of a provider and of this process, in seconds. */
export const CLOCK_SKEW_SECONDS = 60;

const MAX_REASON_LENGTH = 200;

/** Returns the refusal of another provider, with its reason (§7). */
export function refusedByProvider(reason: string): Refusal {
  const printable = reason.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return {
    accepted: false,
    reason: printable.slice(0, MAX_REASON_LENGTH) || 'Authentication failed',
    message: 'The identity provider refused the sign-in; `error` has its reason.',
    cause: 'refused by the identity provider',
  };
}

/** Returns the error of a provider that is unreachable, or whose answer cannot be trusted. */
export function providerUnavailable(problem: string): ApiError {
  return new ApiError('unavailable', {
    headers: { 'Retry-After': '5' },
    cause: new Error(`The identity provider cannot be used: ${problem}`),
  });
}

/** Describes the innermost cause for the log. Other properties of these errors contain tokens. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Response) {
    return `${cause.url || 'it'} answered ${cause.status}: ${error.message}`;
  }
  return cause instanceof Error ? describeFailure(cause) : error.message;
}
