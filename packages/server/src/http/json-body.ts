import express, { type Request, type RequestHandler, type Response } from 'express';
import { ApiError, type ErrorDetail, maximumFindings } from '../api/api-error.js';
import { exceedsBodyLimit, isChunked, maximumBodyBytes } from './body-limit.js';
import { requestState } from './request-state.js';
import { missingBodyError } from './validation/validation-error.js';

/** `application/json` in any letter case, with or without parameters. */
const mediaType = /^\s*application\/json\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s;"]*)"?/i;

/** `express.raw` reads zstd too, but not with every supported version of Node. */
const contentEncoding = /^(?:identity|gzip|deflate|br)$/i;

const readBytes = express.raw({ type: () => true, limit: maximumBodyBytes });

/**
 * Reads the JSON body of an operation that has one. Our own instead of `express.json`, for three
 * reasons:
 *
 * - The validator caches one compiled schema per raw `Content-Type`, without limit, so the header is
 *   normalised to `application/json` first.
 * - Bytes that are not UTF-8 are refused instead of replaced, so that nothing is stored that was not
 *   sent.
 * - The validator would accept a missing body (D-05).
 *
 * @throws ApiError `unsupportedMediaType`, `payloadTooLarge`, `invalidJson`, or for a missing body
 */
export const readJsonBody: RequestHandler = (request, response, next) => {
  const contentType = request.headers['content-type'];
  if (contentType !== undefined) {
    if (!mediaType.test(contentType) || !isUtf8(charset.exec(contentType)?.[1])) {
      throw new ApiError('unsupportedMediaType');
    }
    request.headers['content-type'] = 'application/json';
  }
  if (!contentEncoding.test(request.headers['content-encoding'] || 'identity')) {
    throw new ApiError('unsupportedMediaType');
  }
  // `express.raw` would read a body that is too large to its end before it fails.
  if (Number(request.headers['content-length']) > maximumBodyBytes) {
    throw new ApiError('payloadTooLarge');
  }
  let settled = false;
  const settle = (error?: unknown) => {
    if (settled) return;
    settled = true;
    next(error);
  };
  onBeyondLimit(request, () => settle(new ApiError('payloadTooLarge')));
  readBytes(request, response, (failure?: unknown) => {
    if (settled) return;
    settle(failure ? translateReadFailure(failure) : parseBody(request, response, contentType));
  });
};

/** Replaces the bytes of a body with its JSON. Returns the error if the body is refused. */
function parseBody(
  request: Request,
  response: Response,
  contentType: string | undefined,
): ApiError | undefined {
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
    return missingBodyError(requestState(response).operation);
  }
  if (contentType === undefined) return new ApiError('unsupportedMediaType');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    request.body = JSON.parse(text);
    return surrogate.test(text) ? refuseLoneSurrogates(request.body) : undefined;
  } catch (cause) {
    return new ApiError('invalidJson', { cause });
  }
}

/** An escaped surrogate. UTF-8 has no others. */
const surrogate = /\\u[dD][89a-fA-F]/;

/** Returns the error for texts with half of a surrogate pair, which cannot be stored (D-05). */
function refuseLoneSurrogates(body: unknown): ApiError | undefined {
  const details: ErrorDetail[] = [];
  for (const path of loneSurrogates(body, '')) {
    details.push({ path: path.slice(1), message: 'must not contain half of a surrogate pair' });
    if (details.length === maximumFindings) break;
  }
  return details.length === 0 ? undefined : new ApiError('validationFailed', { details });
}

/** Yields the paths of the texts that contain half of a surrogate pair, each with a dot before it. */
function* loneSurrogates(value: unknown, path: string): Generator<string> {
  if (typeof value === 'string' && !value.isWellFormed()) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, each] of Object.entries(value)) yield* loneSurrogates(each, `${path}.${name}`);
}

/** Calls `refuse` once if a chunked body exceeds the limit. */
function onBeyondLimit(request: Request, refuse: () => void): void {
  if (!isChunked(request.headers)) return;
  let received = 0;
  request.on('data', function count(chunk: Buffer) {
    received += chunk.length;
    if (received <= maximumBodyBytes) return;
    request.off('data', count);
    refuse();
  });
}

/** For operations without a body: a body that is sent anyway is not read, whatever its type. */
export function ignoreBody(request: Request, response: Response): void {
  if (exceedsBodyLimit(request)) response.setHeader('Connection', 'close');
  delete request.headers['content-type'];
}

function isUtf8(name: string | undefined): boolean {
  return name === undefined || /^utf-?8$/i.test(name);
}

/** Returns the documented error for an error of `express.raw`. */
function translateReadFailure(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const type = 'type' in cause ? cause.type : undefined;
  return new ApiError(type === 'entity.too.large' ? 'payloadTooLarge' : 'invalidJson', { cause });
}
