import type { SpecNode } from '../document/spec-document.js';
import { referencedSchema } from '../openapi/schema-object.js';
import type { TypeReference } from './api-model.js';

/** The name of a schema's type, or what to call it where it has none. */
export function nameType(schema: SpecNode | undefined, nameless: TypeReference): TypeReference {
  const name = schema && referencedSchema(schema);
  if (name !== undefined) return { kind: 'model', name };

  const items = schema?.get('items');
  const itemName = items && referencedSchema(items);
  if (schema?.get('type')?.text === 'array' && itemName !== undefined) {
    return { kind: 'array', items: { kind: 'model', name: itemName } };
  }
  return nameless;
}
