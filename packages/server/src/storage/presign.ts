import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import { encodeKey, encodeUri, scopeText, signingKeyOf } from './signature-v4.js';

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
 * Signs URLs under the address of a bucket (Signature Version 4). A list may hold ten thousand of
 * them: what is the same for all that are signed within a second is made once, which halves what
 * signers for any request take.
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
  const ending = `\nhost:${host}\n\nhost\nUNSIGNED-PAYLOAD`;
  let prepared: Prepared | undefined;
  return ({ key, fileName }, now) => {
    const second = Math.floor(now.getTime() / 1000);
    const keys = credentials();
    if (prepared?.second !== second || prepared.keys !== keys) {
      prepared = prepare(second, keys, region);
    }
    const path = `${folder}/${encodeKey(key)}`;
    const query = prepared.query + encodeUri(contentDisposition(fileName));
    const digest = hash('sha256', `GET\n${path}\n${query}${ending}`, 'hex');
    const signature = createHmac('sha256', prepared.signingKey)
      .update(prepared.toSign + digest)
      .digest('hex');
    return `${origin}${path}?${query}&X-Amz-Signature=${signature}`;
  };
}

/** What URLs of one second and one key have in common. */
interface Prepared {
  readonly second: number;
  readonly keys: SigningCredentials;
  readonly signingKey: KeyObject;
  /** What is signed, up to the digest of the request. */
  readonly toSign: string;
  /** The parameters up to the value of the last, in the order in which they are signed. */
  readonly query: string;
}

function prepare(second: number, keys: SigningCredentials, region: string): Prepared {
  const timestamp = new Date(second * 1000).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = { date: timestamp.slice(0, 8), region };
  const { accessKeyId, secretAccessKey, sessionToken } = keys;
  const parameters = [
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `${accessKeyId}/${scopeText(scope)}`],
    ['X-Amz-Date', timestamp],
    ['X-Amz-Expires', String(validSeconds)],
    ...(sessionToken === undefined ? [] : [['X-Amz-Security-Token', sessionToken]]),
    ['X-Amz-SignedHeaders', 'host'],
    ['response-content-disposition', ''],
  ];
  return {
    second,
    keys,
    signingKey: createSecretKey(signingKeyOf(secretAccessKey, scope)),
    toSign: `AWS4-HMAC-SHA256\n${timestamp}\n${scopeText(scope)}\n`,
    query: parameters.map(([name, value = '']) => `${name}=${encodeUri(value)}`).join('&'),
  };
}

/**
 * The address of a bucket, without a closing slash, as the SDK would form it: for AWS of every
 * partition, and for endpoints of one's own.
 *
 * @param endpoint - in place of that of AWS
 */
export function bucketUrl(
  client: S3Client,
  bucket: string,
  region: string,
  { endpoint, pathStyle }: { readonly endpoint: string | undefined; readonly pathStyle: boolean },
): string {
  const { url } = client.config.endpointProvider({
    ...{ Bucket: bucket, Region: region, ForcePathStyle: pathStyle },
    ...{ UseFIPS: false, UseDualStack: false, Accelerate: false },
    ...(endpoint !== undefined && { Endpoint: endpoint }),
  });
  return url.href.replace(/\/$/, '');
}

/** Characters that no file system or header takes in a file name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unusable = /[\u0000-\u001f\u007f-\u009f/\\]/gu;

/**
 * The `Content-Disposition` that saves a download under a name (RFC 6266): the name as it is for
 * those who read RFC 5987, and one in plain ASCII for the others.
 *
 * @example contentDisposition('relevé.pdf')
 * // attachment; filename="relev_.pdf"; filename*=UTF-8''relev%C3%A9.pdf
 */
export function contentDisposition(fileName: string): string {
  const name = fileName.replace(/\p{Surrogate}/gu, '\ufffd').replace(unusable, '_');
  // A percent sign too: some take it for an escape.
  const plain = name.replace(/[^ -~]|["%]/gu, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
