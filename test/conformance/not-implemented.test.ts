import type { OperationId } from '@adx/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignedInService, startSignedInService } from './signed-in-service.js';

let signedIn: SignedInService;
beforeAll(async () => {
  signedIn = await startSignedInService();
});
afterAll(() => signedIn.service.close());

/** Operations 17 to 22, and what their path or body refuses. */
const notServed: readonly [OperationId, object][] = [
  ['listCodaFiles', { body: { redownload: 'yes' } }],
  ['listCodbFiles', { body: { accountPeriod: '202602' } }],
  ['acknowledgeCodaFile', { path: { fileId: 'x' } }],
  ['getCodaUploadCredentials', { query: 'unknown=1' }],
  ['getCodbUploadCredentials', { query: 'unknown=1' }],
  ['acknowledgeCodbFile', { path: { fileId: 'x' } }],
];

test.each(notServed)(
  'D-03 %s: an operation that is not served yet answers 501',
  async (operationId) => {
    expect(await signedIn.call(operationId)).toMatchObject({
      status: 501,
      body: { error: 'notImplemented' },
    });
  },
);

test.each(notServed)('D-04 %s: the request is checked before that', async (operationId, call) => {
  expect(await signedIn.call(operationId, call)).toMatchObject({ status: 400 });
});
