import { test } from 'vitest';
import { checkConcurrencyLimit } from './concurrency-limit-property.js';

test('D-39 firms share the places equally, calls start as soon as there is room, and none is lost (20,000 runs)', () =>
  checkConcurrencyLimit(20_000));
