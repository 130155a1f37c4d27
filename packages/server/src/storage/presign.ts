import { sign } from 'aws4';
import { contentDisposition } from './content-disposition.js';
import { encodeKey } from './encode-key.js';

/** How long a URL is valid, in seconds (D-09). */
const validSeconds = 30 * 60;

/**
 * A URL that downloads an object of the bucket `files` for 30 minutes, for whoever has it.
 *
 * @param download.fileName - the name that the download is saved under, of any characters
 */
export type Presign = (
  download: { readonly key: string; readonly fileName: string },
  now: Date,
) => string;

/** Keys to sign with; those of a role change, and have a token. */
export interface SigningCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/**
 * Signs URLs under the address of a bucket.
 *
 * @param bucketUrl - with the bucket in host or path, without a closing slash
 * @param credentials - asked for each URL
 */
export function createPresign(
  bucketUrl: string,
  region: string,
  credentials: () => SigningCredentials,
): Presign {
  const { origin, host, pathname } = new URL(bucketUrl);
  const folder = pathname === '/' ? '' : pathname;
  return ({ key, fileName }, now) => {
    const date = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
    const disposition = encodeURIComponent(contentDisposition(fileName));
    const query = `X-Amz-Date=${date}&X-Amz-Expires=${validSeconds}&response-content-disposition=${disposition}`;
    const { path } = sign(
      {
        ...{ service: 's3', region, host, signQuery: true, method: 'GET' },
        path: `${folder}/${encodeKey(key)}?${query}`,
      },
      withoutAbsentToken(credentials()),
    );
    return origin + path;
  };
}

function withoutAbsentToken({ sessionToken, ...pair }: SigningCredentials) {
  return sessionToken === undefined ? pair : { ...pair, sessionToken };
}
