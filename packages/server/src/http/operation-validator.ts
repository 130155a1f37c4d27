import { type Operation, operations } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import type { Request, RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import type { OpenApiRequest } from 'express-openapi-validator/dist/framework/types.js';

/** Where the interface is mounted; §9: the version is a segment of the path. */
export const basePath = '/v1';

/**
 * A request that the validator of its operation has accepted. Handlers take nothing else, and no value
 * can be made of these types, so {@link OperationValidator.take} is the only source of it.
 */
export interface ValidatedRequest {
  readonly path: never;
  readonly body: never;
}

/** Validates requests against one operation of the spec. */
export interface OperationValidator {
  /** The middleware that lets a request pass only if it is what the spec says. */
  readonly steps: readonly RequestHandler[];
  /** @throws Error for a request that has not passed the steps: its handler must not run */
  readonly take: (request: Request) => ValidatedRequest;
}

/** The resource with most calls and most paths. */
const busiestResource = 'customers';

/**
 * Two validators, one for the busiest resource and one for all others. At every request a
 * validator compiles the expressions of its paths until one matches, so that a single one would
 * make customers pay for whatever sorts before them; but each costs about 0.15 s at the start.
 */
export function createOperationValidators(): (operation: Operation) => OperationValidator {
  const busiest = createValidator((resource) => resource === busiestResource);
  const others = createValidator((resource) => resource !== busiestResource);
  return (operation) =>
    validatorOf(operation, operation.client.resource === busiestResource ? busiest : others);
}

/**
 * A validator looks up the operation of a request by itself, and lets every request pass of which
 * it finds none. So a request counts as validated only once that is the operation it was routed to.
 */
function validatorOf(
  { operationId }: Operation,
  validator: readonly RequestHandler[],
): OperationValidator {
  const validated = new WeakMap<Request, ValidatedRequest>();
  const admit: RequestHandler = (request: OpenApiRequest, _response, next) => {
    const found = request.openapi?.schema.operationId;
    if (found !== operationId) {
      throw new Error(`A request to ${operationId} was validated as ${found ?? 'no operation'}`);
    }
    const { params: path, body } = request;
    validated.set(request, { path, body } as ValidatedRequest);
    next();
  };
  return {
    steps: [...validator, admit],
    take(request) {
      const taken = validated.get(request);
      if (taken === undefined) throw new Error(`A request to ${operationId} was not validated`);
      return taken;
    },
  };
}

function createValidator(includes: (resource: string) => boolean): RequestHandler[] {
  const paths = Object.values(operations)
    .filter(({ client }) => includes(client.resource))
    .map(({ path }) => [path, spec.paths[path]]);
  return OpenApiValidator.middleware({
    apiSpec: { ...spec, servers: [{ url: basePath }], paths: Object.fromEntries(paths) } as never,
    validateApiSpec: false,
    validateSecurity: false,
    validateResponses: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: false },
    fileUploader: false,
  });
}

/** In how many alternatives (`oneOf`) the body of an operation may come. */
export function bodyAlternatives({ method, path }: Operation): number {
  const schema = spec.paths[path]?.[method]?.requestBody?.content?.['application/json']?.schema;
  const name = schema?.$ref?.split('/').at(-1);
  const resolved = name === undefined ? schema : spec.components.schemas[name];
  return resolved?.oneOf?.length ?? 1;
}
