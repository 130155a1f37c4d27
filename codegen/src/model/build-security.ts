import type { SpecNode } from '../document/spec-document.js';
import type { OpenApiObject } from '../openapi/openapi-object.js';
import type { OperationObject } from '../openapi/operation-object.js';
import type { SecurityRequirement, SecurityScheme } from './api-model.js';
import { textAt } from './model-context.js';

/** Returns the requirements, of which a call meets one; none if the operation is open to all. */
export function buildSecurity({ security }: OperationObject): SecurityRequirement[] {
  return security.map(({ schemes }) =>
    Object.fromEntries(
      [...schemes].map(([name, scopes]) => [name, scopes.flatMap(({ text }) => text ?? [])]),
    ),
  );
}

export function buildSecuritySchemes({ components, operations }: OpenApiObject): SecurityScheme[] {
  const used = new Set(
    operations.flatMap(({ security }) => security.flatMap(({ schemes }) => [...schemes.keys()])),
  );
  return (components.securitySchemes?.members ?? [])
    .filter(({ key }) => used.has(key))
    .map((node) => ({
      name: node.key,
      description: textAt(node.follow(), 'description'),
      place: placeOf(node.follow()),
    }));
}

const keyPlaces = ['header', 'query', 'cookie'] as const;

/** OAuth 2 and OpenID Connect give bearer tokens. The rule `security` refuses all others. */
function placeOf(scheme: SpecNode): SecurityScheme['place'] {
  if (scheme.get('type')?.text === 'mutualTLS') return { in: 'connection' };
  if (scheme.get('type')?.text !== 'apiKey') {
    return { in: scheme.get('scheme')?.text?.toLowerCase() === 'basic' ? 'basic' : 'bearer' };
  }
  const place = keyPlaces.find((each) => each === scheme.get('in')?.text) ?? 'header';
  return { in: place, name: scheme.get('name')?.text ?? '' };
}
