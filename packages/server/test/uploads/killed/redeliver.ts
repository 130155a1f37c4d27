import { expect } from 'vitest';
import { rehashingWork } from '../../../src/uploads/rehash-files.js';
import { newIban } from '../../support/belgian-iban.js';
import { codaFile } from '../sample-files.js';
import { readById, type Uploads } from '../set-up-uploads.js';
import { failAt } from './fail-at-call.js';

/**
 * Uploads statements again that a former version listed, with the duplicate flag, while storage and
 * database fail at their n-th call, for n from 1 until it is never reached. Asserts that each statement
 * stays listed once.
 *
 * @param work - without uploads that wait
 * @param statements - the number of statements of each upload
 * @returns the number of calls
 */
export async function redeliverAtEveryCall(
  work: Uploads,
  moment: 'before' | 'after',
  statements: number,
): Promise<number> {
  const iban = newIban();
  const customer_id = await work.create({ ibans: [iban] });
  for (let call = 1; ; call += 1) {
    const numbers = Array.from({ length: statements }, (_, index) => call + index);
    const file = (duplicate: boolean) =>
      codaFile(...numbers.map((number) => ({ iban, number, duplicate })));
    await work.upload('CODA', `${call}.cod`, file(false));
    await work.readAll();
    await work
      .knex('files')
      .where({ customer_id })
      .whereIn('statement_number', numbers)
      .update({
        ...{ content_hash: work.knex.raw('sha256(id::bytea)'), hash_version: 1 },
        ...{ created_on: null, old_balance: null, new_balance: null },
      });
    await work.upload('CODA', `${call} again.cod`, file(true));
    const failing = failAt(work, call, moment);
    // The background work of one process and the upload of another may meet in the same files.
    await Promise.allSettled([
      work.readAll(failing),
      rehashingWork(failing.knex, failing.storage).run(),
    ]);
    const again = (await work.uploads()).filter(({ object_key }) =>
      object_key.endsWith('again.cod'),
    );
    for (const { id } of again.slice(-1)) await readById(work, id);
    await work.readAll();
    const listed = await work
      .knex('files')
      .where({ customer_id })
      .orderBy('arrival')
      .pluck('statement_number');
    expect(listed).toEqual(Array.from({ length: call + statements - 1 }, (_, i) => i + 1));
    if (!failing.hasFailed()) return call;
  }
}
