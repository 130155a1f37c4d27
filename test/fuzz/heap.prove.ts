import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FuzzTarget, startFuzzTarget } from '../support/fuzz-target.js';
import { distinctCalls } from './support/distinct-calls.js';
import { type HeapGrowth, measureHeapGrowth } from './support/heap-growth.js';

const calls = 20_000;
const warmUpCalls = 2_000;

let target: FuzzTarget;
let growth: HeapGrowth;
beforeAll(async () => {
  target = await startFuzzTarget({ authenticationCacheSeconds: 5 });
  growth = await measureHeapGrowth(target, Object.values(distinctCalls), warmUpCalls);
});
afterAll(() => target?.service.close());

describe('D-05 a caller cannot fill the memory, even with many calls', () => {
  it.each(Object.entries(distinctCalls))('20,000 calls with %s', async (_, call) => {
    const bytes = await growth.over(call, warmUpCalls, warmUpCalls + calls);
    expect(bytes).toBeLessThan(16 * 1024 * 1024);
  });
});
