/** A `fetch` to use instead of the global one. */
export type Fetch = (request: Request) => Promise<Response>;
