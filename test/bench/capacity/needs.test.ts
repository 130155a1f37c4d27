import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Table, withTable } from '../table.js';
import { calculateLimits } from './needs.js';
import { resources, sharedWorks, units } from './unit-table.js';

test('capacity: limits are the numbers of firms for which each part suffices, the lowest first', async () => {
  const document = documentWith({
    // Nothing but WAL: 100 KiB for each statement.
    'unit-costs': {
      head: ['each', ...resources],
      rows: Object.values(units).map((unit) => [
        unit,
        ...resources.map((resource) =>
          unit === units.statement && resource === 'WAL KiB' ? '100' : '–',
        ),
      ]),
    },
    // 4 ms for each object that is removed, 100 µs for each upload that is found or found again.
    'one-worker': {
      head: ['each', 'µs'],
      rows: Object.entries({
        ...{ entry: '0', firm: '0', upload: '100', foundAgain: '100', removal: '4000' },
      }).map(([work, micros]) => [sharedWorks[work as keyof typeof sharedWorks], micros]),
    },
  });
  const { rows } = await calculateLimits(document);
  expect(rows.slice(0, 4)).toEqual([
    // 97.2 statements a second with 1,000 firms at the peak.
    ['WAL, 100 MiB/s', '11,000'],
    // 1,000 firms remove 250 million objects in a year, in half of its 31.5 million seconds.
    ['one worker that removes old statements', '16,000'],
    // Their programs download two objects of each statement.
    ['storage, 5,000 requests/s', '26,000'],
    // The worker is busy for 0.2 ms with each upload of 50 statements, and half of a second in all.
    ['one worker that scans the upload buckets', '1,300,000'],
  ]);
  const noLimit = rows.find(([name]) => name === 'one worker that looks for files to print');
  expect(noLimit).toEqual(['one worker that looks for files to print', '10,000,000']);
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
