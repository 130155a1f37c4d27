import type { Fetch } from './open-fetch.js';

/** A `fetch` that notes the time of the service. */
export interface WatchedClock {
  readonly fetch: Fetch;
  /** Returns the time in the last answer, or undefined if there was none. */
  serviceTime(): Date | undefined;
  /** Returns by how many ms the clock of this machine is ahead of the service. */
  aheadMs(): number | undefined;
}

/** Notes the `Date` of each answer, because the clock of this machine may be wrong. */
export function watchClock(fetch: Fetch): WatchedClock {
  let last: { readonly service: Date; readonly local: number } | undefined;
  return {
    async fetch(...call) {
      const response = await fetch(...call);
      const service = new Date(response.headers.get('date') ?? '');
      if (!Number.isNaN(service.getTime())) last = { service, local: Date.now() };
      return response;
    },
    serviceTime: () => last?.service,
    aheadMs: () => last && last.local - last.service.getTime(),
  };
}
