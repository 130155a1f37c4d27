import type { OperationId } from '@adx/contract';
import { expect, test } from 'vitest';
import type { OperationCall } from '../support/call-operation.js';
import { useSignedInService } from '../support/use-service.js';

const signedIn = useSignedInService();

async function detailsOf(operationId: OperationId, call: OperationCall) {
  const { body } = await signedIn.call(operationId, call);
  const { details } = body as { details: readonly { path: string; message: string }[] };
  return details.map(({ path, message }) => `${path} ${message}`);
}

test.each<[string, OperationId, OperationCall, string]>([
  [
    'a text of a form',
    'searchMandates',
    { body: { enterpriseNumber: '0812345603' } },
    'enterpriseNumber must match pattern "^[01][0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$", for example 0765.432.146',
  ],
  [
    'a format',
    'listUploads',
    { body: { receivedSince: '2026-01-01' } },
    'receivedSince must match format "date-time", for example 2026-03-02T08:00:00+01:00',
  ],
  [
    'an item of an array',
    'acknowledgeCodaFiles',
    { body: { fileIds: ['x'] } },
    'fileIds.0 must match pattern "^[0-9a-fA-F]{24}$", for example 6741b2c3d4e5f6a7b8c9d0e1',
  ],
  [
    'a parameter in the path',
    'getCustomer',
    { path: { customerId: 'x' } },
    'customerId must match pattern "^[0-9a-fA-F]{24}$", for example 673f0c2a9b1d4e8f7a6c5b4d',
  ],
  [
    'a header',
    'requestMandate',
    { path: { mandateId: 'a'.repeat(24) }, headers: { 'Idempotency-Key': 'a b' } },
    'Idempotency-Key must match pattern "^[!-~]+$", for example 8e03978e-40d5-43dd-bc93-6894a57f9324',
  ],
])('D-03 a finding about %s gives the example of the spec', async (_, operationId, call, line) => {
  expect(await detailsOf(operationId, call)).toEqual([line]);
});

const statuses = /^status(\.\d)? must be equal to one of the allowed values: .*\bexpired\b/;

test.each([['signed'], [['signed']], [5]])(
  'D-03 the status %j gets only the findings of the form that was meant',
  async (status) => {
    const [first, ...others] = await detailsOf('searchMandates', { body: { status } });
    const lines = [first, ...others].filter((line) => !line?.endsWith('must be string'));
    expect(lines[0]).toMatch(statuses);
    expect(lines.slice(1)).toEqual(status === 5 ? ['status must be array'] : []);
  },
);

test.each([
  [{ username: 'els' }, ['password']],
  [{ password: 'eA==' }, ['username']],
  [{}, ['username', 'password', 'refreshToken']],
])('D-03 signing in with %j asks for the fields of its form', async (body, missing) => {
  expect(await detailsOf('getToken', { body })).toEqual(
    missing.map((name) => `${name} is required`),
  );
});
