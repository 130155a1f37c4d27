import type { Operation } from '@adx/contract';
import { type RequestDescription, requestSpec } from '@adx/contract/requests';
import type { Request, RequestHandler, Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import type { OpenApiRequest } from 'express-openapi-validator/dist/framework/types.js';
import { parseInstant } from '../../dates/instant.js';
import { parseJsonBody } from '../json-body.js';
import { checkOutline } from './body-outline.js';
import { createNumberCheck, createSchemaLookup } from './described-values.js';
import {
  missingBodyError,
  refuseUnknownQuery,
  translateValidationError,
} from './validation-error.js';

/** The path of the interface; the version is a path segment (§9). */
export const basePath = '/v1';

/** An accepted request. No code can create these types, so only the validator makes one. */
export interface ValidatedRequest {
  readonly path: never;
  /** The declared parameters that were sent or have a default, by their names in the spec. */
  readonly query: never;
  readonly headers: never;
  readonly body: never;
}

/** The operation of a request, as the validator passes it to its last step. */
type FoundOperation = NonNullable<OpenApiRequest['openapi']>;

/** The steps of the validator. It depends on the spec alone, so a process creates it once. */
let steps: readonly RequestHandler[] | undefined;

/**
 * Creates the validator of an operation. For every request, `express-openapi-validator` would
 * compile the regular expressions of all paths, in order, until one matches. So it finds the
 * operation at the first call only, and later ones run its last step alone, which validates (L-02).
 * It passes on every request for which it finds no operation, so it must have found the one that
 * the request was routed to.
 */
export function createOperationValidator(operation: Operation & RequestDescription) {
  const { operationId, queryParameters, headerParameters, requestBody } = operation;
  const described = { ...operation, schemasAt: createSchemaLookup(operation) };
  const checkNumbers = createNumberCheck(operation);
  steps ??= createValidator();
  const finders = steps.slice(0, -1);
  const lastStep = steps.at(-1);
  // Another step may pass on what it should refuse.
  if (lastStep?.name !== 'requestMiddleware') throw new Error('The validator has other steps');
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

  return {
    /** Refuses a query or a body that is expensive to validate (D-69), and parses the body. */
    async parse(request: Request): Promise<void> {
      refuseUnknownQuery(request, queryParameters);
      if (requestBody === undefined) return;
      await parseJsonBody(request, (body) => {
        if (body === undefined) throw missingBodyError(operation);
        checkOutline(body, requestBody);
      });
    },

    /** Adds the default values of fields that were not sent. */
    async validate(request: OpenApiRequest, response: Response): Promise<ValidatedRequest> {
      known ??= await find(request, response);
      checkNumbers(request);
      const pathParams: Record<string, string> = {};
      for (const [name, value] of Object.entries(request.params)) pathParams[name] = String(value);
      request.openapi = { ...known, pathParams };
      await passThrough(lastStep, request, response).catch((error) => {
        throw translateValidationError(error, request, described);
      });
      const { params: path, body } = request;
      const query = pick(queryParameters, (name) => request.query[name]);
      const headers = pick(headerParameters, (name) => request.headers[name.toLowerCase()]);
      return { path, query, headers, body } as ValidatedRequest;
    },
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

function pick(names: readonly string[], read: (name: string) => unknown) {
  const values = names.map((name) => [name, read(name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function createValidator(): RequestHandler[] {
  return OpenApiValidator.middleware({
    apiSpec: { ...requestSpec(), servers: [{ url: basePath }] },
    validateApiSpec: false,
    validateSecurity: false,
    validateResponses: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: false },
    // The other mode, which is the default, accepts 31 February.
    ajvFormats: { mode: 'full' },
    formats: { 'date-time': (text: string) => parseInstant(text) !== undefined },
    fileUploader: false,
  });
}
