import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../../../../test/support/rounds.js';
import { writeCoda } from '../../../src/index.js';
import { codesOf, fileOf, linesOf, readAll } from '../coda-file.js';
import { sample, transfer } from '../sample-statement.js';
import { checkMutations } from './check-mutations.js';
import { chanceOf, mutatedFile } from './mutated-file.js';

test('CODA records 0 to 9: reading 800 randomly changed files never throws', () =>
  checkMutations(0, 800));

test('CODA: reading any bytes never throws', () =>
  fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (bytes) => {
      const results = await readAll(bytes);
      expect(results.every(({ statement }) => statement === undefined)).toBe(true);
      expect(codesOf(results).length).toBeGreaterThan(0);
    }),
    { numRuns: rounds({ short: 20, all: 100 }) },
  ));

/** Cuts bytes into chunks of these lengths, cyclically. */
function* pieces(bytes: Uint8Array, lengths: readonly number[]): Generator<Uint8Array> {
  let from = 0;
  for (let turn = 0; from < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    yield bytes.slice(from, from + length);
    from += length;
  }
}

test('CODA: the results do not depend on the sizes of the chunks', () =>
  fc.assert(
    fc.asyncProperty(
      fc.nat(100_000),
      fc.array(fc.nat(400), { minLength: 1 }),
      async (seed, lengths) => {
        const file = mutatedFile(chanceOf(seed));
        const whole = await readAll(file, { maxStatementBytes: 4000 });
        const cut = pieces(file, [...lengths, 1]);
        // `toEqual` compares bytes one by one, which would take most of the time of this test.
        const results = await readAll(cut, { maxStatementBytes: 4000 });
        expect(isDeepStrictEqual(results, whole)).toBe(true);
      },
    ),
    { numRuns: rounds({ short: 20, all: 80 }) },
  ));

test('CODA: a file gives the same results byte by byte and in two parts', async () => {
  const file = writeCoda([sample, sample]);
  const whole = await readAll(file);
  expect(await readAll(pieces(file, [1]))).toEqual(whole);
  const counts = new Set<number>();
  for (let cut = 0; cut <= file.length; cut += 1) {
    const halves = [file.subarray(0, cut), file.subarray(cut)];
    counts.add((await readAll(halves)).length);
  }
  expect([...counts]).toEqual([2]);
});

test('CODA: a file of megabytes gives the same results in chunks of all sizes', async () => {
  const drafts = Array.from({ length: 1000 }, (_, index) => {
    const movements = Array.from({ length: index === 500 ? 2000 : index % 3 }, () => transfer);
    return { ...sample, movements };
  });
  const file = Buffer.from(writeCoda(drafts));
  expect(file.length).toBeGreaterThan(1_500_000);
  for (const lengths of [[file.length], [65_536], [1, 100_000], [999]]) {
    const results = await readAll(pieces(file, lengths));
    expect(Buffer.compare(Buffer.concat(results.map(({ bytes }) => bytes)), file)).toBe(0);
    const found = results.map(({ statement }) => statement?.movements.length);
    expect(found).toEqual(drafts.map(({ movements }) => movements.length));
    const others = results.filter(
      ({ range, bytes }) => Buffer.compare(file.subarray(range.start, range.end), bytes) !== 0,
    );
    expect(others).toEqual([]);
  }
});

/** Yields this many chunks of the same bytes. */
function* repeated(piece: Uint8Array, times: number): Generator<Uint8Array> {
  for (let turn = 0; turn < times; turn += 1) yield piece;
}

const piece = 100_000;

// Only the second case is more than the largest statement, which has 32 MiB.
test.each<readonly [megabytes: number, title: string, filler: string, first: string]>([
  [10, 'without any line end', 'x', 'headerMissing'],
  [40, 'that starts a statement and never ends the line', '0', 'statementTooLarge'],
  [10, 'of line feeds only', '\n', 'emptyFile'],
  [10, 'of zeros', '\0', 'headerMissing'],
  [10, 'of headers and trailers of one character', '0\n9\n', 'headerMissing'],
])('CODA: %d MB %s give one finding', async (megabytes, _, filler, first) => {
  const results = await readAll(repeated(Buffer.alloc(piece, filler), megabytes * 10));
  expect(codesOf(results)).toEqual([first]);
});

test('CODA: an endless line or statement takes no more memory', async () => {
  const before = process.memoryUsage().arrayBuffers;
  let highest = 0;
  function* watched(bytes: Uint8Array) {
    for (const one of repeated(bytes, 400)) {
      highest = Math.max(highest, process.memoryUsage().arrayBuffers);
      yield one;
    }
  }
  for (const line of [Buffer.alloc(piece, '0'), fileOf(Array(700).fill('0'.padEnd(128)))]) {
    const results = await readAll(watched(line), { maxStatementBytes: 2 ** 20 });
    expect(codesOf(results)).toEqual(['statementTooLarge']);
  }
  expect(highest - before).toBeLessThan(16 * 2 ** 20);
});

test('CODA: a statement that is too large is skipped, and the next one is read', async () => {
  const [header = '', ...rest] = linesOf(sample);
  const filler = Buffer.alloc(50_000, 'x');
  const source = [fileOf([header]), filler, filler, fileOf(['', ...rest]), writeCoda([sample])];
  const results = await readAll(source, { maxStatementBytes: 60_000 });
  expect(codesOf(results)).toEqual(['statementTooLarge']);
  expect(results.map(({ bytes }) => bytes.length > 0)).toEqual([false, true]);
  const size = source.reduce((sum, { length }) => sum + length, 0);
  expect(results[1]?.range.end).toBe(size);
  expect(results[1]?.statement?.statementNumber).toBe(14);
});
