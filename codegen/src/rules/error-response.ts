import { jsonContent } from '../openapi/media-type-object.js';
import { type OperationObject, operationName } from '../openapi/operation-object.js';
import { isErrorStatus, type ResponseObject } from '../openapi/responses-object.js';
import { schemaName } from '../openapi/schema-object.js';
import type { Report, Rule } from './rule.js';

/**
 * Every error body has the schema `Error` (D-03). Its examples are what the error catalogue is made
 * of: the name of each is the error code, its value a whole body with that code.
 */
export const errorResponse: Rule = {
  name: 'error-response',
  check({ operations }, report) {
    for (const operation of operations) {
      for (const response of operation.responses) {
        if (isErrorStatus(response.status)) checkResponse(operation, response, report);
      }
    }
  },
};

function checkResponse(operation: OperationObject, response: ResponseObject, report: Report): void {
  const where = `The ${response.status} of ${operationName(operation)}`;
  const body = jsonContent(response.content);
  const schema = body?.schema && schemaName(body.schema);
  if (!body) {
    report(response.use, `${where} has no application/json.`);
    return;
  }
  const isSignInFailure = holdsSignInFailure(operation, response);
  const expected = isSignInFailure ? 'TokenFailure' : 'Error';
  if (schema !== expected) {
    report(body.schema ?? body.node, `${where} does not refer to the schema ${expected}.`);
  }
  if (body.examples.length === 0 || body.examples.some(({ name }) => name === '')) {
    report(body.node, `${where} has no examples named after its error codes.`);
  }
  for (const { name, use, value } of body.examples) {
    const code = value?.get('error')?.text;
    if (name !== '' && code !== name && !isSignInFailure) {
      report(use, `Example ${name} has the error code ${code ?? '(none)'}.`);
    }
  }
}

/** §7: there `error` is the reason of the identity provider, no code. */
function holdsSignInFailure({ id }: OperationObject, { status }: ResponseObject): boolean {
  return id === 'getToken' && status === '500';
}
