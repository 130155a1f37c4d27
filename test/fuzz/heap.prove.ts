import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distinctCalls } from './distinct-calls.js';
import { type FuzzTarget, startFuzzTarget } from './fuzz-target.js';
import { heapGrowth } from './heap-growth.js';

let target: FuzzTarget;
beforeAll(async () => {
  target = await startFuzzTarget({ authenticationCacheSeconds: 5 });
});
afterAll(() => target?.service.close());

describe('D-05 a caller cannot fill the memory, however long it goes on', () => {
  it.each(Object.entries(distinctCalls))('20,000 calls with %s', async (_, call) => {
    expect(await heapGrowth(target, 20_000, call)).toBeLessThan(16 * 1024 * 1024);
  });
});
