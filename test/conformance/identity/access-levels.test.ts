import type { Client } from '@adx/client';
import type { Customer } from '@adx/contract';
import { createUserStore } from '@adx/server';
import { beforeAll, expect, test } from 'vitest';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import type { TestService } from '../../support/test-service.js';
import { useTestService } from '../../support/use-service.js';

type Viewer = 'administrator' | 'user' | 'assigned user' | 'assigned administrator' | 'other firm';
type Seen = 'open' | 'second' | 'confidential';

/** The customers that each kind of user sees (§5 rules 3 and 5, D-18). */
const visible: Readonly<Record<Viewer, readonly Seen[]>> = {
  administrator: ['open', 'second', 'confidential'],
  user: ['open', 'second'],
  'assigned user': ['open'],
  'assigned administrator': ['second', 'confidential'],
  'other firm': [],
};
const viewers = Object.keys(visible) as Viewer[];

const service = useTestService();
let firmId: string;
let clients: Record<Viewer, Client>;
let customers: Record<Seen, Customer>;
const iban = newIban();

beforeAll(async () => {
  firmId = await service.createFirm();
  const client = async (user: Parameters<TestService['createUser']>[0]) =>
    service.client(await service.createUser(user));
  const administrator = await client({ firmId });
  const create = (name: string, iban: string) =>
    administrator.customers.create(
      newCustomer({ name, bankAccounts: [{ iban }], payrollProviders: [{ code: 'ucm' }] }),
    );
  const open = await create('A', iban);
  const second = await create('B', newIban());
  const { id } = await create('C', newIban());
  await service.knex('customers').where({ id }).update({ is_confidential: true });
  customers = { open, second, confidential: await administrator.customers.get(id) };
  clients = {
    administrator,
    user: await client({ firmId, access: 'user' }),
    'assigned user': await client({ firmId, access: 'user', customers: [open.id, id] }),
    'assigned administrator': await client({ firmId, customers: [second.id, id] }),
    'other firm': await client({ firmId: await service.createFirm() }),
  };
});

const seenBy = (viewer: Viewer) => visible[viewer].map((name) => customers[name]);

test.each(viewers)(
  '§5, §4.3, §2.9, D-18 %s lists, finds, counts and reads the visible customers',
  async (viewer) => {
    const { customers: resource } = clients[viewer];
    const records = seenBy(viewer);
    expect(await resource.list()).toEqual(records);
    const { length } = records;
    expect(await resource.search()).toEqual({
      ...{ records, recordsTotal: length, recordsFiltered: length },
    });
    const found = await resource.search({ iban });
    expect(found.records).toEqual(records.filter(({ id }) => id === customers.open.id));
    for (const customer of records) expect(await resource.get(customer.id)).toEqual(customer);
  },
);

test('§5 changes of assignments and access level apply to issued ID tokens', async () => {
  const { open, second } = customers;
  const user = await service.createUser({ firmId, access: 'user', customers: [open.id] });
  const client = await service.client(user);
  const users = createUserStore(service.knex);
  expect(await client.customers.list()).toEqual([open]);
  await users.update(user.id, { customers: [second.id] });
  expect(await client.customers.list()).toEqual([second]);
  await users.update(user.id, { accessLevel: 'administrator', customers: 'all' });
  expect(await client.customers.list()).toEqual(seenBy('administrator'));
  await users.update(user.id, { accessLevel: 'portalOnly' });
  await expect(client.customers.list()).rejects.toMatchObject({ status: 401, code: 'portalOnly' });
});

test('§5 a user without assigned customers who sees only those sees none', async () => {
  const client = await service.client(await service.createUser({ firmId, customers: [] }));
  expect(await client.customers.list()).toEqual([]);
});

test('D-21 a customer created by a user who sees only assigned customers is assigned to that user', async () => {
  const assigned = { firmId, access: 'user', customers: [] } as const;
  const creator = await service.client(await service.createUser(assigned));
  const colleague = await service.client(await service.createUser(assigned));
  const created = await creator.customers.create(newCustomer({ name: 'Z' }));
  expect(await creator.customers.list()).toEqual([created]);
  expect(await colleague.customers.list()).toEqual([]);
  expect(await clients.administrator.customers.get(created.id)).toEqual(created);
  await creator.customers.archive(created.id);
  expect(await creator.customers.list()).toEqual([]);
});
