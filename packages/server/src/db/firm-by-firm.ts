import { isNodeFailure } from './unavailable.js';

interface Done<Item, Result> {
  /** One result, or one for each firm. */
  readonly results: readonly Result[];
  readonly failed: readonly Item[];
  /** The reason why some failed. */
  readonly failure?: unknown;
}

/**
 * Does the work for items of several firms. If a node does not respond, each firm has its turn by
 * itself, so that those of the node keep no others waiting (D-72).
 *
 * @param firmOf - the firm, or what says as much
 * @throws what the work throws for any other reason
 */
export async function firmByFirm<Item, Result>(
  items: readonly Item[],
  firmOf: (item: Item) => string | undefined,
  work: (items: readonly Item[]) => Promise<Result>,
): Promise<Done<Item, Result>> {
  try {
    return { results: [await work(items)], failed: [] };
  } catch (error) {
    if (!isNodeFailure(error)) throw error;
  }
  const results: Result[] = [];
  const failed: Item[] = [];
  let failure: unknown;
  for (const firm of new Set(items.map(firmOf))) {
    const ofFirm = items.filter((item) => firmOf(item) === firm);
    try {
      results.push(await work(ofFirm));
    } catch (error) {
      if (!isNodeFailure(error)) throw error;
      failed.push(...ofFirm);
      failure = error;
    }
  }
  return { results, failed, failure };
}

/** Returns undefined if a node does not respond, for what may also be left out (D-72). */
export function unlessNodeIsAway<Result>(work: Promise<Result>): Promise<Result | undefined> {
  return work.catch((error: unknown) => {
    if (!isNodeFailure(error)) throw error;
    return undefined;
  });
}
