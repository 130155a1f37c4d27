import type { TokenRequest, Tokens } from '@adx/contract';
import { AuthenticationError } from '../errors.js';
import { lifetimeOf } from './id-token.js';

type RequestTokens = (body: TokenRequest) => Promise<Tokens>;

/** Keeps the ID token of one user, and obtains it once for all calls that need it at a time. */
export class Session {
  readonly #signIn: TokenRequest;
  readonly #request: RequestTokens;
  readonly #onRefreshToken: ((refreshToken: string) => unknown) | undefined;
  #refresh: TokenRequest | undefined;
  #idToken: string | undefined;
  #renewAt = 0;
  #renewal: Promise<string> | undefined;
  /** Why an ID token was not replaced, for calls under way that learn later that it is refused. */
  #failure: { idToken: string | undefined; error: unknown } | undefined;

  constructor(
    signIn: TokenRequest,
    request: RequestTokens,
    onRefreshToken?: (refreshToken: string) => unknown,
  ) {
    this.#signIn = signIn;
    this.#request = request;
    this.#onRefreshToken = onRefreshToken;
  }

  /** An ID token to call with. `refused` is the one that the service has just refused, if any. */
  async idToken(refused?: string): Promise<string> {
    if (refused && refused === this.#failure?.idToken) throw this.#failure.error;
    if (refused === this.#idToken) this.#renewAt = 0;
    if (this.#idToken && Date.now() < this.#renewAt) return this.#idToken;
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(): Promise<string> {
    const { idToken, refreshToken } = await this.#tokens().catch((error: unknown) => {
      this.#failure = { idToken: this.#idToken, error };
      throw error;
    });
    this.#failure = undefined;
    this.#idToken = idToken;
    // Early, so that no call sets off with a token about to expire.
    this.#renewAt = Date.now() + lifetimeOf(idToken) * 0.95;
    if (refreshToken) {
      this.#refresh = { refreshToken };
      await this.#onRefreshToken?.(refreshToken);
    }
    return idToken;
  }

  async #tokens(): Promise<Tokens> {
    if (this.#refresh) {
      try {
        return await this.#request(this.#refresh);
      } catch (error) {
        // §5 rule 2: when the refresh token has expired, the login is repeated.
        if (!(error instanceof AuthenticationError)) throw error;
        this.#refresh = undefined;
      }
    }
    return this.#request(this.#signIn);
  }
}
