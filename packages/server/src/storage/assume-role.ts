import type { UploadCredentials } from '@adx/contract';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { patience } from './s3-client.js';
import type { StorageSettings } from './storage-settings.js';

/** Prefixes that say the same to a policy as to a reader: no wildcard, no variable. */
const plainPrefix = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;

/** Upload credentials of a role, cut down to one prefix by a policy of the session. */
export function createRoleCredentials(settings: StorageSettings): {
  readonly issue: IssueUploadCredentials;
  close(): void;
} {
  const { region, credentials, roleArn, stsEndpoint } = settings;
  const client = new STSClient({
    ...patience,
    region,
    ...(stsEndpoint !== undefined && { endpoint: stsEndpoint }),
    ...(credentials !== undefined && { credentials }),
  });
  return {
    async issue({ bucket, prefix }) {
      if (!plainPrefix.test(prefix)) throw new Error(`${prefix} is no plain prefix`);
      const { Credentials: issued } = await client.send(
        new AssumeRoleCommand({
          RoleArn: roleArn,
          RoleSessionName: sessionName(prefix),
          DurationSeconds: uploadSeconds,
          Policy: JSON.stringify(putPolicy(`${arnOf(roleArn)}:s3:::${bucket}/${prefix}/*`)),
        }),
      );
      const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = issued ?? {};
      if (!AccessKeyId || !SecretAccessKey || !SessionToken || !Expiration) {
        throw new Error('The token service answered without credentials');
      }
      return {
        accessKeyId: AccessKeyId,
        secretAccessKey: SecretAccessKey,
        sessionToken: SessionToken,
        bucketName: bucket,
        prefix,
        expirationUtc: Expiration.toISOString(),
      };
    },
    close: () => client.destroy(),
  };
}

function putPolicy(resource: string) {
  return {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 's3:PutObject', Resource: resource }],
  };
}

/** Beginning of the names of the role's part of AWS; China and the US government have their own. */
function arnOf(roleArn: string): string {
  return /^arn:aws-[a-z-]+(?=:)/.exec(roleArn)?.[0] ?? 'arn:aws';
}

/** Names the grant in the audit trail of the storage: 64 characters at most, ending with its id (D-31). */
function sessionName(prefix: string): string {
  return `adx-${prefix.split('/').at(-1)?.slice(-60)}`;
}

/** How long upload credentials are valid, in seconds. */
export const uploadSeconds = 3600;

/**
 * Temporary credentials that permit to put objects under `<prefix>/` of a bucket for an hour, and
 * nothing else (§2.7).
 *
 * @throws Error where the storage's token service refuses or does not answer
 */
export type IssueUploadCredentials = (
  upload: { readonly bucket: string; readonly prefix: string },
  now: Date,
) => Promise<UploadCredentials>;
