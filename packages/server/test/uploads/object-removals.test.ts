import { expect, test } from 'vitest';
import { DAY } from '../../src/dates/brussels-day.js';
import { removeDueObjects } from '../../src/uploads/object-removals.js';
import { newIban } from '../mandates/linked-customer.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { keysOf } from '../storage/open-test-storage.js';
import { killDeliveries, knownKeys } from './killed-deliveries.js';
import { codaFile } from './sample-files.js';
import { setUpUploads } from './set-up-uploads.js';

test.each(['before', 'after'] as const)(
  'D-28 killed %s a call of the storage, deliveries lose no object and leave none behind',
  (moment) => killDeliveries(moment, 5),
);

test('D-28 what was stored before its mandate ended is held, and no listed copy of it is left', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  await work.setStatus(customerId, 'finished');
  const store: typeof work.storage.store = {
    ...work.storage.store,
    async put(...parameters) {
      await work.storage.store.put(...parameters);
      await work.setStatus(customerId, 'rejectedByBank');
    },
  };
  const delivered = await work.deliver(codaFile({ iban }), {
    storage: { ...work.storage, store },
  });
  expect(delivered).toMatchObject({ listed: 0, held: 1 });
  await removeDueObjects(work, new Date(Date.now() + 2 * DAY));
  const [held] = await work.knex('held_deliveries');
  expect(await keysOf(work.storage, 'adx-files')).toEqual([held.object_key]);
});

test('D-28 nothing is listed or held whose object was removed before it was recorded', async () => {
  const work = await setUpUploads();
  const [listed, held] = [newIban(), newIban()];
  await work.setStatus(await work.create({ ibans: [listed] }), 'finished');
  const store: typeof work.storage.store = {
    ...work.storage.store,
    async put(...parameters) {
      await work.storage.store.put(...parameters);
      await removeDueObjects(work, new Date(Date.now() + 2 * DAY));
    },
  };
  const late = { storage: { ...work.storage, store } };
  for (const iban of [listed, held]) {
    await expect(work.deliver(codaFile({ iban }), late)).rejects.toThrow('not in the storage');
  }
  expect(await work.files()).toEqual([]);
  expect(await work.knex('held_deliveries')).toEqual([]);
  expect(await work.deliver(codaFile({ iban: listed }, { iban: held }))).toMatchObject({
    ...{ listed: 1, held: 1 },
  });
});

test('D-28 a removal and the recording of an object wait for each other', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  await work.setStatus(await work.create({ ibans: [iban] }), 'finished');
  let removing: Promise<void> | undefined;
  const consents: typeof work.consents = {
    ...work.consents,
    // Within the transaction, after the objects were recorded.
    async delivered(...parameters) {
      await work.consents.delivered(...parameters);
      removing = removeDueObjects(work, new Date(Date.now() + 2 * DAY));
      await waitUntilBlocked(work.knex);
    },
  };
  expect(await work.deliver(codaFile({ iban }), { consents })).toMatchObject({ listed: 1 });
  await removing;
  expect(await keysOf(work.storage, 'adx-files')).toEqual((await knownKeys(work)).recorded);
});
