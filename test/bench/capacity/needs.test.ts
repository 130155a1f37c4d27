import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Table, withTable } from '../table.js';
import { calculateLimits } from './needs.js';
import { type Resource, resources, sharedWorks, units } from './unit-table.js';

test('capacity: limits are the numbers of firms for which each part suffices, the lowest first', async () => {
  const ofStatement: Partial<Record<Resource, number>> = {
    ...{ 'worker CPU ms': 10, 'database CPU ms': 8, 'audit entries': 1 },
    ...{ 'WAL KiB': 100, 'database KiB': 2 },
  };
  const micros = { entry: 40, firm: 10, upload: 100, foundAgain: 100, removal: 4_000 };
  const document = documentWith({
    'unit-costs': {
      head: ['each', ...resources],
      rows: Object.values(units).map((unit) => [
        unit,
        ...resources.map((resource) =>
          unit === units.statement ? `${ofStatement[resource] ?? 0}` : '–',
        ),
      ]),
    },
    'one-worker': {
      head: ['each', 'µs'],
      rows: Object.entries(sharedWorks).map(([work, name]) => [
        name,
        `${micros[work as keyof typeof sharedWorks]}`,
      ]),
    },
  });
  // 1,000 firms have 97.2 statements a second at the peak, and 125 million in a year.
  expect((await calculateLimits(document)).rows).toEqual([
    // Three workers and two services have 92; a worker has time for 50 statements a second.
    ['100 connections', '1,500'],
    ['disk of the database, 16 TiB after ten years', '6,900'],
    ['WAL, 100 MiB/s', '11,000'],
    // Two objects of each statement, in half of the 31.5 million seconds of a year.
    ['one worker that removes old statements', '16,000'],
    ['database, 32 cores', '21,000'],
    // Their programs download two objects of each statement.
    ['storage, 5,000 requests/s', '26,000'],
    // Every two seconds; half of each second is available.
    ['one worker that looks for files to print', '100,000'],
    ['one worker that seals the audit trail', '130,000'],
    // 0.2 ms for each upload of 50 statements.
    ['one worker that scans the upload buckets', '1,300,000'],
  ]);
});

/** Writes a document with these tables, and returns its path. */
function documentWith(tables: Readonly<Record<string, Table>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'adx-capacity-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const text = Object.entries(tables)
    .map(([name, table]) =>
      withTable(`<!-- measured: ${name} -->\n<!-- end -->\n`, name, table, ''),
    )
    .join('');
  const document = join(folder, 'capacity.md');
  writeFileSync(document, text);
  return document;
}
