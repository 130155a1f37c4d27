import type { JsonValue } from '../document/json.js';
import type { SpecNode } from '../document/spec-document.js';
import { requiredNames } from '../openapi/schema-object.js';

const textByFormat: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T08:00:00.000Z',
  email: 'name@example.org',
  uri: 'https://example.org',
};

/** Returns a value for examples: the schema's own example, or one built from its keywords. */
export function sampleOf(schema: SpecNode, depth = 0): JsonValue {
  const node = schema.follow();
  const told =
    node.get('examples')?.items[0] ??
    node.get('example') ??
    node.get('const') ??
    node.get('default') ??
    node.get('enum')?.items[0];
  if (told) return told.value;

  const form = node.get('oneOf')?.items[0] ?? node.get('anyOf')?.items[0];
  // A schema may contain itself.
  if (depth > 8) return null;
  if (form) return sampleOf(form, depth + 1);

  const type = node.get('type')?.text ?? node.get('type')?.items[0]?.text;
  switch (type) {
    case 'object':
      return Object.fromEntries(
        requiredNames(node).map((name) => {
          const property = node.at('properties', name);
          return [name, property ? sampleOf(property, depth + 1) : null];
        }),
      );
    case 'array': {
      const items = node.get('items');
      return items ? [sampleOf(items, depth + 1)] : [];
    }
    case 'integer':
    case 'number':
      return node.get('minimum')?.value ?? 1;
    case 'boolean':
      return true;
    case 'string':
      return textByFormat[node.get('format')?.text ?? ''] ?? 'text';
    default:
      return null;
  }
}
