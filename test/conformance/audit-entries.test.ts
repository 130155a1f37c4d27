import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { newCustomer } from '../support/new-customer.js';
import { useSignedInService } from '../support/use-service.js';

const signedIn = useSignedInService();

const list = (body: object = {}) => signedIn.client.auditEntries.list(body);

test('D-58 a change is listed at once and a read within a second, the latest first, with who, what and from where', async () => {
  const { client } = signedIn;
  const { id: customerId } = await client.customers.create(newCustomer());
  const created = await list({ customerId: customerId.toUpperCase() });
  expect(created).toMatchObject({ recordsFiltered: 1 });
  const [entry] = created.records;
  expect(entry).toEqual({
    ...{ number: expect.any(Number), occurredOn: expect.stringMatching(/^20.*\.\d{3}Z$/) },
    ...{ actor: 'user', action: 'createCustomer', outcome: 'done', customerId },
    ...{
      userId: expect.stringMatching(/^[\da-f]{24}$/),
      address: expect.stringMatching(/^[\d.:a-f]+$/),
    },
    ...{ apiKeyId: expect.stringMatching(/^[\da-f]{24}$/), requestId: expect.any(String) },
  });
  await client.customers.get(customerId);
  const actions = async (body: object) => (await list(body)).records.map(({ action }) => action);
  await eventually(async () => (await actions({ customerId })).includes('getCustomer'));
  const all = await actions({ customerId });
  expect(all.at(-1)).toBe('createCustomer');
  expect(new Set(all)).toEqual(new Set(['listAuditEntries', 'getCustomer', 'createCustomer']));

  const occurredOn = entry?.occurredOn ?? '';
  const until = { customerId, occurredBefore: occurredOn };
  expect(await actions(until)).toEqual([]);
  const [from, action] = [{ customerId, occurredSince: occurredOn }, 'createCustomer'];
  expect(await actions({ ...from, action })).toEqual([action]);
  expect(await actions({ ...from, action, userId: entry?.userId })).toEqual([action]);
  expect(await actions({ ...from, action, userId: '0'.repeat(24) })).toEqual([]);
});

test('D-58 a refused call is listed with the code of its error', async () => {
  const unknown = '0'.repeat(24);
  await expect(signedIn.client.customers.get(unknown)).rejects.toMatchObject({ status: 404 });
  const entry = await eventually(
    async () => (await list({ customerId: unknown, action: 'getCustomer' })).records[0],
  );
  expect(entry).toMatchObject({ outcome: 'notFound', customerId: unknown });
});
