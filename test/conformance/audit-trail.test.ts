import { type OperationId, operations } from '@adx/contract';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { cases } from '../isolation/cases.js';
import type { OperationCall } from '../support/call-operation.js';
import { eventually } from '../support/eventually.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { snapshot } from '../support/snapshot.js';
import { useSignedInService } from '../support/use-service.js';
import {
  createKnownObjects,
  isChange,
  operationsInOrder,
  workingCall,
} from '../support/working-calls.js';

const signedIn = useSignedInService();

/** Operations that show or change nothing of a firm have no entry. */
const hasEntry = (operationId: OperationId) =>
  !['credentials', 'same'].includes(cases[operationId].kind);

/** A call of each operation that succeeds, in an order in which each one finds what it needs. */
let calls: readonly (readonly [OperationId, OperationCall])[];
let customerId: string;
beforeAll(async () => {
  const { service, user, firmId } = signedIn;
  await service.knex('firms').where({ id: firmId }).update({ codb_upload: true });
  const objects = await createKnownObjects(service, user);
  ({ customerId } = objects);
  const known = { ...objects, customerId: customerId.toUpperCase() };
  calls = operationsInOrder
    .filter((operationId) => operations[operationId].idToken)
    .map((operationId) => [operationId, workingCall(operationId, known)] as const);
});

function entriesOf(requestId: string | null): Promise<Record<string, unknown>[]> {
  return signedIn.service.knex('audit_entries').where({ request_id: requestId }).orderBy('id');
}

/** Runs calls while no entry of a user can be stored. */
async function withoutTrail<Result>(work: () => Promise<Result>): Promise<Result> {
  const { knex } = signedIn.service;
  await knex.raw(
    `alter table audit_entries add constraint blocked check (actor <> 'user') not valid`,
  );
  try {
    return await work();
  } finally {
    await knex.raw('alter table audit_entries drop constraint blocked');
  }
}

describe('D-58 the audit trail', () => {
  it('has exactly one entry of each call, and no change without its entry', async () => {
    const { service, call } = signedIn;
    const requestIds = new Map<OperationId, string | null>();
    for (const [operation, sent] of calls) {
      const before = await snapshot(service);
      const blocked = await withoutTrail(() => call(operation, sent));
      expect(await snapshot(service), operation).toEqual(before);
      const { status, headers } = await call(operation, sent);
      const isChanged = JSON.stringify(await snapshot(service)) !== JSON.stringify(before);
      expect([operation, isChanged]).toEqual([operation, isChange(operation)]);
      expect([blocked.status, status], operation).toEqual([isChanged ? 500 : 200, 200]);
      const id = headers.get('x-request-id');
      requestIds.set(operation, id);
      // A read is written soon, a change with its transaction.
      if (isChanged) expect(await entriesOf(id), operation).toHaveLength(1);
    }
    await eventually(async () => {
      for (const [operation, id] of requestIds) {
        const actions = (await entriesOf(id)).map(({ action }) => action);
        const advice = `${operation} is of kind ${cases[operation].kind} in test/isolation/cases.ts. withoutEntry in http/audited-call.ts names the operations of kind same, and no others.`;
        expect(actions, advice).toEqual(hasEntry(operation) ? [operation] : []);
      }
      return true;
    });
    for (const [operation, sent] of calls) {
      const [entry] = await entriesOf(requestIds.get(operation) ?? null);
      if (entry === undefined) continue;
      const namesCustomer = /customerId|mandateId|fileId/.test(JSON.stringify(sent));
      const { pathParameters, client } = operations[operation];
      const namesObject =
        client.method === 'uploadCredentials' ||
        pathParameters.some((name) => /^(mandate|file|upload)Id$/.test(name));
      expect(entry, operation).toMatchObject({
        ...{ actor: 'user', firm_id: signedIn.firmId, operator: null },
        ...{ outcome: 'done', address: expect.any(String) },
        customer_id:
          operation === 'createCustomer'
            ? expect.not.stringMatching(customerId)
            : namesCustomer
              ? customerId
              : null,
        ...(namesObject && { object_id: sent.path?.['mandateId'] ?? expect.any(String) }),
      });
    }
  });

  it('has the attempts to reach a customer of another firm, with the code of the refusal', async () => {
    const { call, anotherFirm, firmId } = signedIn;
    const { id, bankAccounts } = await (await anotherFirm()).customers.create(
      newCustomer({ bankAccounts: [{ iban: newIban() }] }),
    );
    const [iban = ''] = bankAccounts.map((account) => account.iban);
    const read = await call('getCustomer', { path: { customerId: id } });
    const taken = await call('createCustomer', { body: newCustomer({ bankAccounts: [{ iban }] }) });
    expect([read.status, taken.status]).toEqual([404, 409]);
    await eventually(async () => {
      const [first, ...more] = await entriesOf(read.headers.get('x-request-id'));
      expect(first).toMatchObject({ firm_id: firmId, customer_id: id, outcome: 'notFound' });
      const [second, ...further] = await entriesOf(taken.headers.get('x-request-id'));
      expect(second).toMatchObject({ firm_id: firmId, customer_id: null, outcome: 'ibanInUse' });
      expect([...more, ...further]).toEqual([]);
      return true;
    });
  });

  it('has a call that was repeated with its key, and changes nothing, as another entry', async () => {
    const { call, service } = signedIn;
    const sent = { body: newCustomer(), headers: { 'Idempotency-Key': 'audit-1' } };
    const first = await call('createCustomer', sent);
    const again = await call('createCustomer', sent);
    const { id } = first.body as { id: string };
    expect((await entriesOf(first.headers.get('x-request-id')))[0]).toMatchObject({
      customer_id: id,
    });
    const repeated = { action: 'createCustomer', outcome: 'repeated', customer_id: id };
    expect(await entriesOf(again.headers.get('x-request-id'))).toMatchObject([repeated]);
    expect(await service.knex('audit_entries').where({ firm_id: '' })).toEqual([]);
  });
});

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
