import type { UploadCredentials } from '@adx/contract';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { clientOptions, forCall, nameRequest, traceCommand } from './s3-client.js';
import type { StorageSettings } from './storage-settings.js';

/** How long upload credentials are valid, in seconds. */
export const uploadSeconds = 3600;

/**
 * Issues credentials that can only put objects under `<prefix>/` of a bucket, for one hour (§2.7).
 *
 * @throws Error if the token service refuses or does not respond
 */
export type IssueUploadCredentials = (upload: {
  readonly bucket: string;
  readonly prefix: string;
}) => Promise<UploadCredentials>;

/** Prefixes that a policy takes literally: without wildcards and variables. */
const plainPrefix = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;

/**
 * Issues credentials of a role, limited to one prefix by a session policy.
 *
 * @param endpointOf - the address of the storage for partners; undefined for AWS (D-32)
 */
export function createRoleCredentials(
  settings: StorageSettings,
  endpointOf: (bucket: string) => string | undefined,
): {
  readonly issue: IssueUploadCredentials;
  close(): void;
} {
  const { region, credentials, roleArn, stsEndpoint } = settings;
  const client = new STSClient({
    ...clientOptions,
    region,
    ...(stsEndpoint !== undefined && { endpoint: stsEndpoint }),
    ...(credentials !== undefined && { credentials }),
  });
  client.middlewareStack.add(traceCommand, { step: 'initialize' });
  client.middlewareStack.add(nameRequest, { step: 'build' });
  return {
    async issue({ bucket, prefix }) {
      if (!plainPrefix.test(prefix)) {
        throw new Error(`The prefix ${prefix} has characters that policies do not take literally`);
      }
      const { Credentials: issued } = await client.send(
        new AssumeRoleCommand({
          RoleArn: roleArn,
          RoleSessionName: sessionName(prefix),
          DurationSeconds: uploadSeconds,
          Policy: JSON.stringify(putPolicy(`${partitionOf(roleArn)}:s3:::${bucket}/${prefix}/*`)),
        }),
        forCall(),
      );
      const endpoint = endpointOf(bucket);
      const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = issued ?? {};
      if (!AccessKeyId || !SecretAccessKey || !SessionToken || !Expiration) {
        throw new Error('The token service returned no credentials');
      }
      return {
        accessKeyId: AccessKeyId,
        secretAccessKey: SecretAccessKey,
        sessionToken: SessionToken,
        bucketName: bucket,
        prefix,
        expirationUtc: Expiration.toISOString(),
        ...(endpoint !== undefined && { endpoint }),
        region,
      };
    },
    close: () => client.destroy(),
  };
}

const storageClass = 's3:x-amz-storage-class';

/** Headers that would encrypt an object with a key that only the caller can use. */
const ownKey = {
  's3:x-amz-server-side-encryption-customer-algorithm': 'true',
  's3:x-amz-server-side-encryption-aws-kms-key-id': 'true',
};

/**
 * Permits objects that the service can read: not in an archive, and not encrypted with a key of the
 * caller (D-31). `s3:PutObject` alone allows neither access lists nor tags nor locks. The storage
 * class is `STANDARD` or absent: two statements, as not every store knows `StringEqualsIfExists`.
 */
function putPolicy(resource: string) {
  const statement = { Effect: 'Allow', Action: 's3:PutObject', Resource: resource };
  return {
    Version: '2012-10-17',
    Statement: [
      { ...statement, Condition: { Null: { ...ownKey, [storageClass]: 'true' } } },
      {
        ...statement,
        Condition: { Null: ownKey, StringEquals: { [storageClass]: 'STANDARD' } },
      },
    ],
  };
}

/** Returns the ARN prefix of a role's partition, such as `arn:aws-cn` in China. */
function partitionOf(roleArn: string): string {
  return /^arn:aws-[a-z-]+(?=:)/.exec(roleArn)?.[0] ?? 'arn:aws';
}

/** Returns at most 64 characters, which end with the id of the grant, for audit logs (D-31). */
function sessionName(prefix: string): string {
  return `adx-${prefix.split('/').at(-1)?.slice(-60)}`;
}
