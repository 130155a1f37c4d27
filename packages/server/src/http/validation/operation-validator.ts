import type { Operation } from '@adx/contract';
import { follow, type SpecDocument, spec } from '@adx/contract/spec';
import type { Request, RequestHandler, Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import type { OpenApiRequest } from 'express-openapi-validator/dist/framework/types.js';
import { parseInstant } from '../../dates/instant.js';
import { requestSpec } from './request-spec.js';

/** The path of the interface; the version is a path segment (§9). */
export const basePath = '/v1';

/**
 * A request that the validator of its operation has accepted. Handlers accept nothing else. Since no
 * code can create a value of these types, {@link ValidateRequest} is the only source.
 */
export interface ValidatedRequest {
  readonly path: never;
  /** The declared parameters that were sent or have a default, by their names in the spec. */
  readonly query: never;
  readonly headers: never;
  readonly body: never;
}

/** Returns a request that matches the spec. Rejects with the error of the validator for any other. */
type ValidateRequest = (request: Request, response: Response) => Promise<ValidatedRequest>;

/** The operation of a request and the values of its path, as the validator passes them to its last step. */
type FoundOperation = NonNullable<OpenApiRequest['openapi']>;

/** The steps of the validator. It depends on the spec alone, so a process creates it once. */
let steps: readonly RequestHandler[] | undefined;

/**
 * Creates the validator of an operation.
 *
 * For every request, `express-openapi-validator` would compile the regular expressions of all paths, in
 * order, until one matches. So it finds the operation at the first call only, and later ones run its last
 * step alone, which validates (L-02). It passes on every request for which it finds no operation, so it
 * must have found the one that the request was routed to.
 */
export function createOperationValidator(operation: Operation): ValidateRequest {
  const { operationId, queryParameters, headerParameters } = operation;
  steps ??= createValidator();
  const finders = steps.slice(0, -1);
  const validate = steps.at(-1);
  // Another step may pass on what it should refuse.
  if (validate?.name !== 'requestMiddleware') throw new Error('The validator has other steps');
  let known: FoundOperation | undefined;

  async function find(request: OpenApiRequest, response: Response): Promise<FoundOperation> {
    for (const step of finders) await passThrough(step, request, response);
    const found = request.openapi;
    if (found?.schema.operationId !== operationId) {
      const name = found?.schema.operationId ?? 'no operation';
      throw new Error(`A request to ${operationId} was validated as ${name}`);
    }
    return found;
  }

  return async (request: OpenApiRequest, response) => {
    known ??= await find(request, response);
    const pathParams: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.params)) pathParams[name] = String(value);
    request.openapi = { ...known, pathParams };
    await passThrough(validate, request, response);
    const { params: path, body } = request;
    const query = pick(queryParameters, (name) => request.query[name]);
    const headers = pick(headerParameters, (name) => request.headers[name.toLowerCase()]);
    return { path, query, headers, body } as ValidatedRequest;
  };
}

/** Runs a middleware of Express. Rejects with the error that it throws or passes on. */
export function passThrough(
  middleware: RequestHandler,
  request: Request,
  response: Response,
): Promise<void> {
  return new Promise((resolve, reject) => {
    middleware(request, response, (error?: unknown) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Returns the values that are there, by name. */
function pick(names: readonly string[], read: (name: string) => unknown) {
  const values = names.map((name) => [name, read(name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function createValidator(): RequestHandler[] {
  return OpenApiValidator.middleware({
    apiSpec: { ...requestSpec(spec), servers: [{ url: basePath }] },
    validateApiSpec: false,
    validateSecurity: false,
    validateResponses: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: false },
    formats: { 'date-time': (text: string) => parseInstant(text) !== undefined },
    fileUploader: false,
  });
}

/** Returns the number of alternatives (`oneOf`) for the body of an operation. */
export function bodyAlternatives(
  { method, path }: Pick<Operation, 'method' | 'path'>,
  document: Pick<SpecDocument, 'paths' | 'components'> = spec,
): number {
  const body = follow(document.paths[path]?.[method]?.requestBody ?? {}, document);
  const schema = follow(body.content?.['application/json']?.schema ?? {}, document);
  return schema.oneOf?.length ?? 1;
}
