import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCodbFile } from '../../../packages/server/test/support/files.js';
import { absentId, newIban } from '../../support/numbers.js';
import { startTestService, type TestService } from '../../support/test-service.js';
import { createCustomerWith, listedIds, storeCodaFiles } from './listed-coda-files.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ settings: { RATE_LIMIT_PER_MINUTE: '40' } });
});
afterAll(() => service?.close());

test('D-49 each file is acknowledged or not found, in the order of the call', async () => {
  const { client, customer, ids } = await createCustomerWith(service, {}, {}, {});
  const [first = '', second = '', third = ''] = ids;
  const codb = await insertCodbFile(service.knex, customer.id);
  const absent = absentId();
  expect(await client.codaFiles.acknowledgeMany({ fileIds: [third, absent, first, codb] })).toEqual(
    { acknowledged: [third, first], notFound: [absent, codb] },
  );
  expect(await listedIds(client)).toEqual([second]);
  expect(await listedIds(client, { redownload: true })).toEqual([first, second, third]);
  expect(await client.codbFiles.acknowledgeMany({ fileIds: [codb, first] })).toEqual({
    acknowledged: [codb],
    notFound: [first],
  });
  expect(await client.codbFiles.list()).toEqual([]);
});

test('D-15, D-49 acknowledging twice succeeds, also an identifier in capitals', async () => {
  const { client, ids } = await createCustomerWith(service, {});
  const [id = ''] = ids;
  const expected = { acknowledged: [id], notFound: [] };
  const both = { fileIds: [id.toUpperCase(), id] };
  expect(await client.codaFiles.acknowledgeMany(both)).toEqual(expected);
  expect(await client.codaFiles.acknowledgeMany({ fileIds: [id] })).toEqual(expected);
});

test('D-49 1 to 500 different identifiers', async () => {
  const { client } = await createCustomerWith(service);
  const id = absentId();
  const tooMany = Array.from({ length: 501 }, () => absentId());
  for (const fileIds of [[], [id, id], tooMany, ['x']]) {
    await expect(client.codaFiles.acknowledgeMany({ fileIds })).rejects.toMatchObject({
      code: 'validationFailed',
    });
  }
});

test('D-49 1,500 files of three accounts take a few calls, also when two programs acknowledge them at once', async () => {
  const { client, customer } = await createCustomerWith(service);
  for (let account = 0; account < 3; account += 1) {
    await storeCodaFiles(service, customer.id, newIban(), 500);
  }
  const ids = await listedIds(client);
  expect(ids).toHaveLength(1500);
  const groups = [0, 500, 1000].map((from) => ids.slice(from, from + 500));
  // In opposite orders, so that transactions that locked in that order would deadlock.
  const backwards = groups.map((group) => group.toReversed());
  const answers = await Promise.all(
    [...groups, ...backwards].map((fileIds) => client.codaFiles.acknowledgeMany({ fileIds })),
  );
  expect(answers.flatMap(({ notFound }) => notFound)).toEqual([]);
  expect(await listedIds(client)).toEqual([]);
});
