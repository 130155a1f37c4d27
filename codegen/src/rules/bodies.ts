import type { SpecNode } from '../document/spec-document.js';
import { isErrorStatus } from '../openapi/message-objects.js';
import { mediaTypesOf } from '../openapi/openapi-object.js';
import {
  type OperationObject,
  operationName,
  successContent,
  successOf,
} from '../openapi/operation-object.js';
import {
  describesArray,
  describesObject,
  referencedSchema,
  subschemas,
} from '../openapi/schema-object.js';
import type { Rule } from './rule.js';

/** All bodies are JSON, each with a schema; a request body, where there is one, is required (D-05). */
export const jsonBodies: Rule = {
  name: 'json-bodies',
  check(api, report) {
    for (const { node, name, schema } of mediaTypesOf(api)) {
      if (name !== 'application/json') {
        report(node.keyPosition, `${name} is not application/json.`);
      }
      if (!schema) report(node, 'The body has no schema.');
    }
    for (const operation of api.operations) {
      const { requestBody } = operation;
      if (!requestBody) continue;
      if (!requestBody.isRequired) {
        report(requestBody.node, `The body of ${operationName(operation)} is not required.`);
      }
      if (operation.method === 'get' || operation.method === 'delete') {
        report(requestBody.node, `${operation.method.toUpperCase()} takes no body.`);
      }
    }
  },
};

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
  if (referencedSchema(schema) !== undefined) yield* schemasReachedFrom(schema.follow(), seen);
}

/** Every success answers 200 (D-02) with JSON; everything else is an error with a status of its own. */
export const successResponse: Rule = {
  name: 'success-response',
  check({ operations }, report) {
    for (const operation of operations) {
      const success = successOf(operation);
      if (!success) {
        report(
          operation.node.get('responses') ?? operation.node,
          `${operationName(operation)} has no 200.`,
        );
      } else if (!successContent(operation)) {
        report(success.use, `The 200 of ${operationName(operation)} has no application/json.`);
      }
      for (const { status, use } of operation.responses) {
        if (status !== '200' && !isErrorStatus(status)) {
          report(use.keyPosition, `Status ${status} is neither 200 nor an error.`);
        }
      }
    }
  },
};
