import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distinctCalls } from './distinct-calls.js';
import { type FuzzTarget, startFuzzTarget } from './fuzz-target.js';
import { heapGrowth } from './heap-growth.js';

let target: FuzzTarget;
beforeAll(async () => {
  target = await startFuzzTarget({ authenticationCacheSeconds: 5 });
});
afterAll(() => target?.service.close());

const calls = 200;

describe('D-05 a caller cannot fill the memory', () => {
  // A compiled validator per call would be 10 to 25 KB each: 2 MB and more.
  it.each(Object.entries(distinctCalls))('with %s', async (_, call) => {
    expect(await heapGrowth(target, calls, call)).toBeLessThan(1024 * 1024);
  });
});
