import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { ApiError } from './api-error.js';
import { sendError } from './error-handler.js';

/** RFC 9112 §3.2.1: a path and perhaps a query, in visible ASCII characters, without a fragment. */
const originForm = /^\/[!"$-~]*$/;

/**
 * Refuses every request target that is not in origin form before anything else reads it (D-04).
 *
 * Express parses other forms, drops a fragment and trims white space beyond ASCII, where the
 * validator takes the target as it was sent: they would not speak of the same path. It answers
 * some of them by itself, too, so that this cannot be one of its middlewares.
 */
export function requireOriginForm(listener: RequestListener, logger: Logger): RequestListener {
  return (request, response) => {
    if (originForm.test(request.url ?? '')) {
      listener(request, response);
      return;
    }
    const requestId = randomUUID();
    const message =
      'the request target must be a path and an optional query, percent-encoded and without a fragment';
    const error = new ApiError('validationFailed', { details: [{ path: '', message }] });
    logger.info(
      { requestId, method: request.method, status: error.status },
      'a request target that is not in origin form was refused',
    );
    response.setHeader('X-Request-Id', requestId);
    sendError(request, response, error, requestId);
  };
}
