import express, { type RequestHandler } from 'express';
import { ApiError } from './api-error.js';
import { requestState } from './request-state.js';
import { missingBodyError } from './validation-error.js';

/** Largest body that is read, in bytes, after decompression (§8 shows none; 413 beyond it). */
export const maximumBodyBytes = 256 * 1024;

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
  readBytes(request, response, (failure?: unknown) => {
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

/** For operations without a body: one that is sent is not read, and its type does not matter. */
export const ignoreBody: RequestHandler = (request, _response, next) => {
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
