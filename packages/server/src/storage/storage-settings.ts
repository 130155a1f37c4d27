/** The object storage that the service starts itself. */
export interface EmbeddedStorageSettings {
  readonly kind: 'embedded';
  /** Port to listen on; 0 takes a free one. */
  readonly port: number;
  /** Where partners reach it; absent where that is its own address. */
  readonly publicUrl: string | undefined;
}

/** An object storage of your own. */
export interface S3StorageSettings {
  readonly kind: 's3';
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

export type StorageSettings = EmbeddedStorageSettings | S3StorageSettings;

/** The buckets of the service: one for files that are listed, one for the uploads of each product (D-19). */
export interface StorageBuckets {
  readonly files: string;
  readonly codaUploads: string;
  readonly codbUploads: string;
}

/** The storage settings of an environment, each of the right form by itself. */
export interface StorageVariables {
  readonly STORAGE_PORT: number;
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
/** What makes no sense beside the embedded storage. */
const needless = [
  ...(['S3_REGION', 'S3_PATH_STYLE', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const),
  ...(['STS_ROLE_ARN', 'STS_ENDPOINT'] as const),
];

/**
 * Settings that are missing, or do not go together, each in a sentence that begins with its name.
 */
export function storageFindings(variables: StorageVariables): string[] {
  const isSet = (name: keyof StorageVariables) => variables[name] !== undefined;
  if (!usesS3(variables)) {
    return needless
      .filter(isSet)
      .map(
        (name) => `${name}: is for a storage of your own, which S3_ENDPOINT or S3_BUCKET_… name`,
      );
  }
  const findings: string[] = [...bucketNames, 'STS_ROLE_ARN' as const]
    .filter((name) => !isSet(name))
    .map((name) => `${name}: is needed for a storage of your own`);
  const buckets = bucketNames.map((name) => variables[name]).filter((name) => name !== undefined);
  if (new Set(buckets).size < buckets.length) {
    findings.push('S3_BUCKET_FILES: every S3_BUCKET_… has to name a bucket of its own');
  }
  if (isSet('S3_ACCESS_KEY_ID') !== isSet('S3_SECRET_ACCESS_KEY')) {
    findings.push('S3_ACCESS_KEY_ID: is set together with S3_SECRET_ACCESS_KEY, or not at all');
  } else if (isSet('S3_ENDPOINT') && !isSet('S3_ACCESS_KEY_ID')) {
    findings.push('S3_ACCESS_KEY_ID: is needed beside S3_ENDPOINT');
  }
  if (!isSet('S3_ENDPOINT') && !isSet('S3_REGION')) {
    findings.push('S3_REGION: is needed for AWS');
  }
  return findings;
}

/** The settings in the form in which the service reads them; they have no findings. */
export function toStorageSettings(variables: StorageVariables): StorageSettings {
  const publicUrl = variables.STORAGE_PUBLIC_URL;
  if (!usesS3(variables)) return { kind: 'embedded', port: variables.STORAGE_PORT, publicUrl };
  const endpoint = variables.S3_ENDPOINT;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = variables;
  return {
    kind: 's3',
    ...{ endpoint, publicUrl },
    // What storages that have no regions expect.
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
    // Storages of one's own, such as MinIO and Ceph, answer STS where they answer S3.
    stsEndpoint: variables.STS_ENDPOINT ?? endpoint,
  };
}

function usesS3(variables: StorageVariables): boolean {
  return (
    variables.S3_ENDPOINT !== undefined || bucketNames.some((name) => variables[name] !== undefined)
  );
}
