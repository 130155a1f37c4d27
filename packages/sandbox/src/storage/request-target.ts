import { S3Error } from './s3-error.js';

/** The bucket, key and query of a request, decoded once. Nothing after this looks at the URL again. */
export interface RequestTarget {
  readonly bucket: string | undefined;
  /** Absent for a request about the bucket. */
  readonly key: string | undefined;
  /** Parameters by name; a name occurs once. */
  readonly query: ReadonlyMap<string, string>;
  /** The path as Signature Version 4 signs it. */
  readonly canonicalPath: string;
}

/** Longest key of S3, in bytes of UTF-8. */
const maximumKeyBytes = 1024;

/** Characters that XML cannot list, and those that no key should have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused
const unlistable = /[\u0000-\u001f\u007f\ufffe\uffff]/;

/**
 * Reads the bucket, key and query of a request from its URL.
 *
 * A key that another reader could take for a different one (`..`, an empty segment, an escaped slash)
 * is refused, so a prefix means the same to everyone.
 *
 * @throws S3Error
 */
export function parseTarget(url: string): RequestTarget {
  const [path = '', ...rest] = url.split('?');
  if (!path.startsWith('/')) throw invalid('is not a path');
  const [bucket = '', ...segments] = path.slice(1).split('/').map(decodeSegment);
  if (bucket === '' && segments.length > 0) throw invalid('has an empty segment');
  // `/bucket/` is the bucket.
  const hasKey = segments.length > 1 || (segments.length === 1 && segments[0] !== '');
  if (hasKey && segments.some((each) => each === '' || each === '.' || each === '..')) {
    throw invalid('has an empty segment or a dot segment');
  }
  const key = hasKey ? segments.join('/') : undefined;
  if (key !== undefined && Buffer.byteLength(key) > maximumKeyBytes) {
    throw new S3Error(400, 'KeyTooLongError', `A key has at most ${maximumKeyBytes} bytes`);
  }
  return {
    bucket: bucket === '' ? undefined : bucket,
    key,
    query: parseQuery(rest.join('?')),
    canonicalPath: `/${[bucket, ...segments].map(encodeUri).join('/')}`,
  };
}

/** Percent-encodes everything but the unreserved characters of RFC 3986, as Signature Version 4 does. */
export function encodeUri(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function decodeSegment(segment: string): string {
  const decoded = decode(segment);
  if (decoded.includes('/')) throw invalid('has an escaped slash');
  if (unlistable.test(decoded)) throw invalid('has a control character');
  return decoded;
}

function parseQuery(text: string): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  for (const pair of text.split('&').filter((each) => each !== '')) {
    const [name = '', ...value] = pair.split('=').map((part) => decode(part.replaceAll('+', ' ')));
    if (query.has(name)) throw new S3Error(400, 'InvalidArgument', 'A parameter occurs twice');
    query.set(name, value.join('='));
  }
  return query;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid('has a broken escape');
  }
}

function invalid(problem: string): S3Error {
  return new S3Error(400, 'InvalidURI', `The URL of the request ${problem}`);
}
