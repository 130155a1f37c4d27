import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { capacityOf, measuredOn } from '../bench/costs/capacity.js';
import { withTable } from '../bench/table.js';
import { repository } from '../support/run-command.js';

const path = join(repository, 'docs/capacity.md');

test('docs: the table of needs on the page of capacity is calculated from what was measured', async () => {
  const page = await readFile(path, 'utf8');
  const caption = 'Calculated by `test/bench/costs/capacity.ts` from the tables below.';
  await expect(
    withTable(page, 'capacity', capacityOf(measuredOn(page)), caption),
  ).toMatchFileSnapshot(path);
});

test('docs: a cost that no table has is refused', () => {
  const empty = { head: [''], rows: [] };
  expect(() => capacityOf({ costs: empty, works: empty })).toThrow('There is no');
});
