import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createObjectIds, newObjectId, parseObjectId } from '../../src/identifiers/object-id.js';

const zeros = (size: number) => Buffer.alloc(size);
const ones = (size: number) => Buffer.alloc(size, 0xff);

test('D-12 identifiers: seconds, five random bytes, a counter', () => {
  const next = createObjectIds({ now: () => 0x673f0c2a * 1000 + 999, random: zeros });
  expect(next()).toBe('673f0c2a0000000000000000');
  expect(next()).toBe('673f0c2a0000000000000001');
});

test('D-12 identifiers: the random bytes are drawn once, the start of the counter each second', () => {
  let now = 1_000_000;
  const drawn: number[] = [];
  const next = createObjectIds({
    now: () => now,
    random: (size) => {
      drawn.push(size);
      return randomBytes(size);
    },
  });
  next();
  next();
  now += 1000;
  next();
  expect(drawn).toEqual([5, 3, 3]);
});

test('D-12 identifiers: each is greater than the one before, also when the clock goes back', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 2 }), (times) => {
      let now = 0;
      const next = createObjectIds({ now: () => 1_700_000_000_000 + now, random: ones });
      const ids = times.map((time) => {
        now = time;
        return next();
      });
      expect(ids).toEqual([...new Set(ids)].sort());
    }),
  );
});

test('D-12 identifiers: a counter that overflows within a second advances the second', {
  tags: 'long',
}, () => {
  const next = createObjectIds({ now: () => 1_000_000, random: ones });
  let last = next();
  expect(last.endsWith('7fffff')).toBe(true);
  let ordered = true;
  for (let n = 0x800000; n <= 0x1000001; n += 1) {
    const id = next();
    ordered &&= id > last;
    last = id;
  }
  expect(ordered).toBe(true);
  expect(last).toBe('000003e9ffffffffff000001');
});

test('D-12 identifiers: those of the process are distinct, ordered and parse unchanged', () => {
  const ids = Array.from({ length: 5000 }, () => newObjectId());
  expect(ids).toEqual([...new Set(ids)].sort());
  expect(ids.map(parseObjectId)).toEqual(ids);
});

test.each([
  ['673F0C2A9B1D4E8F7A6C5B4D', '673f0c2a9b1d4e8f7a6c5b4d'],
  ['673f0c2a9b1d4e8f7a6c5b4', undefined],
  ['673f0c2a9b1d4e8f7a6c5b4d0', undefined],
  ['673f0c2a9b1d4e8f7a6c5b4g', undefined],
  ['673f0c2a9b1d4e8f7a6c5b4d\n', undefined],
])('D-12 identifiers: %j parses as %j', (text, id) => {
  expect(parseObjectId(text)).toBe(id);
});
