import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { beginRequest, requestState } from './request-state.js';

/**
 * Gives each request an id and logs one line when it ends. The id is always generated here.
 *
 * The line has the operation instead of the URL, because paths contain IBANs and the tokens of
 * signing links. Headers and bodies contain credentials and are never logged.
 */
export function createRequestLog(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    const log = logger.child({ requestId });
    response.setHeader('X-Request-Id', requestId);
    beginRequest(response, { requestId, log });
    response.once('close', () => {
      const { apiKey, principal, operation } = requestState(response);
      log.info({
        method: request.method,
        operation: operation.operationId,
        status: response.statusCode,
        complete: response.writableFinished,
        ms: Math.round((performance.now() - started) * 10) / 10,
        apiKeyId: apiKey?.id,
        firmId: principal?.firmId,
        userId: principal?.userId,
      });
    });
    next();
  };
}
