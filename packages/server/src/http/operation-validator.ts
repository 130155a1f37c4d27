import type { Operation } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import type { RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';

/** Where the interface is mounted; §9: the version is a segment of the path. */
export const basePath = '/v1';

/**
 * The middleware that holds a request against its operation in the spec.
 *
 * One validator per operation, over the part of the spec that concerns it: the validator compiles
 * the expression of every path it knows at every request, so a single one over all paths would
 * make the last path pay for all before it.
 */
export function createOperationValidator(operation: Operation): RequestHandler[] {
  const { method, path } = operation;
  const pathItem = spec.paths[path];
  return OpenApiValidator.middleware({
    // The validator changes the document it is given.
    apiSpec: structuredClone({
      ...spec,
      servers: [{ url: basePath }],
      paths: { [path]: { [method]: pathItem?.[method] } },
    }) as never,
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
