import { type Operation, operations } from '@adx/contract';
import { follow, type SpecDocument, spec } from '@adx/contract/spec';
import type { Request, RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import type { OpenApiRequest } from 'express-openapi-validator/dist/framework/types.js';
import { parseInstant } from '../../dates/instant.js';

/** The path of the interface; the version is a path segment (§9). */
export const basePath = '/v1';

/**
 * A request that the validator of its operation has accepted. Handlers accept nothing else. Since no
 * code can create a value of these types, {@link OperationValidator.take} is the only source.
 */
export interface ValidatedRequest {
  readonly path: never;
  /** The declared parameters that were sent or have a default, by their names in the spec. */
  readonly query: never;
  readonly headers: never;
  readonly body: never;
}

/** Validates requests against one operation of the spec. */
interface OperationValidator {
  /** The middleware that passes on only requests that match the spec. */
  readonly steps: readonly RequestHandler[];
  /** @throws Error for a request that has not passed the steps, so that its handler does not run */
  readonly take: (request: Request) => ValidatedRequest;
}

/** The resource with the most calls and the most paths. */
const busiestResource = 'customers';

/**
 * Two validators: one for the busiest resource and one for all others (L-02). For every request a
 * validator compiles the regular expressions of its paths, in order, until one matches, so with a
 * single validator each call on customers would pay for all paths before them. Each validator
 * takes about 0.15 s to create. They depend on the spec alone, so a process creates each of them once.
 */
const validators = new Map<boolean, RequestHandler[]>();

function validatorFor(resource: string): RequestHandler[] {
  const isBusiest = resource === busiestResource;
  const validator =
    validators.get(isBusiest) ??
    createValidator((each) => (each === busiestResource) === isBusiest);
  validators.set(isBusiest, validator);
  return validator;
}

/**
 * The validator looks up the operation of a request by itself, and passes on every request for which
 * it finds none. So a request counts as validated only if the operation that the validator found is
 * the one that the request was routed to.
 */
export function createOperationValidator(operation: Operation): OperationValidator {
  const { operationId, client, queryParameters, headerParameters } = operation;
  const validated = new WeakMap<Request, ValidatedRequest>();
  const admit: RequestHandler = (request: OpenApiRequest, _response, next) => {
    const found = request.openapi?.schema.operationId;
    if (found !== operationId) {
      throw new Error(`A request to ${operationId} was validated as ${found ?? 'no operation'}`);
    }
    const { params: path, body } = request;
    const query = pick(queryParameters, (name) => request.query[name]);
    const headers = pick(headerParameters, (name) => request.headers[name.toLowerCase()]);
    validated.set(request, { path, query, headers, body } as ValidatedRequest);
    next();
  };
  return {
    steps: [...validatorFor(client.resource), admit],
    take(request) {
      const taken = validated.get(request);
      if (taken === undefined) throw new Error(`A request to ${operationId} was not validated`);
      return taken;
    },
  };
}

/** Returns the values that are there, by name. */
function pick(names: readonly string[], read: (name: string) => unknown) {
  const values = names.map((name) => [name, read(name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/**
 * The spec for the validator, which would otherwise refuse characters in the query that RFC 3986 allows,
 * and the `+` that `URLSearchParams` writes for a space.
 */
const lenientSpec = JSON.parse(JSON.stringify(spec), (_name, part) =>
  part?.in === 'query' ? { ...part, allowReserved: true } : part,
);

function createValidator(includes: (resource: string) => boolean): RequestHandler[] {
  const paths = Object.values(operations)
    .filter(({ client }) => includes(client.resource))
    .map(({ path }) => [path, lenientSpec.paths[path]]);
  return OpenApiValidator.middleware({
    apiSpec: { ...lenientSpec, servers: [{ url: basePath }], paths: Object.fromEntries(paths) },
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
