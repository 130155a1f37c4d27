import { S3ServiceException } from '@aws-sdk/client-s3';
import { STSServiceException } from '@aws-sdk/client-sts';

/** Returns true if the storage or its token service did not respond in time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && ['TimeoutError', 'AbortError'].includes(error.name);
}

/**
 * Returns true for a refusal or timeout. To a caller, a refusal is an outage (503) too, because
 * settings may be its cause. `isUnavailable` recognises failed connections, like those to the
 * database.
 */
export function isStorageFailure(error: unknown): boolean {
  return (
    error instanceof S3ServiceException ||
    error instanceof STSServiceException ||
    isTimeout(error) ||
    (error instanceof Error && error.name === 'CredentialsProviderError')
  );
}

/** Returns true if the storage refuses a request, so that it may fulfil others. */
export function isRefusal(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$fault === 'client' && !isTimeout(error);
}
