/** §8: a larger `limit` counts as this. */
const maximumLimit = 200;

/** The page that a list answers with. */
export interface Paging {
  readonly limit: number;
  readonly offset: number;
}

/** §4.22: the page a body asks for; `limit` over 200 is capped (D-06). */
export function readPaging(body: { readonly limit?: number; readonly offset?: number }): Paging {
  const { limit, offset } = body;
  if (limit === undefined || offset === undefined) {
    throw new Error('The validator did not fill in the defaults of limit and offset');
  }
  return { limit: Math.min(limit, maximumLimit), offset };
}
