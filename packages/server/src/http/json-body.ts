import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { createGunzip, createInflate, type Gunzip, type Inflate } from 'node:zlib';
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../api/api-error.js';
import { exceedsBodyLimit, maximumBodyBytes } from './body-limit.js';

const mediaType = /^\s*application\/json\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s;"]*)"?/i;

/** The accepted encodings. br takes 15 MB of memory for 50 bytes, and zstd needs a later Node. */
const contentEncoding = /^(?:identity|gzip|deflate)$/i;

/**
 * Reads the bytes of a JSON body; {@link parseJsonBody} follows. Our own instead of `express.json`:
 *
 * - The validator caches one compiled schema per raw `Content-Type`, without limit, so the header
 *   is normalised to `application/json` first.
 * - Bytes that are not UTF-8 are refused instead of replaced.
 * - The bytes are read before the turn of the caller, and parsed within it (D-69).
 * - A body that is too large is refused at the limit, and not at its end.
 *
 * @throws ApiError `unsupportedMediaType`, `payloadTooLarge`, `invalidJson`
 */
export const readJsonBody: RequestHandler = (request, _response, next) => {
  const { headers } = request;
  const contentType = headers['content-type'];
  if (contentType !== undefined) {
    if (!mediaType.test(contentType) || !isNameOfUtf8(charset.exec(contentType)?.[1])) {
      throw new ApiError('unsupportedMediaType');
    }
    headers['content-type'] = 'application/json';
  }
  const encoding = headers['content-encoding'] || 'identity';
  if (!contentEncoding.test(encoding)) throw new ApiError('unsupportedMediaType');
  if (Number(headers['content-length']) > maximumBodyBytes) throw new ApiError('payloadTooLarge');
  readBytes(request, encoding, (error, bytes) => {
    request.body = bytes;
    const hasNoType = contentType === undefined && bytes.length > 0;
    next(error ?? (hasNoType ? new ApiError('unsupportedMediaType') : undefined));
  });
};

/** Reads up to the limit, before and after decompression. What follows is not kept. */
function readBytes(
  request: Request,
  encoding: string,
  done: (error: ApiError | undefined, bytes: Buffer) => void,
): void {
  const inflate = inflateOf(encoding);
  const source = inflate === undefined ? request : request.pipe(inflate);
  const chunks: Buffer[] = [];
  let isDone = false;
  const end = (error?: ApiError) => {
    if (isDone) return;
    isDone = true;
    source.off('data', keep);
    if (inflate !== undefined) request.off('data', countReceived).unpipe(inflate);
    inflate?.destroy();
    done(error, Buffer.concat(chunks));
  };
  const counter = (count: (chunk: Buffer) => void) => {
    let length = 0;
    return (chunk: Buffer) => {
      length += chunk.length;
      if (length > maximumBodyBytes) end(new ApiError('payloadTooLarge'));
      else count(chunk);
    };
  };
  const keep = counter((chunk) => chunks.push(chunk));
  const countReceived = counter(() => {});
  source.on('data', keep);
  if (inflate !== undefined) request.on('data', countReceived);
  source.once('end', () => end());
  source.once('error', (cause) => end(new ApiError('invalidJson', { cause })));
  request.once('close', () => {
    if (!request.complete) end(new ApiError('invalidJson'));
  });
}

function inflateOf(encoding: string): Gunzip | Inflate | undefined {
  if (/^gzip$/i.test(encoding)) return createGunzip();
  return /^deflate$/i.test(encoding) ? createInflate() : undefined;
}

/** The largest number of fields, nested ones included. A customer with all its accounts has 216. */
const maximumFields = 1_000;

/** How deep a body is read. No schema is as deep, so that a value below is wrong already. */
const maximumDepth = 50;

/** The size from which a body may have more fields: one takes at least five bytes, `"":0,`. */
const largeBytes = maximumFields * 5;

/**
 * @param check - throws if the body, undefined if it is missing or empty, is refused
 * @throws ApiError `invalidJson`, or `validationFailed` for a body with too many fields
 */
export async function parseJsonBody(
  request: Request,
  check: (body: unknown) => void,
): Promise<void> {
  const bytes = bytesOf(request);
  // A line of refusals waits for nothing else, and would keep the process from the calls of others.
  if (bytes.length > largeBytes) await setImmediate();
  let hasMore = false;
  try {
    if (!isUtf8(bytes)) throw new TypeError('The body is not UTF-8');
    const whole = bytes.toString().replace(/^\uFEFF/, '');
    const shorter = whole.length > largeBytes ? shortened(whole) : { text: whole, hasMore: false };
    hasMore = shorter.hasMore;
    request.body = bytes.length === 0 ? undefined : JSON.parse(shorter.text);
  } catch (cause) {
    throw new ApiError('invalidJson', { cause });
  }
  check(request.body);
  if (!hasMore) return;
  const message = `must NOT have more than ${maximumFields} fields`;
  throw new ApiError('validationFailed', { details: [{ path: '', message }] });
}

/**
 * Leaves out of a large body more fields than any request has, and values that are deep, for which
 * `JSON.parse` takes ten times as long as for others (D-69).
 *
 * @throws SyntaxError if a bracket or a text has no end
 */
function shortened(json: string): { text: string; hasMore: boolean } {
  const closing: string[] = [];
  let [depth, fields] = [0, 0];
  let isInText = false;
  let [kept, start] = ['', 0];
  for (let i = 0; i < json.length; i += 1) {
    const character = json[i];
    if (isInText) {
      if (character === '\\') i += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') {
      isInText = true;
    } else if (character === '{' || character === '[') {
      depth += 1;
      if (depth <= maximumDepth) closing.push(character === '{' ? '}' : ']');
      if (depth === maximumDepth) kept += json.slice(start, i + 1);
    } else if (character === '}' || character === ']') {
      if (depth === maximumDepth) start = i;
      if (depth <= maximumDepth) closing.pop();
      depth -= 1;
    } else if (depth < maximumDepth) {
      if (character === ':') fields += 1;
      else if (character === ',' && fields >= maximumFields) {
        return { text: kept + json.slice(start, i) + closing.reverse().join(''), hasMore: true };
      }
    }
  }
  if (isInText || depth > 0) throw new SyntaxError('The body ends too early');
  return { text: kept + json.slice(start), hasMore: false };
}

function bytesOf({ body }: Request): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Ignores a body of operations that have none: it is not read, whatever its type. */
export const ignoreBody: RequestHandler = (request, response, next) => {
  if (exceedsBodyLimit(request)) response.setHeader('Connection', 'close');
  delete request.headers['content-type'];
  next();
};

function isNameOfUtf8(name: string | undefined): boolean {
  return name === undefined || /^utf-?8$/i.test(name);
}
