import type { OperationId } from '@adx/contract';
import { NetworkError, type NetworkFailure } from '../errors.js';

/** The codes of errors of Node and undici, by their beginning or a part. */
const codes: readonly (readonly [RegExp, NetworkFailure])[] = [
  [/^(ENOTFOUND|EAI_)/, 'dns'],
  [/^ECONNREFUSED/, 'refused'],
  [/TIMED?OUT/, 'timeout'],
  // The first bytes of an answer in http, read as those of TLS.
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/, 'http'],
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
  const reason = reasonOf(code === 'EPROTO' ? wordsOf(message) : code) ?? 'lost';
  // With a proxy, the name that has no address may be that of the proxy.
  const host = hostname ?? new URL(url).host;
  const why = reason === 'http' ? 'the port speaks http, not https' : (message || code)?.trim();
  // A port that speaks https closes the connection. One that has begun to answer does not.
  const isClosed = /^http:/.test(url) && /^(ECONNRESET|UND_ERR_SOCKET)$/.test(code ?? '');
  const question = isClosed && Object(cause).message !== 'terminated' ? '; is it https?' : '';
  const place = why ? `${host}: ${why}${question}` : host;
  return new NetworkError(operation, `${what} (${place})`, { host, reason }, { cause });
}

function reasonOf(code = ''): NetworkFailure | undefined {
  return codes.find(([form]) => form.test(code))?.[1];
}

/** The reason in a message of OpenSSL, as it is in a code: `wrong version number`. */
function wordsOf(message = ''): string {
  return `EPROTO ${message.toUpperCase().replaceAll(' ', '_')}`;
}

interface RootError {
  code?: string;
  message?: string;
  hostname?: string;
}

/**
 * The error behind an error. `fetch` fails with a `TypeError`, and with several addresses an
 * `AggregateError`, of which the first error with a known reason counts: a machine without IPv6 may
 * have another one before it.
 */
function rootOf(error: unknown): RootError {
  const { cause, errors } = Object(error);
  const all: RootError[] = [errors ?? cause ?? []].flat();
  const inner = all.find(({ code }) => reasonOf(code)) ?? all[0];
  return inner ? rootOf(inner) : Object(error);
}
