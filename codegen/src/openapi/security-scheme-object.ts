import type { SpecNode } from '../document/spec-document.js';
import type { OpenApiObject } from './openapi-object.js';

/**
 * The scopes an API key can have: `x-scopes` of the `apiKey` scheme (Security Scheme Object,
 * OpenAPI 3.1 §4.8.27, which gives scopes to OAuth only). Each node's key is the scope, its text
 * what it allows.
 */
export function readScopes(api: OpenApiObject): SpecNode[] {
  return api.components.securitySchemes?.at('apiKey', 'x-scopes')?.members ?? [];
}
