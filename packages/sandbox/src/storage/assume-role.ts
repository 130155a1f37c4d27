import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { authenticate, type StorageTime } from './authenticate.js';
import { type Credentials, issueTemporary, type UploadScope } from './credentials.js';
import { readBytes } from './payload.js';
import { parseTarget } from './request-target.js';
import { S3Error, sendXml } from './s3-error.js';

/** The only role of this storage. */
export const roleArn = 'arn:aws:iam::000000000000:role/adx-sandbox-upload';

/** The length of the longest STS request, in bytes. */
const longestRequest = 64 * 1024;

/** Permission to put objects under one prefix of a bucket. */
const statement = {
  Effect: z.literal('Allow'),
  Action: z.literal('s3:PutObject'),
  Resource: z.string().regex(/^arn:aws:s3:::[a-z0-9.-]+\/[^*?$]+\/\*$/),
};

/** The headers that encrypt an object with a key of the caller are absent. */
const ownKey = {
  's3:x-amz-server-side-encryption-customer-algorithm': z.literal('true'),
  's3:x-amz-server-side-encryption-aws-kms-key-id': z.literal('true'),
};

/**
 * The policies that are supported. They allow what this storage supports: the class `STANDARD`, and
 * no keys.
 */
const policySchema = z.strictObject({
  Version: z.literal('2012-10-17'),
  Statement: z
    .tuple([
      z.strictObject({
        ...statement,
        Condition: z.strictObject({
          Null: z.strictObject({ ...ownKey, 's3:x-amz-storage-class': z.literal('true') }),
        }),
      }),
      z.strictObject({
        ...statement,
        Condition: z.strictObject({
          Null: z.strictObject(ownKey),
          StringEquals: z.strictObject({ 's3:x-amz-storage-class': z.literal('STANDARD') }),
        }),
      }),
    ])
    .refine(([first, second]) => first.Resource === second.Resource),
});

/**
 * Handles the STS request `AssumeRole` with temporary credentials that its session policy
 * restricts.
 *
 * @throws S3Error for any other request, and for a policy that would allow anything else
 */
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

/**
 * @throws S3Error unless the policy allows putting plain objects under one prefix, and nothing else
 */
function scopeOf(policy: string): UploadScope {
  const parsed = policySchema.safeParse(parseJson(policy));
  const resource = parsed.data?.Statement[0].Resource.slice('arn:aws:s3:::'.length, -1);
  if (resource === undefined) {
    throw new S3Error(
      400,
      'MalformedPolicyDocument',
      'The policy must allow s3:PutObject under one prefix of a bucket, in the class STANDARD and without keys of the caller, and nothing else',
    );
  }
  const slash = resource.indexOf('/');
  return { bucket: resource.slice(0, slash), prefix: resource.slice(slash + 1) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
