import { type OperationId, operations, type Scope, scopes } from '@adx/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { callOperation } from '../../support/call-operation.js';
import { newCustomer } from '../../support/new-customer.js';
import { useSignedInService } from '../../support/use-service.js';
import { isChange } from '../../support/working-calls.js';

const operationIds = Object.keys(operations) as OperationId[];
const scoped = operationIds.flatMap((operationId) =>
  operations[operationId].scopes.map((scope) => [operationId, scope] as const),
);
const allScopes = Object.keys(scopes) as Scope[];

const signedIn = useSignedInService();
const onlyKeys = new Map<Scope, string>();
const otherKeys = new Map<Scope, string>();
beforeAll(async () => {
  for (const scope of allScopes) {
    const { service } = signedIn;
    onlyKeys.set(scope, (await service.issueApiKey([scope])).key);
    const others = allScopes.filter((other) => other !== scope);
    otherKeys.set(scope, (await service.issueApiKey(others)).key);
  }
});

const insufficientScope = { status: 403, body: { error: 'insufficientScope' } };

test('D-01 each operation needs one scope, except getToken and helloWorld', () => {
  const others = operationIds.filter((id) => operations[id].scopes.length !== 1);
  expect(others.map((id) => [id, operations[id].scopes])).toEqual([
    ['getToken', []],
    ['helloWorld', []],
  ]);
});

test('D-01 the scope of an operation says if it reads, writes or deletes', () => {
  const actionOf = (operationId: OperationId) => {
    const { client, method } = operations[operationId];
    // A key that may read files may acknowledge them, and one that may upload sees the outcome.
    if (operationId.startsWith('acknowledge')) return 'read';
    if (client.resource === 'uploads') return 'write';
    if (!isChange(operationId)) return 'read';
    return method === 'delete' ? 'delete' : 'write';
  };
  const actions = scoped.map(([id, scope]) => [id, scope.split(':')[1]]);
  expect(actions).toEqual(scoped.map(([id]) => [id, actionOf(id)]));
});

test('§5 each operation needs an ID token, except getToken', () => {
  expect(operationIds.filter((id) => !operations[id].idToken)).toEqual(['getToken']);
});

test.each(scoped)('§5 %s: %s alone is enough', async (operationId, scope) => {
  // An update of nothing only reads (D-14).
  const update = operationId === 'updateCustomer' && { body: { accountingRef: 'K-1' } };
  const { body } = await signedIn.call(operationId, { apiKey: onlyKeys.get(scope), ...update });
  expect(body).not.toMatchObject({ error: 'insufficientScope' });
});

test.each(scoped)(
  '§5 %s: without %s it is 403, even if the key has all other scopes',
  async (operationId, scope) => {
    const call = { apiKey: otherKeys.get(scope) };
    expect(await signedIn.call(operationId, call)).toMatchObject(insufficientScope);
  },
);

describe('D-04 the order of checks', () => {
  const broken = { text: '{', query: 'unknown=1' };

  test('D-04 the ID token comes before the scope and the body', async () => {
    const call = { ...broken, apiKey: otherKeys.get('customers:write') };
    expect(await callOperation(signedIn.service, 'createCustomer', call)).toMatchObject({
      status: 401,
      body: { error: 'unauthorized' },
    });
  });

  test('D-04 the access level comes before the scope', async () => {
    const { service, firmId } = signedIn;
    const idToken = await service.idToken(
      await service.createUser({ firmId, access: 'portalOnly' }),
    );
    const call = { ...broken, idToken, apiKey: otherKeys.get('customers:write') };
    expect(await signedIn.call('createCustomer', call)).toMatchObject({
      status: 401,
      body: { error: 'portalOnly' },
    });
  });

  test('D-04 the scope comes before the body', async () => {
    const call = { ...broken, apiKey: otherKeys.get('customers:write') };
    expect(await signedIn.call('createCustomer', call)).toMatchObject(insufficientScope);
  });

  test('D-04 the body comes before visibility', async () => {
    const other = await signedIn.anotherFirm();
    const { id: customerId } = await other.customers.create(newCustomer());
    const call = { path: { customerId }, body: { unknown: 1 } };
    expect(await signedIn.call('updateCustomer', call)).toMatchObject({
      status: 400,
      body: { error: 'unknownField' },
    });
  });
});
