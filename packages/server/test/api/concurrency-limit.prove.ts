import { test } from 'vitest';
import { checkConcurrencyLimit } from './concurrency-limit-property.js';

test('D-39 a firm never has more running calls than it may, none is lost, and others start at once (20,000 runs)', () =>
  checkConcurrencyLimit(20_000));
