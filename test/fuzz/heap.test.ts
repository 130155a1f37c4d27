import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FuzzTarget, startFuzzTarget } from '../support/fuzz-target.js';
import { oneIn } from '../support/rounds.js';
import { distinctCalls } from './support/distinct-calls.js';
import { type HeapGrowth, measureHeapGrowth } from './support/heap-growth.js';

const calls = 140;
const warmUpCalls = 20;

let target: FuzzTarget;
let growth: HeapGrowth;
beforeAll(async () => {
  target = await startFuzzTarget({ authenticationCacheSeconds: 5 });
  growth = await measureHeapGrowth(target, Object.values(distinctCalls), warmUpCalls);
});
afterAll(() => target?.service.close());

describe('D-05 a caller cannot fill the memory', () => {
  // A compiled validator per call would take 10 to 25 KB each: 1.4 MB and more.
  it.each(oneIn(4, Object.entries(distinctCalls)))('with %s', async (_, call) => {
    expect(await growth.over(call, warmUpCalls, warmUpCalls + calls)).toBeLessThan(1024 * 1024);
  });
});
