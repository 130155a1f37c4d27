import type { SpecNode } from '../document/spec-document.js';
import { type OperationObject, operationName } from '../openapi/operation-object.js';
import {
  describesArray,
  describesObject,
  schemaName,
  subschemas,
} from '../openapi/schema-object.js';
import type { Rule } from './rule.js';

/** One of these says what a value is; a schema with none of them lets anything through. */
const telling = ['type', 'enum', 'const', '$ref', 'oneOf', 'anyOf', 'allOf'];

/**
 * D-05: an unknown field is refused at every depth, so that a misspelt one is never lost. Hence no
 * schema of a request body may leave open what stands in its place.
 */
export const closedRequestBody: Rule = {
  name: 'closed-request-body',
  check({ operations }, report) {
    for (const operation of operations) {
      for (const { schema } of operation.requestBody?.content ?? []) {
        if (!schema) continue;
        for (const part of schemasReachedFrom(schema, new Set())) {
          const problem = whatIsOpen(part, operation);
          if (problem !== undefined) report(part, problem);
        }
      }
    }
  },
};

function whatIsOpen(schema: SpecNode, operation: OperationObject): string | undefined {
  const body = `the body of ${operationName(operation)}`;
  if (!telling.some((keyword) => schema.get(keyword))) {
    return `A schema in ${body} has none of ${telling.join(', ')}: it allows anything.`;
  }
  if (schema.get('patternProperties')) return `An object in ${body} has patternProperties.`;
  if (describesObject(schema) && schema.get('additionalProperties')?.value !== false) {
    return `An object in ${body} lacks additionalProperties: false.`;
  }
  if (describesArray(schema) && !schema.get('items')) return `An array in ${body} has no items.`;
  return undefined;
}

/** A schema and every one in it, through references, lists and alternatives. */
function* schemasReachedFrom(schema: SpecNode, seen: Set<string>): Generator<SpecNode> {
  const place = JSON.stringify(schema.path);
  if (seen.has(place)) return;
  seen.add(place);
  yield schema;
  for (const part of subschemas(schema)) yield* schemasReachedFrom(part, seen);
  // A reference to anything else than a schema is a matter of the rule `schema`.
  if (schemaName(schema) !== undefined) yield* schemasReachedFrom(schema.follow(), seen);
}
