import { S3ServiceException } from '@aws-sdk/client-s3';
import { STSServiceException } from '@aws-sdk/client-sts';

/** Names of errors of the SDK that are no answers of a server: no answer in time (`forCall`), no credentials. */
const namesWithoutAnswer = new Set(['TimeoutError', 'AbortError', 'CredentialsProviderError']);

/**
 * Returns true if the storage or its token service refused or did not respond. To a caller all of this is
 * an outage (503), whether the cause is the storage or its settings; failed connections are recognised
 * by `isUnavailable`, like those to the database.
 */
export function isStorageFailure(error: unknown): boolean {
  return (
    error instanceof S3ServiceException ||
    error instanceof STSServiceException ||
    (error instanceof Error && namesWithoutAnswer.has(error.name))
  );
}
