import { expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { DAY } from '../../src/dates/brussels-day.js';
import { removeDueObjects, scheduleRemoval } from '../../src/files/object-removals.js';
import { operatorScope } from '../../src/identity/operator-scope.js';
import { removeExpired } from '../../src/uploads/deliveries/held-deliveries.js';
import { listDeliveries } from '../../src/uploads/deliveries/listed-deliveries.js';
import { releaseDelivery } from '../../src/uploads/deliveries/release-delivery.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { keysOf } from '../storage/open-test-storage.js';
import {
  expectNoLeftovers,
  killDeliveries,
  knownKeys,
} from '../uploads/deliveries/killed-deliveries.js';
import { failAt } from '../uploads/killed/fail-at-call.js';
import { codaFile } from '../uploads/sample-files.js';
import {
  recordLines,
  setUpAccount,
  setUpUploads,
  uploadTasks,
  withStore,
} from '../uploads/set-up-uploads.js';

test.each(['before', 'after'] as const)(
  'D-28 killed %s a call of the storage or a transaction, deliveries lose no object and leave no unused one',
  // Each transaction, and some calls of the storage.
  (moment) => killDeliveries(moment, [1, 4, 7, 8, 10, 11, 13]),
);

test.each([
  ['was removed', false],
  ['may have been removed by a process that was killed', true],
])(
  'D-28 no document is listed or held if its object %s before it was recorded',
  async (_, isKilled) => {
    const work = await setUpUploads();
    const [listed, held] = [newIban(), newIban()];
    await work.setStatus(await work.create({ ibans: [listed] }), 'finished');
    const changed = withStore(work, {
      async put(...parameters) {
        await work.storage.store.put(...parameters);
        const remover = isKilled ? failAt(work, 1, 'after') : work;
        await removeDueObjects(remover, new Date(Date.now() + 2 * DAY)).catch(() => {});
      },
    });
    for (const iban of [listed, held]) {
      await expect(work.deliver(codaFile({ iban }), changed)).rejects.toThrow('not in the storage');
    }
    expect(await work.files()).toEqual([]);
    expect(await work.knex('held_deliveries')).toEqual([]);
    expect(await work.deliver(codaFile({ iban: listed }, { iban: held }))).toMatchObject({
      ...{ listed: 1, held: 1 },
    });
  },
);

test('D-28 an object that is being recorded is not removed', async () => {
  const { work, iban } = await setUpAccount('finished');
  const coverage: typeof work.coverage = {
    ...work.coverage,
    // This is in the transaction, after the objects were recorded.
    async delivered(...parameters) {
      await work.coverage.delivered(...parameters);
      await removeDueObjects(work, new Date(Date.now() + 2 * DAY));
    },
  };
  expect(await work.deliver(codaFile({ iban }), { coverage })).toMatchObject({ listed: 1 });
  expect(await keysOf(work.storage, 'files')).toEqual((await knownKeys(work)).recorded);
});

test.each([['held'], ['listed']] as const)(
  'D-28 the same document twice in one file is %s once, and no object is left',
  async (outcome) => {
    const { work, iban, customerId } = await setUpAccount();
    if (outcome === 'listed') await work.setStatus(customerId, 'finished');
    const file = codaFile({ iban }, { iban, duplicate: true });
    for (let round = 0; round < 2; round += 1) {
      expect((await work.deliver(file)).isDone).toBe(true);
      await expectNoLeftovers(work, `${outcome}, round ${round}`);
    }
    expect((await knownKeys(work)).recorded).toHaveLength(1);
  },
);

test('D-28 concurrent deliveries of the same document hold it once, and leave no unused object', async () => {
  const work = await setUpUploads();
  for (let round = 0; round < 5; round += 1) {
    const file = codaFile({ iban: newIban() });
    await Promise.all([work.deliver(file), work.deliver(file)]);
    await Promise.all([work.deliver(file), work.deliver(file)]);
    await expectNoLeftovers(work, `round ${round}`);
  }
  expect(await listDeliveries(work.knex, operatorScope())).toHaveLength(5);
});

test('D-28 a delivery during the expiry of an earlier one is held again', async () => {
  const work = await setUpUploads();
  const file = codaFile({ iban: newIban() });
  await work.deliver(file);
  const expiry = await work.knex.transaction();
  await removeExpired(expiry, new Date(Date.now() + DAY), work.now());
  const again = work.deliver(file);
  await waitUntilBlocked(work.knex);
  await expiry.commit();
  expect(await again).toMatchObject({ isDone: true, held: 1 });
  await expectNoLeftovers(work, 'delivered again');
  expect(await listDeliveries(work.knex, operatorScope())).toHaveLength(1);
});

test('D-28 a release during another one, or during another delivery, returns its outcome', async () => {
  const { work, iban, customerId } = await setUpAccount();
  const { id: linkId } = await work.knex('bank_accounts').where({ iban }).first('id');
  /** Releases the only held delivery; `interrupt` runs before its object is read. */
  async function release(interrupt: (id: string) => Promise<unknown>): Promise<string> {
    await work.setStatus(customerId, 'finished');
    const [held] = await listDeliveries(work.knex, operatorScope());
    let isFirst = true;
    const changed = withStore(work, {
      async get(...parameters) {
        if (isFirst) await interrupt(held?.id ?? '');
        isFirst = false;
        await removeDueObjects(work, new Date());
        return work.storage.store.get(...parameters);
      },
    });
    return releaseDelivery(changed, held?.id ?? '', linkId);
  }
  await work.deliver(codaFile({ iban, number: 1 }));
  expect(await release((id) => releaseDelivery(work, id, linkId))).toBe('gone');
  await work.setStatus(customerId, 'created');
  await work.deliver(codaFile({ iban, number: 2 }));
  const redelivered = release(async () => {
    await work.setStatus(customerId, 'created');
    await work.deliver(codaFile({ iban, number: 2 }));
    await work.setStatus(customerId, 'finished');
  });
  expect(await redelivered).toBe('listed');
});

/** Keys of S3 have at most 1,024 bytes. */
const refusedKey = `held/${'x'.repeat(2_000)}.cod`;

test('D-28 an object that cannot be removed is due again an hour later, and the others are removed', async () => {
  const { knex, storage, ...work } = await setUpUploads();
  const parts = { ...work, knex, storage };
  const keys = [refusedKey, 'held/1.cod', 'held/2.cod'];
  for (const key of keys.slice(1)) {
    await storage.store.put(storage.buckets.files, key, Buffer.from('x'), 'x/y');
  }
  await scheduleRemoval(knex, keys, work.now());
  const { isLeft, refusal } = await removeDueObjects(parts, work.now());
  expect({ isLeft, message: refusal?.message }).toEqual({
    isLeft: false,
    message: `It failed for object ${refusedKey}`,
  });
  expect(await keysOf(storage, 'files')).toEqual([]);
  expect(await removeDueObjects(parts, work.now())).toEqual({ isLeft: false, refusal: undefined });
  const later = await removeDueObjects(parts, new Date(Date.now() + 3_600_001));
  expect(later.refusal).toBeDefined();
});

test('D-28 an outage of the storage ends the removal of objects, and processes take different ones', async () => {
  const { knex, storage, ...work } = await setUpUploads();
  const keys = Array.from({ length: 501 }, (_, index) => `held/${index}.cod`);
  await scheduleRemoval(knex, keys, work.now());
  let calls = 0;
  const outage = withStore(
    { ...work, knex, storage },
    {
      remove() {
        calls += 1;
        return Promise.reject(Object.assign(new Error('hangs'), { name: 'TimeoutError' }));
      },
    },
  );
  await expect(removeDueObjects(outage, work.now())).rejects.toThrow('hangs');
  // Eight are removed at once.
  expect(calls).toBe(8);
  // The others of its batch are due again later.
  const due = knex('object_removals').where('remove_after', '<=', new Date());
  expect(await due.clone().pluck('object_key')).toHaveLength(1);
  expect(await removeDueObjects({ knex, storage }, work.now())).toMatchObject({ isLeft: false });
  expect(await due).toEqual([]);
});

test('D-28 a failed step of the clean-up does not stop the others', async () => {
  const work = await setUpUploads();
  const { lines, logger } = recordLines();
  await work.upload('CODA', 'a.cod', Buffer.from('no statement'));
  await work.readAll();
  await work.knex('uploads').update({ settled_on: new Date(Date.now() - 91 * DAY) });
  await work.knex('upload_grants').update({ issued_on: new Date(Date.now() - 7 * DAY) });
  await work.knex.raw('alter table held_deliveries rename to elsewhere');
  await expect(uploadTasks(work, { logger }).cleanUp.run()).rejects.toThrow('expired deliveries');
  const [{ id, grant_id }] = await work.knex('uploads');
  expect(lines).toMatchObject([{ msg: 'deleted the copy of a rejected upload', upload: id }]);
  expect(await work.knex('upload_grants').pluck('id')).toEqual([grant_id]);
});
