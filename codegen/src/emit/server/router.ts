import type { ApiModel, Operation } from '../../model/api-model.js';
import type { Emitter } from '../emitter.js';
import { header } from '../text/header.js';
import { quote } from '../text/names.js';
import { serverFolder } from './server-folder.js';

/** The router: every operation bound to its handler, every other method refused. */
export const routerEmitter: Emitter = {
  folder: serverFolder,
  emit: (model) => new Map([['router.gen.ts', routerFile(model)]]),
};

function routerFile({ operations }: ApiModel): string {
  const paths = [...new Set(operations.map(({ path }) => path))].toSorted((a, b) =>
    compareText(precedence(a), precedence(b)),
  );
  return `${header}
import { type OperationId, operations } from '@adx/contract';
import { type RequestHandler, Router } from 'express';
import type { Handlers, Served } from './handlers.gen.js';

export interface RouterParts<Context, NotServed extends OperationId, KeyContext> {
  readonly handlers: Served<Context, NotServed, KeyContext>;
  /** Makes the request handlers of an operation; without a handler it answers 501. */
  readonly bind: (
    operation: (typeof operations)[OperationId],
    handler: Handlers<Context, KeyContext>[OperationId] | undefined,
  ) => readonly RequestHandler[];
  /** Makes the request handlers of a path for every other method than those it has. */
  readonly methodNotAllowed: (allowed: readonly string[]) => readonly RequestHandler[];
}

/**
 * Routes every operation to its handler. An operation without one does not compile, unless it is
 * listed as not served: \`createRouter<Context, 'getMandate' | 'searchMandates'>(…)\`.
 */
export function createRouter<Context, NotServed extends OperationId = never, KeyContext = Context>(
  parts: RouterParts<Context, NotServed, KeyContext>,
): Router {
  const { bind, methodNotAllowed } = parts;
  const handlers: Partial<Handlers<Context, KeyContext>> = parts.handlers;
  const router = Router();
${paths.map((path) => pathRoutes(path, operations)).join('')}
  return router;
}
`;
}

function pathRoutes(path: string, operations: readonly Operation[]): string {
  const atPath = operations.filter((operation) => operation.path === path);
  const route = quote(path.replaceAll(/\{([^{}]*)\}/g, ':$1'));
  const allowed = atPath.map(({ method }) => quote(method.toUpperCase())).join(', ');
  const routes = atPath.map(
    ({ id, method }) => `    .${method}(...bind(operations.${id}, handlers.${id}))\n`,
  );
  return `
  router
    .route(${route})
${routes.join('')}    .all(...methodNotAllowed([${allowed}]));
`;
}

/** Concrete paths come before templated ones of the same length (OpenAPI 3.1 §4.8.8.2). */
function precedence(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '1' : '0'))
    .join('');
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
