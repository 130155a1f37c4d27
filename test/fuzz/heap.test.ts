import { beforeAll, describe, expect, it } from 'vitest';
import { oneIn, rounds } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';
import { distinctCalls } from './support/distinct-calls.js';
import { type HeapGrowth, measureHeapGrowth } from './support/heap-growth.js';

const calls = rounds({ short: 140, all: 140, proof: 20_000 });
const warmUpCalls = rounds({ short: 20, all: 20, proof: 2_000 });
const mebibytes = rounds({ short: 1, all: 1, proof: 16 });

const target = useFuzzTarget({ authenticationCacheSeconds: 5 });
let growth: HeapGrowth;
beforeAll(async () => {
  growth = await measureHeapGrowth(target, Object.values(distinctCalls), warmUpCalls);
});

describe('D-05 a caller cannot fill the memory', () => {
  // A compiled validator per call would take 10 to 25 KB each: 1.4 MB and more.
  it.each(oneIn(4, Object.entries(distinctCalls)))(
    `${calls.toLocaleString('en')} calls with %s`,
    async (_, call) => {
      const bytes = await growth.over(call, warmUpCalls, warmUpCalls + calls);
      expect(bytes).toBeLessThan(mebibytes * 2 ** 20);
    },
  );
});
