import type { SpecNode } from '../document/spec-document.js';
import { bodyKind, isRange } from '../openapi/media-type.js';
import { isErrorStatus } from '../openapi/message-objects.js';
import { mediaTypesOf } from '../openapi/openapi-object.js';
import { type OperationObject, successContent, successOf } from '../openapi/operation-object.js';
import {
  describesArray,
  describesObject,
  mistakeInForms,
  referencedSchema,
  requiredNames,
  shapeOf,
  subschemas,
  unnamedFiles,
} from '../openapi/schema-object.js';
import { operationRule, type Rule } from './rule.js';

/** Every body has a media type that generated code can write and read. */
export const mediaTypes: Rule = {
  name: 'media-types',
  check(api, report) {
    for (const { node, name, schema } of mediaTypesOf(api)) {
      const kind = bodyKind(name);
      const encodings = node.get('encoding')?.members ?? [];
      for (const member of encodings.flatMap(({ members }) => members)) {
        if (kind === 'multipart' && member.key === 'contentType') continue;
        report(member.keyPosition, `${member.key} of an encoding is not supported.`);
      }
      const isForm = kind === 'form' || kind === 'multipart';
      if (kind === undefined) {
        report(node.keyPosition, `${name} is not supported; write multipart/form-data.`);
      } else if (isForm && schema && !isObject(schema)) {
        report(node.keyPosition, `A body of ${name} is an object, which its schema does not say.`);
      }
      const mistake = isForm && schema && mistakeInForms(schema);
      if (mistake) report(node.keyPosition, `A body of ${name} ${mistake}`);
      for (const file of kind === 'multipart' && schema ? unnamedFiles(schema) : []) {
        report(file.keyPosition, `Name the files of a form under properties, not ${file.key}.`);
      }
    }
    for (const { name, node } of api.operations.flatMap(({ responses }) =>
      responses.flatMap(({ content }) => content),
    )) {
      if (bodyKind(name) === 'multipart') {
        report(node.keyPosition, `A response of ${name} is not supported.`);
      }
    }
    for (const { requestBody, method } of api.operations) {
      if (requestBody && method === 'get')
        report(requestBody.node, 'GET takes no body; write parameters, or POST.');
      for (const [index, { node, name }] of (requestBody?.content ?? []).entries()) {
        // The client sends the first one.
        const isRead = index > 0 && bodyKind(name) === 'json';
        if (isRange(name) && !isRead)
          report(node.keyPosition, `A request needs a media type, not ${name}.`);
      }
    }
  },
};

function isObject(schema: SpecNode): boolean {
  return shapeOf(schema) === 'object' || schema.object?.['type'] === undefined;
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
        report(requestBody.node, `The body of ${operation.name} is not required.`);
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
  const body = `the body of ${operation.name}`;
  if (!restricting.some((keyword) => schema.get(keyword))) {
    return `A schema in ${body} has none of ${restricting.join(', ')}: it allows anything.`;
  }
  if (schema.get('readOnly')?.value === true) {
    return `${schema.key} in ${body} is readOnly, so the server would refuse it.`;
  }
  if (operation.method === 'patch' && schema.get('default')) {
    return `${schema.key} in ${body} has a default, which a PATCH would set where it is absent.`;
  }
  const given = requiredNames(schema).find((name) => schema.at('properties', name, 'default'));
  if (given !== undefined) {
    return `${given} in ${body} is required, but its default would stand for it; remove one.`;
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
    report(operation.node.get('responses') ?? operation.node, `${operation.name} has no 200.`);
  } else if (!successContent(operation)) {
    report(success.use, `The 200 of ${operation.name} has no application/json.`);
  }
  for (const { status, use } of operation.responses) {
    if (status !== '200' && !isErrorStatus(status)) {
      report(use.keyPosition, `Status ${status} is neither 200 nor an error.`);
    }
  }
});
