/**
 * The maximum length of a name in characters. Longer ones keep their end, with `.cod` or `.xml`.
 */
const longestName = 100;

/**
 * Returns the name of the object for a file: the time and random bytes, so that it is unique, and
 * the file's own name, with characters replaced that are problematic in the key of an object.
 */
export function objectName(fileName: string, now: Date, random: Uint8Array): string {
  const own = (fileName.normalize('NFC').split(/[/\\]/).pop() ?? '')
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '_')
    .replace(/^\.+/, '');
  const kept = [...own].slice(-longestName).join('') || 'file';
  return `${now.toISOString().replace(/[-:.]/g, '')}-${hexOf(random)}-${kept}`;
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The address of the object storage. */
interface StorageLocation {
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
}

/** Host names of AWS: `s3.eu-central-1.amazonaws.com`, with or without a bucket in front. */
const awsHost = /(?:^|\.)s3[.-](?:dualstack\.)?([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/;

/**
 * Returns the URL of an object and the region to sign for. The bucket is in the host name if the
 * endpoint contains `{bucket}`, otherwise in the path. Without an endpoint, the storage is AWS.
 *
 * @throws {TypeError} if neither endpoint nor region is known, or the endpoint is invalid
 */
export function objectUrl(
  { endpoint, region }: StorageLocation,
  bucketName: string,
  key: string,
): { url: string; region: string } {
  if (!endpoint && !region) {
    throw new TypeError(
      'upload requires the createClient option storageUrl, or storageRegion for AWS',
    );
  }
  // A query, a fragment or a login would end up in the middle of the URL.
  if (/[?#@]/.test(endpoint ?? '')) throw new TypeError('storageUrl must be host and path only');
  const template = endpoint || `https://{bucket}.s3.${region}.amazonaws.com`;
  const base = template.replaceAll('{bucket}', () => bucketName).replace(/\/+$/, '');
  const path = key.split('/').map(encodeURIComponent).join('/');
  const bucket = base === template.replace(/\/+$/, '') ? `/${encodeURIComponent(bucketName)}` : '';
  const url = new URL(`${base}${bucket}/${path}`);
  return { url: url.href, region: region || awsHost.exec(url.hostname)?.[1] || 'us-east-1' };
}
