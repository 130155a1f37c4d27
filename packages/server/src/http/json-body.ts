import express, { type Request, type RequestHandler } from 'express';
import { ApiError } from '../api/api-error.js';
import { requestState } from '../http/request-state.js';
import { exceedsBodyLimit, isChunked, maximumBodyBytes } from './body-limit.js';
import { missingBodyError } from './validation-error.js';

/** `application/json`, parameters or not: what stands before the first semicolon, in any case. */
const mediaType = /^\s*application\/json\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s;"]*)"?/i;

const readBytes = express.raw({ type: () => true, limit: maximumBodyBytes });

/** What `express.raw` says by `type`, as the interface says it. */
const readFailures = {
  'entity.too.large': 'payloadTooLarge',
  'encoding.unsupported': 'unsupportedMediaType',
} as const;

/**
 * Reads the JSON body of an operation that has one.
 *
 * The validator behind it keeps one compiled schema per raw `Content-Type`, without bound, so the
 * header is reduced to `application/json` first. Bytes that are not UTF-8 are refused rather than
 * replaced, so that nothing is stored that was not sent.
 *
 * The validator would let a missing body pass, so that is refused here too (D-05).
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
  // `express.raw` answers only when it has read to the end what it refuses.
  if (Number(request.headers['content-length']) > maximumBodyBytes) {
    throw new ApiError('payloadTooLarge');
  }
  let settled = false;
  onBeyondLimit(request, () => {
    if (settled) return;
    settled = true;
    next(new ApiError('payloadTooLarge'));
  });
  readBytes(request, response, (failure?: unknown) => {
    if (settled) return;
    settled = true;
    if (failure !== undefined) {
      next(translateReadFailure(failure));
      return;
    }
    const bytes: unknown = request.body;
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
      next(missingBodyError(requestState(response).operation));
      return;
    }
    if (contentType === undefined) {
      next(new ApiError('unsupportedMediaType'));
      return;
    }
    try {
      request.body = parseJson(bytes);
    } catch (cause) {
      next(new ApiError('invalidJson', { cause }));
      return;
    }
    next();
  });
};

/** Calls back once when more chunks have arrived than a body may have. */
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

/** For operations without a body: one that is sent is not read, and its type does not matter. */
export const ignoreBody: RequestHandler = (request, response, next) => {
  if (exceedsBodyLimit(request)) response.setHeader('Connection', 'close');
  delete request.headers['content-type'];
  next();
};

function isUtf8(name: string | undefined): boolean {
  return name === undefined || /^utf-?8$/i.test(name);
}

function parseJson(bytes: Buffer): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}

function translateReadFailure(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const type = 'type' in cause ? String(cause.type) : '';
  const code = Object.hasOwn(readFailures, type)
    ? readFailures[type as keyof typeof readFailures]
    : 'invalidJson';
  return new ApiError(code, { cause });
}
