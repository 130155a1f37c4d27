import type { Knex } from 'knex';
import { countUnsealed, endOfSeal, readChain, readStart, readStrays } from './audit-store.js';
import { faultOfSeal, type SealFault } from './seal.js';

export type VerifiedTrail = Awaited<ReturnType<typeof verifyTrail>>;

/**
 * Verifies the chain from what retention left of it (D-58), also after a faulty seal.
 *
 * @param expectedHead - a hash that was logged earlier: if the chain does not contain it, its end
 *   was cut off or the chain was written again
 */
export async function verifyTrail(knex: Knex, expectedHead?: string) {
  const start = await readStart(knex);
  let before = start;
  let containsHead = before.hash === expectedHead;
  let [seals, entryCount, end] = [0, 0, Number.MIN_SAFE_INTEGER];
  const faults: SealFault[] = [];
  for await (const { seal, entries } of readChain(knex)) {
    const fault = faultOfSeal(seal, entries, before);
    if (fault !== undefined) faults.push({ seal: seal.number, fault });
    if (seal.hash === expectedHead) containsHead = true;
    before = seal;
    seals += 1;
    entryCount += entries.length;
    end = Math.max(end, endOfSeal(seal));
  }
  const [stray] = await readStrays(knex, end, Number.MAX_SAFE_INTEGER);
  if (stray !== undefined) {
    faults.push({ seal: before.number + 1, fault: 'it has entries, but it does not exist' });
  }
  return {
    seals,
    entries: entryCount,
    /** The number of seals before the first one that is stored, which retention removed. */
    removedSeals: start.number,
    /** The last hash of the chain; zeros if nothing is sealed. */
    head: before.hash,
    /** The number of entries that are too new to be sealed. */
    unsealed: await countUnsealed(knex),
    faults,
    ...(expectedHead !== undefined && { containsHead }),
  };
}
