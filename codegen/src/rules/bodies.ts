import type { SpecNode } from '../document/spec-document.js';
import { bodyKind } from '../openapi/media-type.js';
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
  itemsOf,
  membersOf,
  referencedSchema,
  shapeOf,
  subschemas,
  typeNames,
} from '../openapi/schema-object.js';
import { operationRule, type Rule } from './rule.js';

/** Every body has a media type that generated code can write and read. */
export const mediaTypes: Rule = {
  name: 'media-types',
  check(api, report) {
    for (const { node, name, schema } of mediaTypesOf(api)) {
      const kind = bodyKind(name);
      const encoding = node.get('encoding');
      if (encoding) report(encoding.keyPosition, 'encoding is not supported.');
      const types = schema ? typeNames(schema.follow()) : [];
      if (kind === undefined) {
        report(node.keyPosition, `${name} is not supported.`);
      } else if ((kind === 'text' || kind === 'bytes') && types.some((type) => type !== 'string')) {
        report(node.keyPosition, `A body of ${name} that is not a string is not supported.`);
      } else if (kind === 'form' && schema && !isFlat(schema)) {
        report(
          node.keyPosition,
          'A form of anything but texts and lists of texts is not supported.',
        );
      }
    }
    for (const { requestBody, method } of api.operations) {
      if (requestBody && (method === 'get' || method === 'delete')) {
        report(requestBody.node, `${method.toUpperCase()} takes no body.`);
      }
      for (const { node, name } of requestBody?.content ?? []) {
        if (name.includes('*'))
          report(node.keyPosition, `A request needs a media type, not ${name}.`);
      }
    }
  },
};

function isFlat(schema: SpecNode): boolean {
  const members = membersOf(schema);
  const items = members.flatMap(itemsOf);
  return (
    shapeOf(schema) === 'object' &&
    !members.some((member) => shapeOf(member) === 'object') &&
    !items.some((item) => shapeOf(item) !== undefined)
  );
}

/** Every body is JSON with a schema. An operation that has a request body requires it (D-05). */
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
    }
  },
};

/** The keywords that restrict a value. A schema with none of them allows anything. */
const restricting = ['type', 'enum', 'const', '$ref', 'oneOf', 'anyOf', 'allOf'];

/**
 * D-05: an unknown field is refused at every depth, so every schema of a body restricts its value.
 */
export const closedRequestBody = operationRule('closed-request-body', (operation, report) => {
  for (const { schema } of operation.requestBody?.content ?? []) {
    if (!schema) continue;
    for (const part of schemasReachedFrom(schema, new Set())) {
      const problem = problemOf(part, operation);
      if (problem !== undefined) report(part, problem);
    }
  }
});

function problemOf(schema: SpecNode, operation: OperationObject): string | undefined {
  const body = `the body of ${operationName(operation)}`;
  if (!restricting.some((keyword) => schema.get(keyword))) {
    return `A schema in ${body} has none of ${restricting.join(', ')}: it allows anything.`;
  }
  if (schema.get('readOnly')?.value === true) {
    return `${schema.key} in ${body} is readOnly, so the server would refuse it.`;
  }
  if (schema.get('patternProperties')) return `An object in ${body} has patternProperties.`;
  if (describesObject(schema) && schema.get('additionalProperties')?.value !== false) {
    return `An object in ${body} lacks additionalProperties: false.`;
  }
  if (describesArray(schema) && !schema.get('items')) return `An array in ${body} has no items.`;
  return undefined;
}

/** Returns a schema and every schema in it, through references, lists and alternatives. */
function* schemasReachedFrom(schema: SpecNode, seen: Set<string>): Generator<SpecNode> {
  const place = JSON.stringify(schema.path);
  if (seen.has(place)) return;
  seen.add(place);
  yield schema;
  for (const part of subschemas(schema)) yield* schemasReachedFrom(part, seen);
  // The rule `schema` reports a reference to anything but a schema.
  if (referencedSchema(schema) !== undefined) yield* schemasReachedFrom(schema.follow(), seen);
}

/** Every success returns 200 with JSON (D-02). Every other status is an error. */
export const successResponse = operationRule('success-response', (operation, report) => {
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
});
