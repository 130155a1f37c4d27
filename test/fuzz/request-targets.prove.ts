import { afterAll, beforeAll, it } from 'vitest';
import { type FuzzTarget, startFuzzTarget } from '../support/fuzz-target.js';
import { checkTargets } from './support/mutated-targets.js';

let target: FuzzTarget;
beforeAll(async () => {
  target = await startFuzzTarget();
});
afterAll(() => target?.service.close());

it('D-04 20,000 mutated request targets reach no handler', () => checkTargets(target, 20_000));
