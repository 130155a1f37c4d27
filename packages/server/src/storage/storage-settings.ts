/** The object storage of the service. */
export interface StorageSettings {
  /** Absent for AWS. */
  readonly endpoint: string | undefined;
  /** Where partners reach it; absent where that is the endpoint. */
  readonly publicUrl: string | undefined;
  readonly region: string;
  /** Whether buckets stand in the path, not in the host name. */
  readonly pathStyle: boolean;
  /** Absent where the machine has them, in one of the places that AWS clients look. */
  readonly credentials:
    | { readonly accessKeyId: string; readonly secretAccessKey: string }
    | undefined;
  readonly buckets: StorageBuckets;
  /** The role that partners upload as. */
  readonly roleArn: string;
  /** Absent for that of AWS. */
  readonly stsEndpoint: string | undefined;
}

/** The buckets of the service: one for files that are listed, one for the uploads of each product (D-19). */
export interface StorageBuckets {
  readonly files: string;
  readonly codaUploads: string;
  readonly codbUploads: string;
}

/** The storage settings of an environment, each of the right form by itself. */
export interface StorageVariables {
  readonly STORAGE_PUBLIC_URL?: string | undefined;
  readonly S3_ENDPOINT?: string | undefined;
  readonly S3_REGION?: string | undefined;
  readonly S3_PATH_STYLE?: 'true' | 'false' | undefined;
  readonly S3_ACCESS_KEY_ID?: string | undefined;
  readonly S3_SECRET_ACCESS_KEY?: string | undefined;
  readonly S3_BUCKET_FILES?: string | undefined;
  readonly S3_BUCKET_CODA_UPLOADS?: string | undefined;
  readonly S3_BUCKET_CODB_UPLOADS?: string | undefined;
  readonly STS_ROLE_ARN?: string | undefined;
  readonly STS_ENDPOINT?: string | undefined;
}

const bucketNames = [
  'S3_BUCKET_FILES',
  'S3_BUCKET_CODA_UPLOADS',
  'S3_BUCKET_CODB_UPLOADS',
] as const;

/**
 * Settings of the storage that are missing or contradict each other, each in a sentence that begins
 * with its name.
 *
 * @param given - the environment's settings, by name
 */
export function storageFindings(given: ReadonlyMap<string, string>): string[] {
  const findings: string[] = [...bucketNames, 'STS_ROLE_ARN']
    .filter((name) => !given.has(name))
    .map((name) => `${name}: is missing`);
  const buckets = bucketNames.map((name) => given.get(name)).filter((name) => name !== undefined);
  if (new Set(buckets).size < buckets.length) {
    findings.push('S3_BUCKET_FILES: every S3_BUCKET_… has to name a bucket of its own');
  }
  if (given.has('S3_ACCESS_KEY_ID') !== given.has('S3_SECRET_ACCESS_KEY')) {
    findings.push('S3_ACCESS_KEY_ID: is set together with S3_SECRET_ACCESS_KEY, or not at all');
  } else if (given.has('S3_ENDPOINT') && !given.has('S3_ACCESS_KEY_ID')) {
    findings.push('S3_ACCESS_KEY_ID: is needed with S3_ENDPOINT');
  }
  if (!given.has('S3_ENDPOINT') && !given.has('S3_REGION')) {
    findings.push('S3_REGION: is missing; for a storage that is not AWS, set S3_ENDPOINT');
  }
  return findings;
}

/** The storage settings in the form in which the service reads them; they have no findings. */
export function toStorageSettings(variables: StorageVariables): StorageSettings {
  const endpoint = variables.S3_ENDPOINT;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = variables;
  return {
    ...{ endpoint, publicUrl: variables.STORAGE_PUBLIC_URL },
    // Expected by storages that have no regions.
    region: variables.S3_REGION ?? 'us-east-1',
    pathStyle:
      variables.S3_PATH_STYLE === undefined
        ? endpoint !== undefined
        : variables.S3_PATH_STYLE === 'true',
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey },
    buckets: {
      files: variables.S3_BUCKET_FILES ?? '',
      codaUploads: variables.S3_BUCKET_CODA_UPLOADS ?? '',
      codbUploads: variables.S3_BUCKET_CODB_UPLOADS ?? '',
    },
    roleArn: variables.STS_ROLE_ARN ?? '',
    // MinIO and Ceph answer STS at the same address as S3.
    stsEndpoint: variables.STS_ENDPOINT ?? endpoint,
  };
}
