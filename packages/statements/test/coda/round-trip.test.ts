import { expect, test } from 'vitest';
import { rounds } from '../../../../test/support/rounds.js';
import type { Layouts } from '../../src/coda/format/communication-layout.js';
import { informationLayouts } from '../../src/coda/format/information-layouts.js';
import { movementLayouts } from '../../src/coda/format/movement-layouts.js';
import { type MovementDraft, writeCoda } from '../../src/index.js';
import { codesOf, readAll } from './coda-file.js';
import { checkRoundTrips } from './round-trip-property.js';
import { sample, transfer } from './sample-statement.js';

test.each([
  ['utf-8', 30],
  ['windows-1252', 10],
  ['iso-8859-15', 10],
  ['cp850', 10],
] as const)('CODA records 0 to 9 in %s: written statements are read back', (encoding, runs) =>
  checkRoundTrips(encoding, rounds({ short: runs / 5, all: runs })),
);

test('CODA record 2.1: after sequence number 9999 comes 0000, then 0001', async () => {
  const movements = Array.from({ length: 10_002 }, () => transfer);
  const [result] = await readAll(writeCoda([{ ...sample, movements }]));
  expect(result?.findings).toEqual([]);
  const sequences = result?.statement?.movements.map(({ sequence }) => sequence);
  expect(sequences?.slice(9997)).toEqual([9998, 9999, 0, 1, 2]);
});

test('CODA record 2.1: the year of the file decides centuries if a movement has no dates', async () => {
  const movement: MovementDraft = {
    ...transfer,
    valueDate: undefined,
    entryDate: undefined,
    communication: {
      ...{ kind: 'structured', type: '107', number: '', date: '1998-06-15', text: '' },
      ...{ refusal: '', creditor: '' },
    },
  };
  const [result] = await readAll(writeCoda([{ ...sample, movements: [movement] }]));
  expect(result?.statement?.movements).toMatchObject([{ communication: { date: '1998-06-15' } }]);
});

test('CODA records 2 and 3: the layouts of communications fit into their records', async () => {
  const known: readonly (readonly [Layouts, number])[] = [
    [movementLayouts, 146],
    [informationLayouts, 265],
  ];
  for (const [layouts, content] of known) {
    for (const [type, fields] of Object.entries(layouts)) {
      const length = fields.reduce((sum, [, , one]) => sum + one, 0);
      expect(length, type).toBeLessThanOrEqual(content);
    }
  }
  expect(codesOf(await readAll(writeCoda([sample])))).toEqual([]);
});
