/** One page of a paginated list. */
export interface PageRecords<T> {
  records: T[];
  /** The number of records that the user may see, without filters. */
  recordsTotal: number;
  /** The number of records that match the filters. */
  recordsFiltered: number;
}

/**
 * A paginated list: await it for one page, or iterate over all records of this page and the
 * following ones. Each page is one request, sent when it is needed.
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

/** Creates a page. `pageFrom` requests the page that starts at an offset. */
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
        // The service caps `limit` (§4.22), so a page may have fewer records than requested.
        next += page.records.length;
        if (next >= page.recordsFiltered) return;
      }
    },
  };
}
