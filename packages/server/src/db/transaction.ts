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
 * Transactions do not deadlock, because each takes the locks it needs in this order:
 *
 * 1. the user
 * 2. customers by id; a new one by its enterprise number
 * 3. the customer's bank accounts by IBAN, then its payroll providers
 * 4. the customer's signature requests by id
 * 5. mandates by id, all in one statement
 * 6. the upload; held deliveries by content and link
 * 7. the arrivals of files by customer
 * 8. the clocks of firms by id
 *
 * A row of `object_removals` belongs to the process that stores the object, until its removal is due: a
 * process that records the object later than that loses. The history of a mandate and its jobs are written by transactions that hold the mandate.
 * Acknowledging a file takes locks that nothing else takes.
 *
 * Rows are locked `for no key update`, as an `update` locks them, or `for share` where they are only
 * read. Foreign keys lock the rows they refer to `for key share`, with which `for update` conflicts:
 * while PostgreSQL checks a foreign key, it follows the row through concurrent updates and waits for
 * the newest, and a `for update` that waits for the check in turn completes a deadlock.
 *
 * @throws whatever `work` throws, after everything it did was rolled back
 */
export function inTransaction<Result>(
  knex: Knex,
  work: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  return knex.isTransaction ? knex.transaction(work) : untilNotLost(() => knex.transaction(work));
}

/** Runs a transaction, again while it loses against others. */
export async function untilNotLost<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt === ATTEMPTS || !isLost(error)) throw error;
      // Different for each, so that those who met do not meet again.
      await pause(Math.random() * 20 * attempt);
    }
  }
}

function isLost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && lostStates.has(String(error.code));
}
