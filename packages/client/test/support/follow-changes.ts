import type { ClientOptions } from '../../src/index.js';
import { clientOf } from './client-of.js';
import { instant, type ListedMandate } from './mandate-list.js';
import type { TestService } from './test-service.js';

export const search = 'POST /mandates';

export type ChangesOptions = Parameters<ReturnType<typeof clientOf>['mandates']['changes']>[0];

/** Follows the changes of all mandates, past changes included. */
export function followChanges(
  service: TestService,
  options: Partial<ChangesOptions> = {},
  client: Partial<ClientOptions> = {},
) {
  return clientOf(service, client).mandates.changes({ since: instant(0), ...options });
}

/** Returns the bodies of the searches that the service has received. */
export function searches(service: TestService): unknown[] {
  return service.received.filter(({ route }) => route === search).map(({ body }) => body);
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
