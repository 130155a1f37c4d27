import type { NetworkCause } from '../core/network-cause.js';
import type { NetworkFailure } from '../errors.js';

/** The codes of errors of Node and undici, by their beginning or a part. */
const codes: readonly (readonly [RegExp, NetworkFailure])[] = [
  [/^(ENOTFOUND|EAI_)/, 'dns'],
  [/^ECONNREFUSED/, 'refused'],
  [/TIMED?OUT/, 'timeout'],
  // The first bytes of an answer in http, read as those of TLS.
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/, 'http'],
  [/CERT|SIGNATURE|SSL|TLS|EPROTO/, 'tls'],
];

/** Returns why a request got no complete response, by the error of `fetch`. */
export function causeOf(url: string, error: unknown): NetworkCause {
  const { message, hostname, ...root } = rootOf(error);
  // The code of a `DOMException` is a number.
  const code = String(root.code ?? '');
  const reason = reasonOf(code === 'EPROTO' ? wordsOf(message) : code);
  const why = reason === 'http' ? 'the port speaks http, not https' : (message || code).trim();
  // A port that speaks https closes the connection. One that has begun to answer does not.
  const isClosed = /^http:/.test(url) && /^(ECONNRESET|UND_ERR_SOCKET)$/.test(code);
  const question = isClosed && Object(error).message !== 'terminated' ? '; is it https?' : '';
  return { reason, host: hostname, why: why && `${why}${question}` };
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
