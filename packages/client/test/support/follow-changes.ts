import { afterEach, beforeEach, vi } from 'vitest';
import type { ClientOptions } from '../../src/index.js';
import { clientOf } from './client-of.js';
import { instant, type ListedMandate, MandateList } from './mandate-list.js';
import { TestService } from './test-service.js';

export const search = 'POST /mandates';

type ChangesOptions = Parameters<ReturnType<typeof clientOf>['mandates']['changes']>[0];

/** Makes a service with mandates for each test of the calling file. */
export function followChanges() {
  const service = TestService.forEachTest();
  const mandates = new MandateList();
  beforeEach(() => {
    mandates.clear();
    service.on(search, (request) => mandates.search(request));
  });
  afterEach(() => vi.restoreAllMocks());
  return {
    service,
    mandates,
    /** Follows the changes of all mandates, past changes included. */
    follow: (options: Partial<ChangesOptions> = {}, client: Partial<ClientOptions> = {}) =>
      clientOf(service, client).mandates.changes({ since: instant(0), ...options }),
    /** Returns the bodies of the searches that the service has received. */
    bodies: () => service.received.filter(({ route }) => route === search).map(({ body }) => body),
  };
}

/** Reads the first records of an iteration, and then leaves it. */
export async function take(
  count: number,
  changes: AsyncIterable<ListedMandate>,
): Promise<ListedMandate[]> {
  const taken: ListedMandate[] = [];
  for await (const { id, updatedOn } of changes) {
    taken.push({ id, updatedOn });
    if (taken.length === count) break;
  }
  return taken;
}
