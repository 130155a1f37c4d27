import type { OperationId } from '@adx/contract';
import { NetworkError, type NetworkFailure } from '../errors.js';

/** The codes of errors of Node and undici, by their beginning or a part. */
const codes: readonly (readonly [RegExp, NetworkFailure])[] = [
  [/^(ENOTFOUND|EAI_)/, 'dns'],
  [/^ECONNREFUSED/, 'refused'],
  [/TIMEOUT|TIMEDOUT/, 'timeout'],
  [/CERT|SIGNATURE|SSL|TLS|EPROTO/, 'tls'],
];

/**
 * Returns the error for a request that got no complete response.
 *
 * @param what what happened, for the message
 * @param cause the error of `fetch`, if it failed
 */
export function networkErrorOf(
  operation: OperationId,
  url: string,
  what: string,
  cause?: unknown,
): NetworkError {
  const { code = '', message, hostname } = rootOf(cause);
  const reason = codes.find(([form]) => form.test(code))?.[1] ?? 'lost';
  // With a proxy, the name that has no address may be that of the proxy.
  const host = hostname ?? new URL(url).host;
  const why = message || code || 'the connection was lost';
  return new NetworkError(operation, `${what} (${host}: ${why})`, { host, reason }, { cause });
}

/** The error behind an error. `fetch` fails with a `TypeError`, and with several addresses an `AggregateError`. */
function rootOf(error: unknown): { code?: string; message?: string; hostname?: string } {
  const { cause, errors } = Object(error);
  const inner = errors?.[0] ?? cause;
  return inner ? rootOf(inner) : Object(error);
}
