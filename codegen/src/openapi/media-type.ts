import type { JsonObject } from '../document/json.js';

/** How a body is written: a form has URL encoding, and `multipart` is a form with files. */
export type BodyKind = 'json' | 'text' | 'form' | 'multipart' | 'bytes';

/**
 * Returns how a body of a media type is written, or undefined if generated code cannot write it.
 */
export function bodyKind(mediaType: string): BodyKind | undefined {
  const name = withoutParameters(mediaType);
  if (/^(application\/(.+\+)?|text\/)json$/.test(name)) return 'json';
  if (/^(text\/.|application\/(.+\+)?xml$)/.test(name)) return 'text';
  if (name === 'application/x-www-form-urlencoded') return 'form';
  if (name === 'multipart/form-data') return 'multipart';
  return name.startsWith('multipart/') ? undefined : 'bytes';
}

/** Returns true for the schema of a member of a form that is a file. */
export function isBinary({ format, contentEncoding, contentMediaType }: JsonObject): boolean {
  const isNamed = format === 'binary' || contentEncoding === 'binary';
  return isNamed || (contentMediaType !== undefined && contentEncoding === undefined);
}

/** `application/json` for `application/JSON; charset=utf-8` */
export function withoutParameters(mediaType: string): string {
  return mediaType.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Returns true for a range of media types, such as `text/*`. */
export function isRange(mediaType: string): boolean {
  return mediaType.includes('*');
}

/** The entry of a status: by itself, by its class, or by `default` (OpenAPI 3.1 §4.8.16). */
export function contentFor<T>(
  responses: Readonly<Record<string, T>>,
  status: number,
): T | undefined {
  return responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses['default'];
}
