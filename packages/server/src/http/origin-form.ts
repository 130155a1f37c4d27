import type { RequestHandler } from 'express';

/**
 * Reduces a request target in absolute form (`GET http://host/v1/banks`), which a server has to
 * accept and proxies send, to its path: Express routes either, the validator knows paths only.
 */
export const originForm: RequestHandler = (request, _response, next) => {
  request.originalUrl = request.originalUrl.replace(/^https?:\/\/[^/?#]*/i, '');
  next();
};
