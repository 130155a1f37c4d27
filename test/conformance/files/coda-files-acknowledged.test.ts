import { createApiKeyStore } from '@adx/server';
import { describe, expect, test } from 'vitest';
import { newObjectId } from '../../../packages/server/src/identifiers/object-id.js';
import {
  insertCodaFile,
  insertCodbFile,
  type NewCodaFile,
} from '../../../packages/server/test/support/files.js';
import { insertCustomer } from '../../../packages/server/test/support/rows.js';
import { seededRandom } from '../../../packages/server/test/support/seeded-random.js';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { useTestService } from '../../support/use-service.js';
import {
  createCustomerWith,
  filesOf,
  listedIds,
  newFirm,
  storeCodaFiles,
} from './listed-coda-files.js';

const service = useTestService();

const customerWith = (...files: Partial<NewCodaFile>[]) => createCustomerWith(service, ...files);

describe('§5 rule 3 visibility of a file', () => {
  test('§4.10 the files of a disabled account stay listed', async () => {
    const { client, customer } = await customerWith();
    const iban = newIban();
    await client.customers.addBankAccount(customer.id, iban);
    const id = await insertCodaFile(service.knex, customer.id, { iban });
    await client.customers.disableBankAccount(customer.id, iban);
    expect(await listedIds(client)).toEqual([id]);
  });
});

describe('§4.19 acknowledge', () => {
  test('§4.19 the file is confirmed, and listed only with redownload', async () => {
    const { client, ids } = await customerWith({ statementNumber: 1 }, { statementNumber: 2 });
    const [first = '', second = ''] = ids;
    expect(await client.codaFiles.acknowledge(first)).toEqual({
      message: 'The file is acknowledged.',
    });
    expect(await listedIds(client)).toEqual([second]);
    expect(await listedIds(client, { redownload: false })).toEqual([second]);
    expect(await listedIds(client, { redownload: true })).toEqual([first, second]);
  });

  test('D-15 acknowledging twice succeeds, also concurrently and with an identifier in capitals', async () => {
    const { client, ids } = await customerWith({});
    const [id = ''] = ids;
    await Promise.all([id, id.toUpperCase(), id].map((one) => client.codaFiles.acknowledge(one)));
    await client.codaFiles.acknowledge(id);
    expect(await listedIds(client)).toEqual([]);
  });

  test('D-35 it stays when the API key gets a new secret, for both secrets', async () => {
    const { user, ids } = await customerWith({ statementNumber: 1 }, { statementNumber: 2 });
    const [first = '', second] = ids;
    const { id, key } = await service.issueApiKey();
    const before = await service.client(user, key);
    await before.codaFiles.acknowledge(first);
    const rotated = await createApiKeyStore(service.knex).rotate(id, { overlapMs: 60_000 });
    if (typeof rotated !== 'object') throw new Error('The key was not rotated');
    const after = await service.client(user, rotated.key);
    for (const client of [before, after]) expect(await listedIds(client)).toEqual([second]);
    await after.codaFiles.acknowledge(second ?? '');
    for (const client of [before, after]) expect(await listedIds(client)).toEqual([]);
  });

  test('D-09 acknowledged files are passed over, up to the first that is not acknowledged', async () => {
    const { client, customer, ids } = await customerWith({}, {}, {});
    const [first = '', second = '', third = ''] = ids;
    const passedOver = async () => {
      const rows = await service.knex('acknowledged_arrivals').where({ customer_id: customer.id });
      return rows.map(({ up_to }) => up_to);
    };
    await client.codaFiles.acknowledge(third);
    expect(await passedOver()).toEqual([0]);
    await client.codaFiles.acknowledge(first);
    expect(await passedOver()).toEqual([1]);
    await client.codaFiles.acknowledge(second);
    expect(await passedOver()).toEqual([3]);
  });

  test('D-09 of customers with any state of files, exactly those without an acknowledgement are listed', async () => {
    const { firmId, client, user } = await customerWith();
    const { key } = await service.issueApiKey();
    const otherKey = await service.client(user, key);
    const random = seededRandom(17);
    for (let customers = 0; customers < 12; customers += 1) {
      const { id } = await client.customers.create(newCustomer());
      const files = Math.floor(random() * 5);
      for (let file = 0; file < files; file += 1) await insertCodaFile(service.knex, id);
      if (random() < 0.5) await insertCodbFile(service.knex, id);
    }
    const acknowledged = new Map([client, otherKey].map((caller) => [caller, new Set<string>()]));
    const all = await listedIds(client);
    for (let round = 0; round < 6; round += 1) {
      for (const [caller, ids] of acknowledged) {
        const chosen = all.filter(() => random() < 0.4);
        await caller.codaFiles.acknowledgeMany({ fileIds: chosen });
        for (const id of chosen) ids.add(id);
        expect(await listedIds(caller)).toEqual(all.filter((id) => !ids.has(id)));
      }
    }
    expect(await service.knex('files').where({ firm_id: firmId, product: 'CODA' })).toHaveLength(
      all.length,
    );
  });

  test('§4.19 files that arrive while others are acknowledged stay listed', async () => {
    const { client, customer, ids } = await customerWith(
      ...Array.from({ length: 12 }, (_, index) => ({ statementNumber: index + 1 })),
    );
    const arriving = Array.from({ length: 12 }, (_, index) =>
      insertCodaFile(service.knex, customer.id, { statementNumber: index + 20 }),
    );
    await Promise.all([...ids.map((id) => client.codaFiles.acknowledge(id)), ...arriving]);
    expect((await listedIds(client)).toSorted()).toEqual((await Promise.all(arriving)).toSorted());
  });

  test('§4.19 after files of both products are acknowledged, each remaining file is listed once', async () => {
    const { client, customer, ids } = await customerWith({}, {});
    const [first = '', second = ''] = ids;
    await client.codaFiles.acknowledge(first);
    const codb = await insertCodbFile(service.knex, customer.id);
    await client.codbFiles.acknowledge(codb);
    expect(await listedIds(client)).toEqual([second]);
    expect(await client.codbFiles.list()).toEqual([]);
  });
});

