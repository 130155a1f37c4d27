import { expect } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { DAY } from '../../../src/dates/brussels-day.js';
import { inTransaction } from '../../../src/db/transaction.js';
import { removeDueObjects } from '../../../src/files/object-removals.js';
import { removeExpired } from '../../../src/uploads/deliveries/held-deliveries.js';
import { releaseDeliveries } from '../../../src/uploads/deliveries/release-delivery.js';
import { keysOf } from '../../storage/open-test-storage.js';
import { listedFiles } from '../../support/files.js';
import { failAt } from '../killed/fail-at-call.js';
import { codaFile } from '../sample-files.js';
import { setUpUploads, type Uploads } from '../set-up-uploads.js';

/**
 * Delivers, releases, expires and removes statements while storage and database fail before or
 * after one of the calls of the storage and the transactions. Then repeats each step without a
 * failure.
 *
 * Asserts after each step that every object that is listed or held exists, and that all other
 * objects are scheduled for removal.
 *
 * @param calls - the calls to try, in order, from 1; ends at the first that is never reached
 */
export async function killDeliveries(
  moment: 'before' | 'after',
  calls: Iterable<number>,
): Promise<void> {
  const work = await setUpUploads();
  const [signed, unsigned, unknown] = [newIban(), newIban(), newIban()];
  await work.setStatus(await work.create({ ibans: [signed] }), 'finished');
  const customerId = await work.create({ ibans: [unsigned] });
  const link = await work
    .knex('bank_accounts')
    .where({ iban: unsigned })
    .first({ linkId: 'id', firmId: 'firm_id' });
  const inTwoDays = new Date(Date.now() + 2 * DAY);
  // A removal that failed is tried again later.
  const later = new Date(inTwoDays.getTime() + DAY);
  for (const call of calls) {
    const statements = [signed, unsigned, unknown].map((iban) => ({ iban, number: call }));
    const failing = failAt(work, call, moment);
    const deliver = (uploads: Uploads) => work.deliver(codaFile(...statements), uploads);
    const steps: [string, (uploads: Uploads) => Promise<unknown>, status: string][] = [
      ['deliver', deliver, 'created'],
      ['deliver again', deliver, 'created'],
      ['release', (uploads) => releaseDeliveries(uploads, link), 'finished'],
      ['expire', expireAll, 'created'],
      [
        'remove',
        (uploads) => removeDueObjects(uploads, uploads === work ? later : inTwoDays),
        'created',
      ],
    ];
    for (const [name, step, status] of steps) {
      await work.setStatus(customerId, status);
      await step(failing).catch(() => {});
      await expectNoLeftovers(work, `${name} killed ${moment} call ${call}`);
      await step(work);
      await expectNoLeftovers(work, `${name} after ${moment} call ${call}`);
    }
    expect(await keysOf(work.storage, 'files')).toEqual((await knownKeys(work)).recorded);
    if (!failing.hasFailed()) return;
  }

  function expireAll({ knex }: Uploads): Promise<unknown> {
    return inTransaction(knex, (trx) => removeExpired(trx, inTwoDays, work.now()));
  }
}

/** Returns the keys of objects that the database refers to, and of those scheduled for removal. */
export async function knownKeys({ knex }: Uploads) {
  const files = await listedFiles(knex);
  const recorded: string[] = [
    ...files.map(({ object_key }) => object_key),
    ...files.filter(({ pdf_status }) => pdf_status === 'present').map(({ pdf_key }) => pdf_key),
    ...(await knex('held_deliveries').pluck('object_key')),
  ].sort();
  const scheduled: string[] = await knex('object_removals').pluck('object_key');
  return { recorded, scheduled };
}

/**
 * Asserts that every recorded object exists, and that every other object is scheduled for removal.
 */
export async function expectNoLeftovers(work: Uploads, when: string): Promise<void> {
  const { recorded, scheduled } = await knownKeys(work);
  const stored = await keysOf(work.storage, 'files');
  expect(
    recorded.filter((key) => !stored.includes(key)),
    `${when}: lost`,
  ).toEqual([]);
  expect(
    stored.filter((key) => !recorded.includes(key) && !scheduled.includes(key)),
    `${when}: left behind`,
  ).toEqual([]);
}
