import { type Operation, operations } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import type { RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';

/** Where the interface is mounted; §9: the version is a segment of the path. */
export const basePath = '/v1';

/** Makes the middleware that holds a request against its operation in the spec. */
export type OperationValidators = (operation: Operation) => RequestHandler[];

/**
 * One validator per resource, over the paths of that resource: at every request the validator
 * compiles the expressions of the paths it knows until one matches, so one over all paths would
 * make the last pay for all before it, while each costs about 0.1 s at the start.
 */
export function createOperationValidators(): OperationValidators {
  const validators = new Map<string, RequestHandler[]>();
  return ({ client: { resource } }) => {
    const validator = validators.get(resource) ?? createResourceValidator(resource);
    validators.set(resource, validator);
    return validator;
  };
}

function createResourceValidator(resource: string): RequestHandler[] {
  const paths = Object.values(operations)
    .filter(({ client }) => client.resource === resource)
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
