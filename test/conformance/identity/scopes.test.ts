import { type OperationId, operations, type Scope, scopes } from '@adx/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { callOperation } from '../../support/call-operation.js';
import { newCustomer } from '../../support/new-customer.js';
import { useSignedInService } from '../../support/use-service.js';

/** Every operation with its method, path and scope (D-01), with which the spec is compared. */
const table: readonly [OperationId, string, string, Scope | undefined][] = [
  ['getToken', 'post', '/token', undefined],
  ['helloWorld', 'get', '/hello-world', undefined],
  ['listCustomers', 'get', '/customers', 'customers:read'],
  ['searchCustomers', 'post', '/customers', 'customers:read'],
  ['createCustomer', 'post', '/customers/create', 'customers:write'],
  ['getCustomer', 'get', '/customers/{customerId}', 'customers:read'],
  ['updateCustomer', 'patch', '/customers/{customerId}', 'customers:write'],
  ['archiveCustomer', 'delete', '/customers/{customerId}', 'customers:delete'],
  ['addBankAccount', 'post', '/customers/{customerId}/bank-accounts/{iban}', 'customers:write'],
  [
    'disableBankAccount',
    'delete',
    '/customers/{customerId}/bank-accounts/{iban}',
    'customers:delete',
  ],
  [
    'addPayrollProvider',
    'post',
    '/customers/{customerId}/payroll-providers/{code}',
    'customers:write',
  ],
  [
    'removePayrollProvider',
    'delete',
    '/customers/{customerId}/payroll-providers/{code}',
    'customers:delete',
  ],
  ['listPayrollProviders', 'post', '/payroll-providers', 'customers:read'],
  ['listBanks', 'post', '/banks', 'customers:read'],
  ['searchMandates', 'post', '/mandates', 'mandates:read'],
  ['getMandate', 'get', '/mandates/{mandateId}', 'mandates:read'],
  ['listCodaFiles', 'post', '/coda-files', 'files:read'],
  ['listCodbFiles', 'post', '/codb-files', 'files:read'],
  ['acknowledgeCodaFile', 'delete', '/coda-files/{fileId}', 'files:read'],
  ['getCodaUploadCredentials', 'post', '/coda-files/upload-credentials', 'files:write'],
  ['getCodbUploadCredentials', 'post', '/codb-files/upload-credentials', 'files:write'],
  ['acknowledgeCodbFile', 'delete', '/codb-files/{fileId}', 'files:read'],
  ['requestMandate', 'post', '/mandates/{mandateId}/request', 'mandates:write'],
  ['listMissingStatements', 'post', '/coda-files/missing', 'files:read'],
  ['listUploads', 'post', '/uploads', 'files:write'],
  ['getUpload', 'get', '/uploads/{uploadId}', 'files:write'],
  ['listAuditEntries', 'post', '/audit-entries', 'audit:read'],
  ['acknowledgeCodaFiles', 'post', '/coda-files/acknowledgements', 'files:read'],
  ['acknowledgeCodbFiles', 'post', '/codb-files/acknowledgements', 'files:read'],
];
const scoped = table.flatMap(([operationId, , , scope]) =>
  scope === undefined ? [] : [[operationId, scope] as const],
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

test('D-01 the interface has these operations and no others', () => {
  expect(Object.keys(operations).toSorted()).toEqual(table.map(([id]) => id).toSorted());
});

test.each(table)('D-01 %s is %s %s, scope %s', (operationId, method, path, scope) => {
  expect(operations[operationId]).toMatchObject({
    method,
    path,
    scopes: scope === undefined ? [] : [scope],
    idToken: operationId !== 'getToken',
  });
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
