import { expect, test } from 'vitest';
import { newObjectId } from '../../../packages/server/src/identifiers/object-id.js';
import { insertCustomer } from '../../../packages/server/test/support/rows.js';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { useTestService } from '../../support/use-service.js';
import { createCustomerWith, filesOf, newFirm, storeCodaFiles } from './listed-coda-files.js';

const service = useTestService();

test('§4.22 rule 4: a list of several pages is complete and in order, and no group appears twice', async () => {
  const { client, customer } = await createCustomerWith(service);
  const [first, second] = [newIban(), newIban()].toSorted();
  const other = await client.customers.create(newCustomer({ name: 'Zzz' }));
  await storeCodaFiles(service, customer.id, first ?? '', 2500);
  await storeCodaFiles(service, customer.id, second ?? '', 500);
  await storeCodaFiles(service, other.id, newIban(), 1000);
  const groups = await client.codaFiles.list();
  expect(groups.map(({ id, ibans }) => [id, ibans.map(({ files }) => files.length)])).toEqual([
    [customer.id, [2500, 500]],
    [other.id, [1000]],
  ]);
  const [of2500] = groups[0]?.ibans ?? [];
  expect(of2500?.files.map(({ statementNumber }) => statementNumber)).toEqual(
    Array.from({ length: 2500 }, (_, index) => index + 1),
  );
  expect(new Set(filesOf(groups).map(({ id }) => id)).size).toBe(4000);
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
