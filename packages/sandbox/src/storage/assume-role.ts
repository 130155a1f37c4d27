import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { authenticate, type StorageTime } from './authenticate.js';
import { type Credentials, issueTemporary, type UploadScope } from './credentials.js';
import { readBytes } from './payload.js';
import { parseTarget } from './request-target.js';
import { S3Error, sendXml } from './s3-error.js';

export const roleArn = 'arn:aws:iam::000000000000:role/adx-sandbox-upload';

/** The length of the longest STS request, in bytes. */
const longestRequest = 64 * 1024;

/** The headers that encrypt an object with a key of the caller are absent. */
const ownKey = {
  's3:x-amz-server-side-encryption-customer-algorithm': 'true',
  's3:x-amz-server-side-encryption-aws-kms-key-id': 'true',
};
const storageClass = 's3:x-amz-storage-class';

/** Returns the only supported policy: this storage knows the class `STANDARD`, and no keys. */
function policyFor(resource: string) {
  const statement = { Effect: 'Allow', Action: 's3:PutObject', Resource: resource };
  const standard = { Null: ownKey, StringEquals: { [storageClass]: 'STANDARD' } };
  return {
    Version: '2012-10-17',
    Statement: [
      { ...statement, Condition: { Null: { ...ownKey, [storageClass]: 'true' } } },
      { ...statement, Condition: standard },
    ],
  };
}

/** @throws S3Error for any other request than `AssumeRole`, and for a policy that allows more */
export async function assumeRole(
  request: IncomingMessage,
  response: ServerResponse,
  credentials: Credentials,
  time: StorageTime,
): Promise<void> {
  if (request.headers.expect !== undefined) response.writeContinue();
  const body = (await readBytes(request, longestRequest)).toString();
  const target = parseTarget(request.url ?? '');
  const { caller } = authenticate(request, target, credentials, time, body);
  if (caller.session !== undefined) {
    throw new S3Error(403, 'AccessDenied', 'Temporary credentials cannot assume a role');
  }
  const form = new URLSearchParams(body);
  if (form.get('Action') !== 'AssumeRole') {
    throw new S3Error(501, 'NotImplemented', 'This token service supports only AssumeRole');
  }
  if (form.get('RoleArn') !== roleArn) {
    throw new S3Error(403, 'AccessDenied', 'There is no such role');
  }
  const seconds = Number(form.get('DurationSeconds') ?? '3600');
  if (!Number.isInteger(seconds) || seconds < 900 || seconds > 43_200) {
    throw new S3Error(400, 'ValidationError', 'DurationSeconds is not a number from 900 to 43200');
  }
  if (!/^[\w+=,.@-]{2,64}$/.test(form.get('RoleSessionName') ?? '')) {
    throw new S3Error(400, 'ValidationError', 'RoleSessionName is missing or malformed');
  }
  const expires = new Date(time.now.getTime() + seconds * 1000);
  const issued = issueTemporary(credentials, scopeOf(form.get('Policy') ?? ''), {
    issued: time.now,
    expires,
  });
  sendXml(
    response,
    200,
    '<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>' +
      `<Credentials><AccessKeyId>${issued.accessKeyId}</AccessKeyId><SecretAccessKey>${issued.secretAccessKey}</SecretAccessKey>` +
      `<SessionToken>${issued.sessionToken}</SessionToken><Expiration>${expires.toISOString()}</Expiration></Credentials>` +
      '</AssumeRoleResult></AssumeRoleResponse>',
  );
}

/** @throws S3Error unless the policy allows putting plain objects under one prefix, and no more */
function scopeOf(policy: string): UploadScope {
  const [, resource = '', bucket = '', prefix = ''] =
    /"(arn:aws:s3:::([a-z0-9.-]+)\/([^*?$"]+\/)\*)"/.exec(policy) ?? [];
  if (isDeepStrictEqual(parseJson(policy), policyFor(resource))) return { bucket, prefix };
  throw new S3Error(
    400,
    'MalformedPolicyDocument',
    'The policy must allow s3:PutObject under one prefix of a bucket, in the class STANDARD and without keys of the caller, and nothing else',
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
