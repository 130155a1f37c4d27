import type { Knex } from 'knex';
import { countUnsealed, endOfSeal, readChain, readStart, readStrays } from './audit-store.js';
import { faultOfSeal, type SealFault } from './seal.js';

/** The result of a verification. */
export interface VerifiedTrail {
  readonly seals: number;
  readonly entries: number;
  /** The number of seals before the first one that is stored: retention removed them. */
  readonly removedSeals: number;
  /** The last hash of the chain; zeros if nothing is sealed. */
  readonly head: string;
  /** The number of entries that are too new to be sealed. */
  readonly unsealed: number;
  readonly faults: readonly SealFault[];
  /** True if the chain contains the expected hash; absent if no hash was given. */
  readonly containsHead?: boolean;
}

/**
 * Verifies the whole chain of the audit trail, from what retention left of it (D-58). After a
 * faulty seal it goes on with the next one, so all faults are found.
 *
 * @param expectedHead - a hash that was logged earlier: if the chain does not contain it, its end
 *   was cut off or the chain was written again
 */
export async function verifyTrail(knex: Knex, expectedHead?: string): Promise<VerifiedTrail> {
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
    removedSeals: start.number,
    head: before.hash,
    unsealed: await countUnsealed(knex),
    faults,
    ...(expectedHead !== undefined && { containsHead }),
  };
}
