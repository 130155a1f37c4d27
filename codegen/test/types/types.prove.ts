import { afterAll, expect, test } from 'vitest';
import { printResult } from '../../../test/proofs/print-result.js';
import { emptyProject } from '../support/temporary-repository.js';
import { checkTypes } from './types-property.js';

const { root } = emptyProject(afterAll);
const first = Date.now() % 1_000_000_000;

test('D-42 by 20,000 random schemas, a value compiles exactly if the server accepts it, as far as types can say', () => {
  const { disagreements, tally } = checkTypes(root, first, 20_000);
  printResult({ 'first seed': first, ...tally });
  expect(disagreements).toEqual([]);
});
