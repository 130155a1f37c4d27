import { expect, test } from 'vitest';
import { waitUntilBlocked } from '../../../packages/server/test/mandates/wait-until-blocked.js';
import { insertCodaFile, insertCodbFile } from '../../../packages/server/test/support/files.js';
import { newCustomer } from '../../support/new-customer.js';
import { absentId, newIban } from '../../support/numbers.js';
import { useTestService } from '../../support/use-service.js';
import { createCustomerWith, listedIds, storeCodaFiles } from './listed-coda-files.js';

const service = useTestService({ settings: { RATE_LIMIT_PER_MINUTE: '40' } });

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

test('D-49, D-58 an entry names the customer if all files are of one', async () => {
  const { client, customer, ids } = await createCustomerWith(service, {}, {});
  const another = await client.customers.create(newCustomer());
  const foreign = await insertCodaFile(service.knex, another.id);
  const [first = '', second = ''] = ids;
  await client.codaFiles.acknowledgeMany({ fileIds: [first] });
  await client.codaFiles.acknowledgeMany({ fileIds: [second, foreign] });
  const { records } = await client.auditEntries.list({ action: 'acknowledgeCodaFiles' });
  expect(records.map(({ customerId }) => customerId)).toEqual([undefined, customer.id]);
});

test('D-15, D-49 acknowledging twice succeeds, also an identifier in capitals', async () => {
  const { client, ids } = await createCustomerWith(service, {});
  const [id = ''] = ids;
  const expected = { acknowledged: [id], notFound: [] };
  const both = { fileIds: [id.toUpperCase(), id] };
  expect(await client.codaFiles.acknowledgeMany(both)).toEqual(expected);
  expect(await client.codaFiles.acknowledgeMany({ fileIds: [id] })).toEqual(expected);
});

test('D-49 1,500 files of three accounts take three calls', async () => {
  const { client, customer } = await createCustomerWith(service);
  for (let account = 0; account < 3; account += 1) {
    await storeCodaFiles(service, customer.id, newIban(), 500);
  }
  const ids = await listedIds(client);
  for (const from of [0, 500, 1000]) {
    const fileIds = ids.slice(from, from + 500);
    expect((await client.codaFiles.acknowledgeMany({ fileIds })).acknowledged).toEqual(fileIds);
  }
  expect(await listedIds(client)).toEqual([]);
});

test('D-49 calls that name the same files in opposite orders wait for each other, without a deadlock', async () => {
  const { user, ids } = await createCustomerWith(service, {}, {}, {});
  const { id, key } = await service.issueApiKey();
  const client = await service.client(user, key);
  expect(await listedIds(client)).toEqual(ids);
  const first = await service.knex.transaction();
  const { firm_id, customer_id } = await first('files').where({ id: ids[1] }).first();
  await first('acknowledged_arrivals').insert({
    ...{ api_key_id: id, user_id: user.id, firm_id, customer_id, product: 'CODA' },
  });
  const calls = [ids, ids.toReversed()].map((fileIds) =>
    client.codaFiles.acknowledgeMany({ fileIds: [...fileIds] }),
  );
  // Both wait for the customer, or one of them for the other.
  await waitUntilBlocked(service.knex, calls.length);
  await first.commit();
  for (const { acknowledged } of await Promise.all(calls)) expect(acknowledged).toHaveLength(3);
  expect(await listedIds(client)).toEqual([]);
});
