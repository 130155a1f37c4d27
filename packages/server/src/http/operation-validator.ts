import { type Operation, operations } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import type { RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';

/** Where the interface is mounted; §9: the version is a segment of the path. */
export const basePath = '/v1';

/** Makes the middleware that holds a request against its operation in the spec. */
export type OperationValidators = (operation: Operation) => RequestHandler[];

/** The resource with most calls and most paths. */
const busiestResource = 'customers';

/**
 * Two validators, one for the busiest resource and one for all others. At every request a
 * validator compiles the expressions of its paths until one matches, so that a single one would
 * make customers pay for whatever sorts before them; but each costs about 0.15 s at the start.
 */
export function createOperationValidators(): OperationValidators {
  const busiest = createValidator((resource) => resource === busiestResource);
  const others = createValidator((resource) => resource !== busiestResource);
  return ({ client: { resource } }) => (resource === busiestResource ? busiest : others);
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
