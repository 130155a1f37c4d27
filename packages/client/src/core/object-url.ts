/** Where the object storage is, as the options of the client say. */
export interface StorageLocation {
  readonly storageUrl: string | undefined;
  readonly storageRegion: string | undefined;
}

/** Host names of AWS: `s3.eu-central-1.amazonaws.com`, with or without a bucket before it. */
const awsHost = /(?:^|\.)s3[.-](?:dualstack\.)?([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/;

/**
 * The URL of an object and the region to sign for. A bucket stands in the host name where
 * `storageUrl` has `{bucket}`, and in the path otherwise.
 *
 * @throws {TypeError} the options do not say where the storage is
 */
export function objectUrl(
  { storageUrl, storageRegion }: StorageLocation,
  bucketName: string,
  key: string,
): { url: string; region: string } {
  if (!storageUrl && !storageRegion) {
    throw new TypeError('upload needs storageUrl, or storageRegion for AWS, of createClient');
  }
  // What follows a path, or a login, would end up in the middle of the address.
  if (/[?#@]/.test(storageUrl ?? '')) throw new TypeError('storageUrl must be host and path only');
  const template = storageUrl || `https://{bucket}.s3.${storageRegion}.amazonaws.com`;
  const base = template.replaceAll('{bucket}', () => bucketName).replace(/\/+$/, '');
  const path = key.split('/').map(encodeURIComponent).join('/');
  const bucket = base === template.replace(/\/+$/, '') ? `/${encodeURIComponent(bucketName)}` : '';
  const url = new URL(`${base}${bucket}/${path}`);
  return { url: url.href, region: storageRegion || awsHost.exec(url.hostname)?.[1] || 'us-east-1' };
}
