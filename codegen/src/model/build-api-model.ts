import { documentedCodes, errorCodeNodes } from '../openapi/error-code.js';
import type { OpenApiObject } from '../openapi/openapi-object.js';
import { readScopes } from '../openapi/security-scheme-object.js';
import { readBaseUrl } from '../openapi/server-object.js';
import type { ApiModel, ErrorKind } from './api-model.js';
import { buildOperation } from './build-operation.js';

/** What the emitters need, out of a specification that keeps every rule. */
export function buildApiModel(api: OpenApiObject): ApiModel {
  return {
    sourceText: api.document.text,
    document: api.document.value,
    title: api.root.at('info', 'title')?.text ?? '',
    baseUrl: readBaseUrl(api.root),
    operations: api.operations.map(buildOperation),
    scopes: readScopes(api).map(({ key, text }) => ({ name: key, description: text ?? '' })),
    errors: buildErrors(api),
    schemas: api.components.schemas.map((node) => ({
      name: node.key,
      description: node.get('description')?.text?.trim() ?? '',
    })),
  };
}

/** In the order of the enum `ErrorCode`. */
function buildErrors(api: OpenApiObject): ErrorKind[] {
  const documented = documentedCodes(api);
  return errorCodeNodes(api).flatMap(({ text }) => {
    const found = documented.find(({ code }) => code === text);
    if (!found) return [];
    return [{ code: found.code, status: Number(found.status), message: found.message ?? '' }];
  });
}
