import type { ClientOptions } from '@adx/client';
import type { Context } from '../context.js';
import { WrongUse } from '../failure.js';

export type Fetch = NonNullable<ClientOptions['fetch']>;

/**
 * Where the proxies are; undefined if no variable says so. Lower case comes first, as in `curl`.
 */
export function proxiesOf(env: Context['env']) {
  const httpProxy = env['http_proxy'] || env['HTTP_PROXY'];
  const httpsProxy = env['https_proxy'] || env['HTTPS_PROXY'];
  if (!httpProxy && !httpsProxy) return undefined;
  return {
    ...(httpProxy && { httpProxy }),
    ...(httpsProxy && { httpsProxy }),
    noProxy: env['no_proxy'] || env['NO_PROXY'] || '',
  };
}

/** Returns `fetch`, which uses the proxies of the environment. The `fetch` of Node 20 does not. */
export async function openFetch(env: Context['env']): Promise<Fetch> {
  const proxies = proxiesOf(env);
  if (proxies === undefined) return fetch;
  // This is loaded here, because few environments have a proxy.
  const undici = await import('undici');
  const dispatcher = createAgent(() => new undici.EnvHttpProxyAgent(proxies));
  return (url, init) => undici.fetch(url, { ...init, dispatcher });
}

/** @throws WrongUse without the address of the proxy, which may contain a password */
function createAgent<Agent>(create: () => Agent): Agent {
  try {
    return create();
  } catch {
    throw new WrongUse(
      'HTTPS_PROXY or HTTP_PROXY is no address such as http://proxy.example.org:3128.',
    );
  }
}

/** A `fetch` that notes the time of the service. */
export type WatchedClock = ReturnType<typeof watchClock>;

/** Notes the `Date` of each answer, because the clock of this machine may be wrong. */
export function watchClock(fetch: Fetch) {
  let last: { readonly service: Date; readonly local: number } | undefined;
  const watched: Fetch = async (...call) => {
    const response = await fetch(...call);
    const service = new Date(response.headers.get('date') ?? '');
    if (!Number.isNaN(service.getTime())) last = { service, local: Date.now() };
    return response;
  };
  return {
    fetch: watched,
    /** Returns the time in the last answer, or undefined if there was none. */
    serviceTime: () => last?.service,
    /** Returns by how many ms the clock of this machine is ahead of the service. */
    aheadMs: () => last && last.local - last.service.getTime(),
  };
}
