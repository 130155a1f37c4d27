import { randomUUID } from 'node:crypto';
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { ApiError } from '../api/api-error.js';
import { sendError } from './error-handler.js';

/** The statuses of requests that Node cannot read, by the code of its error. Any other is 400. */
const unreadable: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the request line and the headers are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the extensions of a chunk are larger than 16 KiB'],
};

/** How long a caller may read the answer before its connection is cut, in ms. */
const takenMs = 1_000;

/** Refuses a request before anything else reads it (D-03). */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  logger: Logger,
  message: string,
  status = 400,
): void {
  const { error, requestId } = refusalOf(logger, message, status);
  response.setHeader('X-Request-Id', requestId);
  sendError(request, response, error, requestId);
}

/** A path and an optional query in visible ASCII characters (RFC 9112 §3.2.1). */
const originForm = /^\/[!"$-~]*$/;

/**
 * Refuses every request target that is not in origin form (D-04).
 *
 * Express parses other forms, drops fragments and trims white space beyond ASCII, while the
 * validator uses the target as it was sent, so the two could see different paths. This cannot be a
 * middleware, because Express responds to some of these requests itself.
 */
export function requireOriginForm(listener: RequestListener, logger: Logger): RequestListener {
  return (request, response) => {
    if (originForm.test(request.url ?? '')) {
      listener(request, response);
      return;
    }
    refuseRequest(
      request,
      response,
      logger,
      'the request target must be a path and an optional query, percent-encoded and without a fragment',
    );
  };
}

/**
 * Answers with an error body where Node would send an empty one: requests that it cannot read, and
 * those that expect something other than `100-continue`.
 *
 * @param hasAnswered - returns true if a response on the connection has begun
 */
export function answerUnreadable(
  server: Server,
  logger: Logger,
  hasAnswered: (socket: Duplex) => boolean,
): void {
  const refused = new WeakSet<Duplex>();
  server.on('checkExpectation', (request, response) => {
    response.setHeader('Connection', 'close');
    refuseRequest(request, response, logger, 'Expect may only be 100-continue', 417);
  });
  server.on('clientError', (cause: NodeJS.ErrnoException, socket) => {
    // More of the same request, which may arrive while the answer is sent.
    if (refused.has(socket)) return;
    refused.add(socket);
    if (!socket.writable || hasAnswered(socket)) {
      socket.destroy();
      return;
    }
    const [status, message] = unreadable[cause.code ?? ''] ?? [400, 'the request is not HTTP/1.1'];
    const { error, requestId } = refusalOf(logger, message, status);
    const body = JSON.stringify(error.toBody(requestId));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    // Cutting the connection at once would reset it, and the caller would not see the answer.
    setTimeout(() => socket.destroy(), takenMs).unref();
  });
}

function refusalOf(logger: Logger, message: string, status: number) {
  const requestId = randomUUID();
  const error = new ApiError('validationFailed', { status, details: [{ path: '', message }] });
  logger.info({ requestId, status, code: error.code }, `refused a request: ${message}`);
  return { error, requestId };
}
