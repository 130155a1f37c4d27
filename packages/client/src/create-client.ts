import type { TokenRequest } from '@adx/contract';
import { Client } from './client.js';
import type { Fetch } from './core/call.js';
import { type CallerOptions, createCaller } from './core/create-caller.js';
import { createTransport } from './core/transport.js';

/** Encodes a password for `POST /token` (§4.1): Base64 of its UTF-8 bytes. */
export function encodePassword(password: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(password)));
}

/** Either a username and password, or the refresh token of an earlier sign-in. */
type Credentials =
  | { username: string; password: string; refreshToken?: undefined }
  | { refreshToken: string; username?: undefined; password?: undefined };

export type ClientOptions = Credentials &
  CallerOptions & {
    /** The address of the service, with `/v1` at the end. */
    baseUrl: string;
    /** Issued by the operator of the service. */
    apiKey: string;
    /**
     * Is called once when the operator has given the API key a new secret, with the instant until
     * which this one works. Its errors are ignored.
     */
    onApiKeyExpiry?: ((until: Date) => unknown) | undefined;
    /** Used instead of the global `fetch`. */
    fetch?: Fetch | undefined;
    /** Allows `http:` to other machines. Credentials then cross the network unencrypted. */
    allowHttp?: boolean | undefined;
  };

/**
 * Creates a client. It signs in with the first call.
 *
 * @example
 * ```ts
 * const client = createClient({
 *   baseUrl: 'https://adx.example.org/v1',
 *   apiKey: 'adx_live_…',
 *   username: 'els.maes@kantoor-maes.example',
 *   password: 'zeer-geheim-2026',
 * });
 * for await (const customer of client.customers.search()) {
 *   show(customer.name);
 * }
 * ```
 */
export function createClient(options: ClientOptions): Client {
  // In JavaScript, also the options may be missing.
  checkGiven('baseUrl', options?.baseUrl);
  const { apiKey } = options;
  checkGiven('apiKey', apiKey);
  // Checked here, because the error of `fetch` would quote a malformed key.
  if (!/^[!-~]+$/.test(apiKey)) throw new TypeError('apiKey must be visible ASCII');
  const fetchOnce = options.fetch ?? fetch;
  const baseUrl = baseUrlOf(options);
  const transport = createTransport(baseUrl, apiKey, fetchOnce, options.onApiKeyExpiry);
  const safe = (name: string, url: string) => safeUrl(name, url, options.allowHttp);
  return new Client(createCaller(transport, fetchOnce, signInOf(options), options, safe, baseUrl));
}

/**
 * Settings of programs come from the environment, and are empty or undefined where it lacks them.
 */
function checkGiven(option: string, value: string | undefined): void {
  if (!value) throw new TypeError(`${option} is ${value === '' ? 'empty' : 'missing'}`);
}

function baseUrlOf({ baseUrl, allowHttp, storageUrl }: ClientOptions): string {
  const href = safeUrl('baseUrl', baseUrl, allowHttp);
  // Otherwise the response to every call would be 404.
  if (!/^[^?#@]+\/v1\/?$/.test(href)) throw new TypeError('baseUrl must end in /v1');
  if (storageUrl) safeUrl('storageUrl', storageUrl, allowHttp);
  return href;
}

function safeUrl(option: string, url: string, allowHttp: boolean | undefined): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new TypeError(`${option} must be an address such as https://adx.example.org/v1`);
  }
  const { protocol, hostname, href } = parsed;
  const isSafe =
    protocol === 'https:' || /^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost)$/.test(hostname);
  if (!isSafe && !allowHttp) throw new TypeError(`${option} must be https, or set allowHttp`);
  return href;
}

function signInOf({ username, password, refreshToken }: ClientOptions): TokenRequest {
  if (username && password && !refreshToken) {
    return { username, password: encodePassword(password) };
  }
  if (refreshToken && !username && !password) return { refreshToken };
  for (const [option, value] of Object.entries({ username, password, refreshToken })) {
    if (value === '') checkGiven(option, value);
  }
  throw new TypeError('either username and password or refreshToken must be given');
}
