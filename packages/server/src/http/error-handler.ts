import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { ApiError } from '../api/api-error.js';
import { isUnavailable } from '../db/unavailable.js';
import { isStorageFailure } from '../storage/storage-failure.js';
import { endBeforeBody, exceedsBodyLimit } from './body-limit.js';
import { requestState } from './request-state.js';

/** Responds to an error. One that is not documented is a bug: `internalError`. */
export const errorHandler: ErrorRequestHandler = (error, request, response, _next) => {
  const state = requestState(response);
  const { requestId } = state;
  const apiError =
    error instanceof ApiError
      ? error
      : (translateMalformedUrl(error) ??
        translateOutage(error) ??
        new ApiError('internalError', { cause: error }));
  state.errorCode = apiError.code;
  if (apiError.cause !== undefined && apiError.status >= 500) {
    state.log.error({ err: apiError.cause, code: apiError.code });
  }
  if (response.headersSent) {
    response.destroy();
    return;
  }
  sendError(request, response, apiError, requestId);
};

/** Sends an error in the shape of the interface (D-03). */
export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  error: ApiError,
  requestId: string,
): void {
  response.statusCode = error.status;
  // Appended, because a call that reaches another limit already has the headers of its rate limit.
  for (const [name, value] of Object.entries(error.headers)) response.appendHeader(name, value);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (error.status === 401) response.setHeader('WWW-Authenticate', challenge(request));
  const text = JSON.stringify(error.toBody(requestId));
  if (exceedsBodyLimit(request)) endBeforeBody(request, response, text);
  else response.end(text);
}

/** Returns `WWW-Authenticate`, which tells a missing token from an invalid one (RFC 6750 §3). */
function challenge({ headers }: IncomingMessage): string {
  return /^bearer /i.test(headers.authorization ?? '') ? 'Bearer error="invalid_token"' : 'Bearer';
}

/** Handles a path with an invalid escape (`%zz`), which the router cannot decode. */
function translateMalformedUrl(error: unknown): ApiError | undefined {
  if (!(error instanceof URIError)) return undefined;
  return new ApiError('validationFailed', {
    details: [{ path: '', message: 'the path is not a valid URL path' }],
    cause: error,
  });
}

function translateOutage(error: unknown): ApiError | undefined {
  if (!isUnavailable(error) && !isStorageFailure(error)) return undefined;
  return new ApiError('unavailable', { headers: { 'Retry-After': '5' }, cause: error });
}
