import { afterEach, describe, it } from 'vitest';
import { operationIds, operationsWithBody } from '../support/fuzz-target.js';
import { oneIn, rounds } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';
import {
  checkBoundaries,
  checkCalls,
  checkDates,
  checkRoundTrips,
  restoreCustomer,
} from './support/generated-checks.js';

const target = useFuzzTarget();
afterEach(() => restoreCustomer(target));

describe('D-03 generated calls', () => {
  it.each(oneIn(3, operationIds))(
    '%s gives documented answers, and refuses exactly the bodies that the spec refuses',
    async (id) => {
      // Fewer sign-ins, because each computes an expensive password hash.
      const proof = id === 'getToken' ? 1_000 : 5_000;
      await checkCalls(target, id, rounds({ short: 10, proof }));
    },
  );
});

it.each(oneIn(4, operationsWithBody))(
  'D-05 %s takes the values at boundaries that the spec allows, and refuses the others',
  (id) => checkBoundaries(target, id, rounds({ short: 8, proof: 1 })),
);

it.each(operationIds)('D-05 %s answers for every day and instant, however early or late', (id) =>
  checkDates(target, id),
);

describe('§4.5 generated customers', () => {
  it('are returned unchanged', () => checkRoundTrips(target, rounds({ short: 3, proof: 3_000 })));
});
