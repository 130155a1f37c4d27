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
  const { code, message, hostname } = rootOf(cause);
  const reason = reasonOf(code) ?? 'lost';
  // With a proxy, the name that has no address may be that of the proxy.
  const host = hostname ?? new URL(url).host;
  const why = (message || code)?.trim();
  const place = why ? `${host}: ${why}` : host;
  return new NetworkError(operation, `${what} (${place})`, { host, reason }, { cause });
}

function reasonOf(code = ''): NetworkFailure | undefined {
  return codes.find(([form]) => form.test(code))?.[1];
}

interface RootError {
  code?: string;
  message?: string;
  hostname?: string;
}

/**
 * The error behind an error. `fetch` fails with a `TypeError`, and with several addresses an `AggregateError`, of
 * which the first error with a known reason counts: a machine without IPv6 may have another one before it.
 */
function rootOf(error: unknown): RootError {
  const { cause, errors } = Object(error);
  const all: RootError[] = [errors ?? cause ?? []].flat();
  const inner = all.find(({ code }) => reasonOf(code)) ?? all[0];
  return inner ? rootOf(inner) : Object(error);
}
