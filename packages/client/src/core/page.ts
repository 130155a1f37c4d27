/** One page of a paginated list. */
export interface PageRecords<T> {
  records: T[];
  /** Records visible to the user, before filters. */
  recordsTotal: number;
  /** Records that match the filters. */
  recordsFiltered: number;
}

/**
 * A paginated list: await it for one page, or iterate over every record of this page and all that
 * follow. Nothing is requested before that; then one request per page.
 *
 * @example
 * ```ts
 * const { records, recordsFiltered } = await client.customers.search({ limit: 20 });
 *
 * for await (const customer of client.customers.search({ search: 'maes' })) {
 *   show(customer.name);
 * }
 * ```
 */
export interface Page<T> extends PromiseLike<PageRecords<T>>, AsyncIterable<T> {}

/** Makes a page of `pageFrom`, which requests the page that starts at an offset. */
export function pageOf<T>(
  offset: number | undefined,
  pageFrom: (offset: number | undefined) => Promise<PageRecords<T>>,
): Page<T> {
  let first: Promise<PageRecords<T>> | undefined;
  const firstPage = () => {
    first ??= pageFrom(offset);
    return first;
  };
  return {
    // biome-ignore lint/suspicious/noThenProperty: a page can be awaited
    then: (onFulfilled, onRejected) => firstPage().then(onFulfilled, onRejected),
    async *[Symbol.asyncIterator]() {
      let next = offset ?? 0;
      for (let page = await firstPage(); page.records.length > 0; page = await pageFrom(next)) {
        yield* page.records;
        // `limit` is capped by the service (§4.22): what came counts, not what was asked for.
        next += page.records.length;
        if (next >= page.recordsFiltered) return;
      }
    },
  };
}
