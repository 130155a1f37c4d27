import { it } from 'vitest';
import { useFuzzTarget } from '../support/use-service.js';
import { checkTargets } from './support/mutated-targets.js';

const target = useFuzzTarget();

it('D-04 20,000 mutated request targets reach no handler', () => checkTargets(target, 20_000));
