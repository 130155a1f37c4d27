import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { expect, onTestFinished, test } from 'vitest';
import { roleArn } from '../src/storage/assume-role.js';
import { deriveCredentials } from '../src/storage/credentials.js';
import { errorDocument, S3Error } from '../src/storage/s3-error.js';
import { secret, upload, useTestStorage } from './open-test-storage.js';
import { type RawRequest, send, sendSigned, signed } from './send-signed.js';

const owner = deriveCredentials(secret);
const storage = useTestStorage();

const statement = {
  Effect: 'Allow',
  Action: 's3:PutObject',
  Resource: `arn:aws:s3:::${upload.bucket}/${upload.prefix}/*`,
};
const noKey = {
  's3:x-amz-server-side-encryption-customer-algorithm': 'true',
  's3:x-amz-server-side-encryption-aws-kms-key-id': 'true',
};
const withoutClass = { Null: { ...noKey, 's3:x-amz-storage-class': 'true' } };
const standardClass = { Null: noKey, StringEquals: { 's3:x-amz-storage-class': 'STANDARD' } };
const policy = (...statements: object[]) =>
  JSON.stringify({ Version: '2012-10-17', Statement: statements });
/** Returns the policy of the service, with a change of its statements. */
const policyOf = (changed: object) =>
  policy({ ...changed, Condition: withoutClass }, { ...changed, Condition: standardClass });

function assumeRole(changes: Record<string, string> = {}): RawRequest {
  const parameters = {
    Action: 'AssumeRole',
    RoleArn: roleArn,
    RoleSessionName: 'adx-test',
    DurationSeconds: '3600',
    Policy: policyOf(statement),
    ...changes,
  };
  return {
    method: 'POST',
    path: '/',
    service: 'sts',
    body: new URLSearchParams(parameters).toString(),
  };
}

test('§2.7 only the owner of the storage can assume the role', async () => {
  const answer = await sendSigned(storage, owner, assumeRole());
  expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('<SessionToken>') });

  const keys = await storage.issueUploadCredentials(upload);
  expect(await sendSigned(storage, keys, assumeRole())).toMatchObject({
    status: 403,
    code: 'AccessDenied',
  });
  const { body = '', ...request } = assumeRole();
  expect(await send(storage, { ...request, body })).toMatchObject({
    status: 403,
    code: 'AccessDenied',
  });
});

test('§2.7 a request to assume the role is signed for STS, with its body', async () => {
  expect(await sendSigned(storage, owner, { ...assumeRole(), service: 's3' })).toMatchObject({
    status: 400,
    code: 'AuthorizationHeaderMalformed',
  });
  const request = signed(storage, owner, assumeRole());
  const body = String(request.body).replace('maes', 'mars');
  expect(await send(storage, { ...request, body })).toMatchObject({
    status: 403,
    code: 'SignatureDoesNotMatch',
  });
  const list = { method: 'GET', path: `/${upload.bucket}?list-type=2` };
  expect(await sendSigned(storage, owner, { ...list, service: 'sts' })).toMatchObject({
    status: 400,
  });
});

test('§2.7 the AWS SDK names the reason of a refusal', async () => {
  const { url: endpoint } = storage;
  const client = new STSClient({ endpoint, region: 'eu-west-1', credentials: owner });
  onTestFinished(() => client.destroy());
  const command = new AssumeRoleCommand({
    RoleArn: `${roleArn}-of-others`,
    RoleSessionName: 'adx',
  });
  await expect(client.send(command)).rejects.toMatchObject({
    name: 'AccessDenied',
    message: 'There is no such role',
  });
});

test.each([
  ['no policy', { Policy: '' }, 'MalformedPolicyDocument'],
  [
    'another action',
    { Policy: policyOf({ ...statement, Action: 's3:*' }) },
    'MalformedPolicyDocument',
  ],
  [
    'further actions',
    { Policy: policyOf({ ...statement, Action: ['s3:PutObject', 's3:GetObject'] }) },
    'MalformedPolicyDocument',
  ],
  [
    'a whole bucket',
    { Policy: policyOf({ ...statement, Resource: 'arn:aws:s3:::adx-files/*' }) },
    'MalformedPolicyDocument',
  ],
  [
    'any bucket',
    { Policy: policyOf({ ...statement, Resource: 'arn:aws:s3:::*/uploads/x/*' }) },
    'MalformedPolicyDocument',
  ],
  [
    'a wildcard in the prefix',
    { Policy: policyOf({ ...statement, Resource: 'arn:aws:s3:::b/u*/x/*' }) },
    'MalformedPolicyDocument',
  ],
  ['no conditions', { Policy: policy(statement, statement) }, 'MalformedPolicyDocument'],
  [
    'only one statement',
    { Policy: policy({ ...statement, Condition: withoutClass }) },
    'MalformedPolicyDocument',
  ],
  [
    'a third statement',
    {
      Policy: policy(
        { ...statement, Condition: withoutClass },
        { ...statement, Condition: standardClass },
        statement,
      ),
    },
    'MalformedPolicyDocument',
  ],
  [
    'two prefixes',
    {
      Policy: policy(
        { ...statement, Condition: withoutClass },
        { ...statement, Resource: 'arn:aws:s3:::b/other/*', Condition: standardClass },
      ),
    },
    'MalformedPolicyDocument',
  ],
  [
    'any storage class',
    {
      Policy: policy(
        { ...statement, Condition: { Null: noKey } },
        { ...statement, Condition: standardClass },
      ),
    },
    'MalformedPolicyDocument',
  ],
  [
    'keys of the caller',
    {
      Policy: policy(
        { ...statement, Condition: { Null: { 's3:x-amz-storage-class': 'true' } } },
        { ...statement, Condition: standardClass },
      ),
    },
    'MalformedPolicyDocument',
  ],
  ['another role', { RoleArn: 'arn:aws:iam::000000000000:role/other' }, 'AccessDenied'],
  ['another action of STS', { Action: 'GetSessionToken' }, 'NotImplemented'],
  ['more than twelve hours', { DurationSeconds: '43201' }, 'ValidationError'],
  ['a malformed session name', { RoleSessionName: 'a b' }, 'ValidationError'],
])('§2.7 the role is not assumed with %s', async (_what, changes, code) => {
  const answer = await sendSigned(storage, owner, assumeRole(changes));
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.code).toBe(code);
  expect(answer.text).not.toContain('<SessionToken>');
});

test.each([
  [403, 'Sender'],
  [500, 'Receiver'],
])('§2.7 an STS error of status %i is the fault of the %s', (status, type) => {
  const document = errorDocument(new S3Error(status, 'Code', 'Message'), true);
  expect(document).toContain(`<ErrorResponse><Error><Type>${type}</Type><Code>Code</Code>`);
});
