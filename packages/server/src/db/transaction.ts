import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';

const ATTEMPTS = 5;

/** SQLSTATEs of a transaction that can be retried: deadlock, serialization failure. */
const retryableStates = new Set(['40P01', '40001']);

/**
 * Runs `work` in a transaction and commits it.
 *
 * After a deadlock or serialization failure it is tried again, five times in all, so `work` must
 * have no effects outside the database. Within another transaction, it runs in a savepoint without
 * retries: only the outer transaction can release its locks.
 *
 * Transactions take their locks in this order, so that they do not deadlock:
 *
 * 1. the user
 * 2. customers by firm and id; a new one by its enterprise number
 * 3. the customer's bank accounts by IBAN, then its payroll providers
 * 4. the customer's signature requests by id
 * 5. the firm, then the e-mail address (advisory locks), to count a mail in their budgets
 * 6. mandates by firm and id, those of a firm in one statement
 * 7. the upload; `link_holders` of deliveries by the hash (those of firms come with 2 and 3); held
 *    deliveries by firm, content and link
 * 8. the rows of `file_arrivals` by customer; two transactions that take several file names of a
 *    firm in opposite order deadlock once
 * 9. the rows of `mandate_clocks` by firm
 *
 * There is one exception: a new account or customer that replaces an unsigned one of another firm
 * (D-66) locks that firm's customer, mandates and clock at once. This is rare. The advisory lock of
 * an `Idempotency-Key` comes before all of these (D-43), and nothing waits for it.
 *
 * A row of `object_removals` belongs to the process that stores the object until its removal is
 * due; a process that records the object after that fails. Only transactions that hold the lock of
 * a mandate write its history and its jobs. An acknowledgement takes the watermarks of its
 * customers in order; erasing files takes them in none, so the two may deadlock once.
 *
 * Rows are locked `for no key update`, as by an `update`, or `for share` if they are only read.
 * `for update` conflicts with the `for key share` locks of foreign keys, whose checks wait for the
 * newest version of a row: both would deadlock. Erasing uses it nevertheless for rows that it
 * deletes, so that nothing refers to them any more (D-63).
 *
 * @throws the error of `work`, after the rollback
 */
export function inTransaction<Result>(
  knex: Knex,
  work: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  return knex.isTransaction ? knex.transaction(work) : withRetries(() => knex.transaction(work));
}

/** Runs work with effects outside the database in a transaction, without retries. */
export function inTransactionOnce<Result>(
  knex: Knex,
  work: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  return knex.transaction(work);
}

/** Runs reads that all see the database as it was at the first of them. */
export function inSnapshot<Result>(
  knex: Knex,
  work: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  return knex.transaction(work, { isolationLevel: 'repeatable read', readOnly: true });
}

export async function withRetries<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
      // A random delay, so that the same transactions do not collide again.
      await pause(Math.random() * 20 * attempt);
    }
  }
}

function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && retryableStates.has(String(error.code));
}
