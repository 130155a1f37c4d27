import type { SpecNode } from '../document/spec-document.js';
import { isErrorStatus, jsonContent } from '../openapi/message-objects.js';
import type { OpenApiObject } from '../openapi/openapi-object.js';
import type { OperationObject } from '../openapi/operation-object.js';
import { referencedSchema } from '../openapi/schema-object.js';

/** An error code that an operation documents by a named example of an error response. */
export type DocumentedCode = ReturnType<typeof codesOf>[number];

export function errorCodeNodes(api: OpenApiObject): SpecNode[] {
  return api.root.at('components', 'schemas', 'ErrorCode', 'enum')?.items ?? [];
}

/** Returns the codes that all operations document, one entry for each use. */
export function documentedCodes(api: OpenApiObject): DocumentedCode[] {
  return api.operations.flatMap(codesOf);
}

/**
 * Returns the codes that an operation documents. A `TokenFailure` also has examples whose `error`
 * is the identity provider's reason (§7), so only examples named like their `error` count there.
 */
export function codesOf(operation: OperationObject) {
  return operation.responses
    .filter(({ status }) => isErrorStatus(status))
    .flatMap(({ status, use, content }) => {
      const body = jsonContent(content);
      const namesCodesOnly = (body?.schema && referencedSchema(body.schema)) === 'ErrorBody';
      return (body?.examples ?? []).flatMap(({ name, value }) => {
        const code = value?.get('error')?.text;
        if (!value || code === undefined || (!namesCodesOnly && code !== name)) return [];
        return [{ code, status, message: value.get('message')?.text, example: value, use }];
      });
    });
}
