import { mediaTypesOf } from '../openapi/openapi-object.js';
import { operationName } from '../openapi/operation-object.js';
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
