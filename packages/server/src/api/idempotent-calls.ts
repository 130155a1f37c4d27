import { hash } from 'node:crypto';
import type { OperationId } from '@adx/contract';
import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import { ApiError } from './api-error.js';

/** A request that may be repeated with the same key. Without a key, each stands for itself. */
interface RepeatableRequest {
  readonly path: object;
  readonly query?: object;
  readonly headers: { readonly 'Idempotency-Key'?: string };
  readonly body: unknown;
}

interface RepeatingCaller {
  readonly apiKey: { readonly id: string };
  readonly principal: { readonly userId: string; readonly firmId: string };
  /** Records a repeated call in the audit trail (D-58). The work of a first call records itself. */
  record(
    trx: Knex.Transaction,
    subject: { readonly customerId: string; readonly outcome: 'repeated' },
  ): Promise<void>;
}

interface RepeatableOperation<Answer> {
  readonly id: OperationId;
  /** Returns the customer that the entry of a repeated call names. */
  customerOf(answer: Answer): string;
}

/**
 * Runs a call, unless it succeeded before with its key: then returns what it returned, as JSON
 * would.
 *
 * @param work - runs the call in a transaction, or throws and has no effect
 * @throws ApiError `idempotencyKeyInUse`, `idempotencyKeyReused`, and what the work throws
 */
export type AnswerOnce = <Answer>(
  operation: RepeatableOperation<Answer>,
  request: RepeatableRequest,
  caller: RepeatingCaller,
  work: (run: Knex) => Promise<Answer>,
) => Promise<Answer>;

const isOld = `(created_on <= now() - interval '24 hours')`;

/** The seconds that a caller waits before it repeats a call whose first attempt is not finished. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Runs calls once for each key of an API key and a user (D-43).
 *
 * The answer is stored in the transaction of its effect, so there are always both or neither. The
 * transaction holds an advisory lock for the key. Others never wait for the lock, so they hold no
 * connection meanwhile and cannot deadlock; and it ends with the transaction, whatever happens to
 * the process.
 */
export function createAnswerOnce(knex: Knex): AnswerOnce {
  return (
    { id: operation, customerOf },
    { path, query, headers, body },
    { apiKey, principal, record },
    work,
  ) => {
    const key = headers['Idempotency-Key'];
    if (key === undefined) return work(knex);
    const { userId: user_id, firmId: firm_id } = principal;
    const id = { api_key_id: apiKey.id, user_id, key_hash: sha256(key), firm_id };
    const fingerprint = sha256(canonicalJson([operation, path, query, body]));

    return inTransaction(knex, async (trx) => {
      await lockKey(trx, sha256(JSON.stringify([apiKey.id, user_id, key])));
      // A statement of its own, because one that began before the lock would not see a new answer.
      const stored = await trx('idempotent_answers')
        .where(id)
        .whereRaw(`not ${isOld}`)
        .first<Stored | undefined>('fingerprint', 'answer');
      if (stored !== undefined) {
        if (!stored.fingerprint.equals(fingerprint)) throw new ApiError('idempotencyKeyReused');
        const repeated = JSON.parse(stored.answer);
        await record(trx, { customerId: customerOf(repeated), outcome: 'repeated' });
        return repeated;
      }
      const answer = await work(trx);
      await trx('idempotent_answers')
        .insert({ ...id, fingerprint, answer: JSON.stringify(answer), created_on: trx.fn.now() })
        // An answer that is too old may not have been deleted yet.
        .onConflict(Object.keys(id))
        .merge();
      return answer;
    });
  };
}

interface Stored {
  readonly fingerprint: Buffer;
  readonly answer: string;
}

/** @throws ApiError `idempotencyKeyInUse` if another transaction has the lock */
async function lockKey(trx: Knex.Transaction, digest: Buffer): Promise<void> {
  const { rows } = await trx.raw<{ rows: { isFree: boolean }[] }>(
    'select pg_try_advisory_xact_lock(?::bigint) as "isFree"',
    [digest.readBigInt64BE().toString()],
  );
  if (rows[0]?.isFree === true) return;
  throw new ApiError('idempotencyKeyInUse', {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Returns JSON in which the order of members does not matter, as in the requests. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

const BATCH = 10_000;
const answerKey = 'firm_id, api_key_id, user_id, key_hash';

/**
 * Deletes old answers, as a step of the clean-up. The outer condition spares one whose key is used
 * again meanwhile.
 */
export function deleteOldAnswers(knex: Knex) {
  return {
    name: 'deleting answers of repeatable calls',
    async run() {
      const { rowCount } = await knex.raw<{ rowCount: number }>(
        `delete from idempotent_answers
          where (${answerKey}) in (select ${answerKey} from idempotent_answers
                                    where ${isOld} limit ${BATCH})
            and ${isOld}`,
      );
      return rowCount === BATCH ? 'moreLeft' : 'done';
    },
  };
}
