import type { ApiModel, Operation } from '../../model/api-model.js';
import { isIdentifier } from '../../model/names.js';
import type { Target } from '../target.js';
import { header } from '../text/comment.js';
import { quote } from '../text/typescript.js';
import { hasKeyContext } from './handlers.js';

/** Returns the router: it binds every operation to its handler and refuses every other method. */
export function routerFile({ operations }: ApiModel, { contract }: Target): string {
  const paths = [...new Set(operations.map(({ path }) => path))].toSorted((a, b) =>
    precedence(a).localeCompare(precedence(b), 'en'),
  );
  const hasKeys = hasKeyContext(operations);
  const contexts = hasKeys ? 'Context, KeyContext' : 'Context';
  const used = '{\n  handlers,\n  bind,\n  methodNotAllowed,\n}';
  const parts = operations.length > 0 ? used : '_parts';
  return `${header}
import { type OperationId, operations } from ${quote(contract)};
import { type RequestHandler, Router } from 'express';
import type { Handlers } from './handlers.gen.js';

export interface RouterParts<${contexts}> {
  readonly handlers: Handlers<${contexts}>;
  /** Makes the request handler of an operation, or several that run in turn. */
  readonly bind: (
    operation: (typeof operations)[OperationId],
    handler: Handlers<${contexts}>[OperationId],
  ) => RequestHandler | RequestHandler[];
  /** Makes the request handler for all methods that a path does not have. */
  readonly methodNotAllowed: (allowed: readonly string[]) => RequestHandler;
}

/** Routes every operation to its handler. A path matches only in its exact spelling. */
export function createRouter<${contexts}${hasKeys ? ' = Context' : ''}>(${parts}: RouterParts<${contexts}>): Router {
  const router = Router({ caseSensitive: true, strict: true });
${paths.map((path) => pathRoutes(path, operations)).join('')}
  return router;
}
`;
}

function pathRoutes(path: string, operations: readonly Operation[]): string {
  const atPath = operations.filter((operation) => operation.path === path);
  const route = quote(path.split(/[{}]/).map(routePart).join(''));
  const allowed = atPath.map(({ method }) => quote(method.toUpperCase())).join(', ');
  const routes = atPath.map(
    ({ name, method }) => `    .${method}(bind(operations.${name}, handlers.${name}))\n`,
  );
  return `
  router
    .route(${route})
${routes.join('')}    .all(methodNotAllowed([${allowed}]));
`;
}

/** Returns texts as they are sent, in ASCII, for Express; every second part is a parameter. */
function routePart(part: string, index: number, parts: readonly string[]): string {
  if (index % 2 === 0) {
    const sent = part.replaceAll(/[^!-~]+/gu, encodeURIComponent);
    return sent.replaceAll(/[\\()[\]?+!*:]/g, '\\$&');
  }
  const isFollowed = /^[\w$]/.test(parts[index + 1] ?? '');
  return isIdentifier(part) && !isFollowed ? `:${part}` : `:"${part.replaceAll(/[\\"]/g, '\\$&')}"`;
}

/** Returns a key that sorts concrete paths before templated ones (OpenAPI 3.1 §4.8.8.2). */
function precedence(path: string): string {
  return path
    .split('/')
    .map((segment) => (/^\{[^{}]*\}$/.test(segment) ? '2' : segment.includes('{') ? '1' : '0'))
    .join('');
}
