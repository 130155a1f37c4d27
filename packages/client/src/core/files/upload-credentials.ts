import type { Caller } from '../call.js';

/** Temporary credentials of S3 that allow putting objects under a prefix (§2.7). */
export interface StorageCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly bucketName: string;
  readonly prefix: string;
  readonly expirationUtc: string;
  /** The address of the storage, unless it is AWS, and its region (D-32). */
  readonly endpoint?: string;
  readonly region?: string;
}

/**
 * Credentials are renewed 5 minutes before they expire, so that they do not expire during an
 * upload.
 */
const margin = 5 * 60_000;

/** Returns upload credentials. Pass the credentials that the storage has just refused, if any. */
type CredentialSource = (refused?: StorageCredentials) => Promise<StorageCredentials>;

/** The sources by client and operation: concurrent uploads share one request for credentials. */
const sources = new WeakMap<Caller, Map<string, CredentialSource>>();

/**
 * Returns the source of credentials of a client and operation.
 *
 * @param issue requests credentials from the service
 */
export function credentialSource(
  caller: Caller,
  operation: string,
  issue: () => Promise<StorageCredentials>,
): CredentialSource {
  const ofCaller = sources.get(caller) ?? new Map<string, CredentialSource>();
  sources.set(caller, ofCaller);
  const source = ofCaller.get(operation) ?? createSource(issue);
  ofCaller.set(operation, source);
  return source;
}

function createSource(issue: () => Promise<StorageCredentials>): CredentialSource {
  let current: StorageCredentials | undefined;
  let renewal: Promise<StorageCredentials> | undefined;

  async function renew(): Promise<StorageCredentials> {
    current = await issue();
    return current;
  }

  return async (refused) => {
    const isUsable =
      current !== undefined &&
      current !== refused &&
      Date.now() < Date.parse(current.expirationUtc) - margin;
    if (current && isUsable) return current;
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    return renewal;
  };
}
