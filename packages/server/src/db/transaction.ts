import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';

/** Attempts at a transaction that keeps losing against others. */
const ATTEMPTS = 5;

/** SQLSTATE of a transaction that PostgreSQL ended for the sake of another: deadlock, serialisation failure. */
const lostStates = new Set(['40P01', '40001']);

/**
 * Runs `work` in a transaction, and commits it.
 *
 * A transaction that loses against another one (40P01, 40001) is rolled back and run again, five
 * times at most, so `work` must have no effect but in the database. Within another transaction it is
 * a savepoint and is not run again: the locks that were lost are those of the outer transaction.
 *
 * @throws whatever `work` throws, after everything it did was rolled back
 */
export async function inTransaction<Result>(
  knex: Knex,
  work: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await knex.transaction(work);
    } catch (error) {
      if (knex.isTransaction || attempt === ATTEMPTS || !isLost(error)) throw error;
      // Different for each, so that those who met do not meet again.
      await pause(Math.random() * 20 * attempt);
    }
  }
}

function isLost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && lostStates.has(String(error.code));
}