test('§4.22 rule 4: a list of several pages is complete and in order, and no group appears twice', async () => {
  const { client, customer } = await createCustomerWith(service);
  const [first, second] = [newIban(), newIban()].toSorted();
  const other = await client.customers.create(newCustomer({ name: 'Zzz' }));
  await storeCodaFiles(service, customer.id, first ?? '', 1500);
  await storeCodaFiles(service, customer.id, second ?? '', 500);
  await storeCodaFiles(service, other.id, newIban(), 100);
  const groups = await client.codaFiles.list();
  expect(groups.map(({ id, ibans }) => [id, ibans.map(({ files }) => files.length)])).toEqual([
    [customer.id, [1500, 500]],
    [other.id, [100]],
  ]);
  const [of1500] = groups[0]?.ibans ?? [];
  expect(of1500?.files.map(({ statementNumber }) => statementNumber)).toEqual(
    Array.from({ length: 1500 }, (_, index) => index + 1),
  );
  expect(new Set(filesOf(groups).map(({ id }) => id)).size).toBe(2100);
});

test('D-09 customers with the same name across two pages are listed once each, sorted by id', async () => {
  const { firmId, client } = await newFirm(service);
  const counts = [600, 600, 1, 1];
  const ids = counts.map(() => newObjectId()).toSorted();
  // They are stored in another order than the listed one.
  for (const id of ids.toReversed()) {
    await insertCustomer(service.knex, firmId, { id });
    await storeCodaFiles(service, id, newIban(), counts[ids.indexOf(id)] ?? 0);
  }
  const groups = await client.codaFiles.list();
  expect(groups.map((group) => [group.id, filesOf([group]).length])).toEqual(
    ids.map((id, place) => [id, counts[place]]),
  );
});
