import type { Product } from '@adx/contract';
import type { Settings } from '../settings.js';

export interface StorageSettings {
  /** Undefined for AWS. */
  readonly endpoint: string | undefined;
  /** The address for partners; undefined if it is the endpoint. */
  readonly publicUrl: string | undefined;
  readonly region: string;
  /** True if URLs have the bucket in the path, false if in the host name. */
  readonly pathStyle: boolean;
  /** Undefined if the SDK finds them in the environment of the machine. */
  readonly credentials:
    | { readonly accessKeyId: string; readonly secretAccessKey: string }
    | undefined;
  readonly buckets: StorageBuckets;
  /** The role of the upload credentials of partners. */
  readonly roleArn: string;
  /** Undefined for that of AWS. */
  readonly stsEndpoint: string | undefined;
}

/** One bucket for listed files, and one for the uploads of each product (D-19). */
export type StorageBuckets = Readonly<Record<'files' | `${Lowercase<Product>}Uploads`, string>>;

export function uploadBuckets(buckets: StorageBuckets): Readonly<Record<Product, string>> {
  return { CODA: buckets.codaUploads, CODB: buckets.codbUploads };
}

/** The size of the largest object that S3 copies in one request, in bytes. */
export const largestCopy = 5 * 2 ** 30;

type StorageVariables = Pick<
  Settings,
  Extract<keyof Settings, `S3_${string}` | `STS_${string}` | 'STORAGE_PUBLIC_URL'>
>;

const bucketNames = Object.values({
  files: 'S3_BUCKET_FILES',
  codaUploads: 'S3_BUCKET_CODA_UPLOADS',
  codbUploads: 'S3_BUCKET_CODB_UPLOADS',
} satisfies Record<keyof StorageBuckets, keyof Settings>);

/** Returns findings, each with the name of a setting that is missing or contradicts another. */
export function storageFindings(given: ReadonlyMap<string, string>): string[] {
  const findings: string[] = [...bucketNames, 'STS_ROLE_ARN']
    .filter((name) => !given.has(name))
    .map((name) => `${name}: is missing`);
  const buckets = bucketNames.map((name) => given.get(name)).filter((name) => name !== undefined);
  if (new Set(buckets).size < buckets.length) {
    findings.push('S3_BUCKET_FILES: each S3_BUCKET_… setting must name a different bucket');
  }
  if (given.has('S3_ACCESS_KEY_ID') !== given.has('S3_SECRET_ACCESS_KEY')) {
    findings.push(
      'S3_ACCESS_KEY_ID: must be set together with S3_SECRET_ACCESS_KEY, or not at all',
    );
  } else if (given.has('S3_ENDPOINT') && !given.has('S3_ACCESS_KEY_ID')) {
    findings.push('S3_ACCESS_KEY_ID: is required with S3_ENDPOINT');
  }
  if (!given.has('S3_ENDPOINT') && !given.has('S3_REGION')) {
    findings.push('S3_REGION: is missing; for a storage that is not AWS, set S3_ENDPOINT');
  }
  return findings;
}

export function toStorageSettings(variables: StorageVariables): StorageSettings {
  const endpoint = variables.S3_ENDPOINT;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = variables;
  return {
    endpoint,
    publicUrl: variables.STORAGE_PUBLIC_URL,
    // Storages without regions expect this one.
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
    // MinIO and Ceph serve STS at the address of S3.
    stsEndpoint: variables.STS_ENDPOINT ?? endpoint,
  };
}
