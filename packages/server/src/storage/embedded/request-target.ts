import { encodeUri } from '../encode-uri.js';
import { S3Refusal } from './s3-refusal.js';

/** What a request is about, decoded once: nothing after this looks at its URL again. */
export interface RequestTarget {
  readonly bucket: string | undefined;
  /** Absent for a request about the bucket. */
  readonly key: string | undefined;
  /** Parameters by name; none occurs twice. */
  readonly query: ReadonlyMap<string, string>;
  /** Path and query as Signature Version 4 has them signed. */
  readonly canonicalPath: string;
}

/** Longest key, in bytes of UTF-8, as in S3. */
const maximumKeyBytes = 1024;

/** Characters that no XML can list, and those that no name should have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unlistable = /[\u0000-\u001f\u007f\ufffe\uffff]/;

/**
 * Reads the target of a request from its URL.
 *
 * A key is a row of plain segments: what another reader could take for a different key (`..`, an
 * empty segment, an escaped slash) is refused for everyone, so a prefix means the same to all.
 *
 * @throws S3Refusal
 */
export function parseTarget(url: string): RequestTarget {
  const [path = '', ...rest] = url.split('?');
  if (!path.startsWith('/')) throw invalid('is not a path');
  const [bucket = '', ...segments] = path.slice(1).split('/').map(decode);
  if (bucket === '' && segments.length > 0) throw invalid('has an empty segment');
  // `/bucket/` is the bucket.
  const hasKey = segments.length > 1 || (segments.length === 1 && segments[0] !== '');
  if (hasKey) for (const segment of segments) checkSegment(segment);
  const key = hasKey ? segments.join('/') : undefined;
  if (key !== undefined && Buffer.byteLength(key) > maximumKeyBytes) {
    throw new S3Refusal('KeyTooLongError', `A key has ${maximumKeyBytes} bytes at most`);
  }
  return {
    bucket: bucket === '' ? undefined : bucket,
    key,
    query: parseQuery(rest.join('?')),
    canonicalPath: `/${[bucket, ...segments].map(encodeUri).join('/')}`,
  };
}

function checkSegment(segment: string): void {
  if (segment === '') throw invalid('has an empty segment');
  if (segment === '.' || segment === '..') throw invalid('has a dot segment');
}

function decode(segment: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    throw invalid('has a broken escape');
  }
  if (decoded.includes('/')) throw invalid('has an escaped slash');
  if (unlistable.test(decoded)) throw invalid('has a control character');
  return decoded;
}

function parseQuery(text: string): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [name = '', ...value] = pair.split('=').map(decodeParameter);
    if (query.has(name)) throw new S3Refusal('InvalidArgument', 'A parameter occurs twice');
    query.set(name, value.join('='));
  }
  return query;
}

function decodeParameter(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid('has a broken escape in its query');
  }
}

function invalid(what: string): S3Refusal {
  return new S3Refusal('InvalidURI', `The address of the request ${what}`);
}
