import { test } from 'vitest';
import { checkConcurrencyLimit } from './concurrency-limit-property.js';

test('D-39 firms share the places equally, no place is left empty, and no call is lost (20,000 runs)', () =>
  checkConcurrencyLimit(20_000));
