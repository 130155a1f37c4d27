import type { SpecNode } from '../document/spec-node.js';
import { operationName } from '../openapi/operation-object.js';
import { describesObject, subschemas } from '../openapi/schema-object.js';
import type { Rule } from './rule.js';

/** D-05: an unknown field is refused at every depth, so that a misspelt one is never lost. */
export const closedRequestBody: Rule = {
  name: 'closed-request-body',
  check({ operations }, report) {
    for (const operation of operations) {
      for (const { schema } of operation.requestBody?.content ?? []) {
        if (!schema) continue;
        for (const object of objectsReachedFrom(schema, new Set())) {
          if (object.get('additionalProperties')?.value === false) continue;
          report(
            object,
            `An object in the body of ${operationName(operation)} lacks additionalProperties: false.`,
          );
        }
      }
    }
  },
};

/** Every object schema in a schema, through references, lists and alternatives. */
function* objectsReachedFrom(schema: SpecNode, seen: Set<string>): Generator<SpecNode> {
  const node = schema.follow();
  const place = JSON.stringify(node.path);
  if (seen.has(place)) return;
  seen.add(place);
  if (describesObject(node)) yield node;
  for (const part of subschemas(node)) yield* objectsReachedFrom(part, seen);
}
