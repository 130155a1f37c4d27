/** The maximum length of a name in characters. Longer ones keep their end, with `.cod` or `.xml`. */
const longestName = 100;

/**
 * Returns the name of the object for a file: the time and random bytes, so that it is unique, and the
 * file's own name, with characters replaced that are problematic in the key of an object.
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

/** The address of the object storage, from the options of the client. */
interface StorageLocation {
  readonly storageUrl: string | undefined;
  readonly storageRegion: string | undefined;
}

/** Host names of AWS: `s3.eu-central-1.amazonaws.com`, with or without a bucket in front. */
const awsHost = /(?:^|\.)s3[.-](?:dualstack\.)?([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/;

/**
 * Returns the URL of an object and the region to sign for. The bucket is in the host name if
 * `storageUrl` contains `{bucket}`, otherwise in the path.
 *
 * @throws {TypeError} if the options do not contain the address of the storage, or an invalid one
 */
export function objectUrl(
  { storageUrl, storageRegion }: StorageLocation,
  bucketName: string,
  key: string,
): { url: string; region: string } {
  if (!storageUrl && !storageRegion) {
    throw new TypeError(
      'upload requires the createClient option storageUrl, or storageRegion for AWS',
    );
  }
  // A query, a fragment or a login would end up in the middle of the URL.
  if (/[?#@]/.test(storageUrl ?? '')) throw new TypeError('storageUrl must be host and path only');
  const template = storageUrl || `https://{bucket}.s3.${storageRegion}.amazonaws.com`;
  const base = template.replaceAll('{bucket}', () => bucketName).replace(/\/+$/, '');
  const path = key.split('/').map(encodeURIComponent).join('/');
  const bucket = base === template.replace(/\/+$/, '') ? `/${encodeURIComponent(bucketName)}` : '';
  const url = new URL(`${base}${bucket}/${path}`);
  return { url: url.href, region: storageRegion || awsHost.exec(url.hostname)?.[1] || 'us-east-1' };
}
