import type { NetworkFailure } from '../errors.js';

/** The reason why a request got no complete response. */
export interface NetworkCause {
  readonly reason?: NetworkFailure | undefined;
  /** The host that has no address, which may be that of a proxy. */
  readonly host?: string | undefined;
  /** The reason in words. */
  readonly why?: string | undefined;
}

/** A web page is not told more. `src/node/network-cause.ts` takes the place of this in Node. */
export function causeOf(_url: string, error: unknown): NetworkCause {
  return { why: Object(error).message };
}
