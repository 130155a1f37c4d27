import { S3Error } from './s3-error.js';

/** The bucket, key and query of a request, decoded once: nothing after this reads the URL again. */
export interface RequestTarget {
  /** Empty for a request to the storage itself. */
  readonly bucket: string;
  /** Empty for a request to the bucket, `/bucket` or `/bucket/`. */
  readonly key: string;
  /** Parameters by name; each name occurs once. */
  readonly query: ReadonlyMap<string, string>;
  readonly canonicalPath: string;
}

/** The length of the longest key in S3, in bytes of UTF-8. */
const maximumKeyBytes = 1024;

/** Characters that XML cannot contain, and control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused
const unlistable = /[\u0000-\u001f\u007f\ufffe\uffff]/;

/**
 * Reads a URL. Refuses keys that other software could read as a different key (`..`, an empty
 * segment, an escaped slash), so that a prefix means the same everywhere.
 */
export function parseTarget(url: string): RequestTarget {
  const [path = '', ...rest] = url.split('?');
  if (!path.startsWith('/')) throw invalid('is not a path');
  const [bucket = '', ...segments] = path.slice(1).split('/').map(decodeSegment);
  const key = segments.join('/');
  if (segments.length > 0 && bucket === '') throw invalid('has an empty segment');
  if (key !== '' && segments.some((each) => ['', '.', '..'].includes(each))) {
    throw invalid('has an empty segment or a dot segment');
  }
  if (Buffer.byteLength(key) > maximumKeyBytes) {
    throw new S3Error(400, 'KeyTooLongError', `A key has at most ${maximumKeyBytes} bytes`);
  }
  return {
    bucket,
    key,
    query: parseQuery(rest.join('?')),
    canonicalPath: `/${[bucket, ...segments].map(encodeUri).join('/')}`,
  };
}

/** Percent-encodes all but the unreserved characters of RFC 3986, as Signature Version 4 does. */
export function encodeUri(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function decodeSegment(segment: string): string {
  const decoded = decode(segment);
  if (decoded.includes('/')) throw invalid('has an escaped slash');
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
  let decoded = '';
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw invalid('has a broken escape');
  }
  if (unlistable.test(decoded)) throw invalid('has a control character');
  return decoded;
}

function invalid(problem: string): S3Error {
  return new S3Error(400, 'InvalidURI', `The URL of the request ${problem}`);
}
