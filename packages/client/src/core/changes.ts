import type { Caller, CallOptions } from './call.js';
import type { Page } from './page.js';

/** How to follow changes. The options of a call are those of each poll. */
export interface Polling extends CallOptions {
  /** Changes at this instant and later; a text is ISO 8601 with an offset. */
  since: string | Date;
  /** Milliseconds from the end of a poll to the next one, 60,000 by default. */
  intervalMs?: number | undefined;
}

/** How to follow the changes of what a search finds, and the filters of that search. */
export type ChangesOptions<Body, Fixed extends keyof Body> = Polling &
  Omit<Body, Fixed | 'limit' | 'offset'>;

/** Requests what has changed since, the oldest change first. */
type Search<T> = (body: object, options: CallOptions) => Page<T>;

/**
 * Gives every change once, in order, and polls for more without end.
 *
 * A page starts at the instant of the last change given: what changes meanwhile moves to the end,
 * and by offset would take the place of what has not been read. Only within one instant, where it
 * fills a page, the next page starts at an offset.
 *
 * @param field the field of the search that takes the instant from which on
 * @param changedOn the field that holds the instant of a record's last change
 */
export async function* changesOf<Field extends string, T extends Record<Field | 'id', string>>(
  { wait, errors }: Pick<Caller, 'wait' | 'errors'>,
  { since, intervalMs = 60_000, signal, timeoutMs, ...filters }: Polling,
  field: string,
  changedOn: Field,
  search: Search<T>,
): AsyncGenerator<T, never> {
  if (!(intervalMs > 0)) throw new TypeError('intervalMs must be positive');
  let instant = typeof since === 'string' ? since : since.toISOString();
  /** The records of this instant that have been given. */
  const given = new Set<string | undefined>();
  let offset = 0;
  for (;;) {
    const from = instant;
    let delay = intervalMs;
    const body = { ...filters, [field]: from, limit: 200, offset };
    const page = search(body, { signal, timeoutMs });
    let { records, recordsFiltered } = await page.then(undefined, (error: unknown) => {
      delay = Math.max(delay, delayAfter(errors, error));
      return { records: [], recordsFiltered: 0 };
    });
    // At an offset, a page starts with the record that ended the one before. One that is new says
    // that another has changed and left the instant: some may be missing between the two pages.
    if (offset && !given.has(records[0]?.id)) records = [];
    for (const record of records) {
      if (record[changedOn] !== instant) given.clear();
      instant = record[changedOn];
      if (given.has(record.id)) continue;
      given.add(record.id);
      signal?.throwIfAborted();
      yield record;
    }
    const end = offset + records.length;
    const isLast = records.length < 2 || end >= recordsFiltered;
    offset = isLast || instant !== from ? 0 : end - 1;
    if (isLast) await wait(delay, signal);
  }
}

/** Milliseconds to wait at least after a failure; throws one that will not pass by itself. */
function delayAfter(errors: Caller['errors'], error: unknown): number {
  if (error instanceof errors.NetworkError) return 0;
  if (
    error instanceof errors.RateLimitError ||
    (error instanceof errors.ServerError && error.status !== 501)
  ) {
    return (error.retryAfter ?? 0) * 1000;
  }
  throw error;
}
