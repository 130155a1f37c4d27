import type { Caller, CallOptions } from './call.js';
import { delayAfter } from './delay-after.js';
import type { Page } from './page.js';

/** Options for following changes. Those of a call apply to each poll. */
export interface Polling extends CallOptions {
  /** Follow changes from this instant on. As a string: ISO 8601 with an offset. */
  since: string | Date;
  /** The pause between two polls in milliseconds, 60,000 by default. */
  intervalMs?: number | undefined;
}

/** Options for following the changes of records, and the filters of their search. */
export type ChangesOptions<Body, Fixed extends keyof Body> = Polling &
  Omit<Body, Fixed | 'limit' | 'offset'>;

/** Searches for changed records, the oldest change first. */
type Search<T> = (body: object, options: CallOptions) => Page<T>;

/**
 * Yields each change once, in order, and polls for more without end.
 *
 * Each page starts at the instant of the last change that was yielded, not at an offset: a record
 * that changes meanwhile moves to the end of the list, and with offsets the next unread record
 * would be skipped. Offsets are used only if the changes of a single instant fill a page.
 *
 * @param field the field of the search for the earliest instant
 * @param changedOn the field of a record with the instant of its last change
 */
export async function* changesOf<Field extends string, T extends Record<Field | 'id', string>>(
  { wait, errors }: Pick<Caller, 'wait' | 'errors'>,
  options: Polling,
  field: string,
  changedOn: Field,
  search: Search<T>,
): AsyncGenerator<T, never> {
  if (!options?.since) throw new TypeError('changes takes an object with since, an instant');
  const { since, intervalMs = 60_000, signal, timeoutMs, maxRetries, ...filters } = options;
  if (!(intervalMs > 0)) throw new TypeError('intervalMs must be positive');
  let instant = typeof since === 'string' ? since : since.toISOString();
  /** The records of this instant that were yielded. */
  const given = new Set<string | undefined>();
  let offset = 0;
  for (;;) {
    const from = instant;
    let delay = intervalMs;
    const body = { ...filters, [field]: from, limit: 200, offset };
    const page = search(body, { signal, timeoutMs, maxRetries });
    let { records, recordsFiltered } = await page.then(undefined, (error: unknown) => {
      delay = Math.max(delay, delayAfter(errors, error));
      return { records: [], recordsFiltered: 0 };
    });
    // At an offset, a page overlaps the previous one by a record. If its first record is a new one,
    // another record has changed and left this instant, and records between the pages may be
    // missing.
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
