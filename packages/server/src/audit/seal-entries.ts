import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { inTransaction } from '../db/transaction.js';
import type { RepeatingWork } from '../jobs/repeating-tasks.js';
import { readHead, readUnsealed } from './audit-store.js';
import { hashOfSeal } from './seal.js';

/** The pause between two seals, in ms. Until it is sealed, a change of an entry is not found. */
const SEAL_MS = 5_000;

/** The largest number of entries under one seal. */
const BATCH = 1_000;

/** How often the head of the chain is logged, in ms. */
const LOG_MS = 60_000;

/**
 * Creates the repeating work that seals committed entries (D-58). Entries are stored without a place in
 * the chain, so that changes of different firms do not wait for each other. The head of the chain is
 * logged: with it `audit verify --head` finds that later entries were removed.
 */
export function sealingWork(knex: Knex, logger: Logger, now: () => Date): RepeatingWork {
  let loggedOn = 0;
  return {
    name: 'sealing the audit trail',
    pauseMs: SEAL_MS,
    async run() {
      const [unsealed] = await readUnsealed(knex, 1);
      const sealed = unsealed && (await sealEntries(knex, now()));
      if (sealed === undefined) return 'idle';
      if (now().getTime() - loggedOn >= LOG_MS) {
        loggedOn = now().getTime();
        logger.info({ seal: sealed.number, hash: sealed.hash }, 'the audit trail is sealed');
      }
      return sealed.entries === BATCH ? 'moreLeft' : 'done';
    },
  };
}

/** Seals the oldest entries without a seal. Returns the new head of the chain, or undefined if there are none. */
export function sealEntries(knex: Knex, now: Date) {
  return inTransaction(knex, async (trx) => {
    // Two workers that seal at once would give the same number.
    await trx.raw('lock table audit_seals in share row exclusive mode');
    const entries = await readUnsealed(trx, BATCH);
    if (entries.length === 0) return undefined;
    const before = await readHead(trx);
    const number = before.number + 1;
    const sealedOn = now.toISOString();
    const hash = hashOfSeal({ number, sealedOn, previous: before.hash }, entries);
    const ids = entries.map(({ id }) => id);
    await trx.raw('update audit_entries set seal = ? where id = any(?::bigint[])', [number, ids]);
    await trx('audit_seals').insert({
      number,
      sealed_on: sealedOn,
      entry_ids: ids,
      previous: before.hash,
      hash,
    });
    return { number, hash, entries: entries.length };
  });
}
