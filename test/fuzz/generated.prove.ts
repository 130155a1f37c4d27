import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import {
  type FuzzTarget,
  operationIds,
  operationsWithBody,
  startFuzzTarget,
} from '../support/fuzz-target.js';
import {
  checkBoundaries,
  checkCalls,
  checkRoundTrips,
  restoreCustomer,
} from './support/generated-checks.js';

let target: FuzzTarget;
beforeAll(async () => {
  target = await startFuzzTarget();
});
afterEach(() => restoreCustomer(target));
afterAll(() => target?.service.close());

describe('D-03 many generated calls', () => {
  it.each(operationIds)(
    '%s gives documented answers, and refuses exactly the bodies that the spec refuses',
    (id) => checkCalls(target, id, id === 'getToken' ? 1_000 : 5_000),
    600_000,
  );
});

it.each(operationsWithBody)(
  'D-05 %s takes every value at a boundary that the spec allows, and refuses every other',
  (id) => checkBoundaries(target, id, 1),
  600_000,
);

describe('§4.5 many generated customers', () => {
  it('are returned unchanged', () => checkRoundTrips(target, 3_000), 600_000);
});
