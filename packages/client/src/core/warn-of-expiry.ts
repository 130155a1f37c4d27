import type { Fetch } from './call.js';

/**
 * Returns a `fetch` that warns, once for each instant, when the service says that the secret of the
 * API key ends, because the operator has issued a new one (D-35).
 */
export function warnOfExpiry(fetch: Fetch, warn?: (until: Date) => unknown): Fetch {
  let told: number | undefined;
  return async (url, init) => {
    const response = await fetch(url, init);
    const until = Date.parse(response.headers.get('x-api-key-expires') ?? '');
    if (until && until !== told) {
      told = until;
      // An error of the hook fails neither the call, which had an effect, nor the process.
      Promise.resolve(new Date(until))
        .then(warn)
        .catch(() => {});
    }
    return response;
  };
}
