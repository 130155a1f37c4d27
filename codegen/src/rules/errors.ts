import { orMeant } from '../document/closest.js';
import { type DocumentedCode, documentedCodes, errorCodeNodes } from '../model/error-code.js';
import { isErrorStatus, jsonContent, type ResponseObject } from '../openapi/message-objects.js';
import { type OperationObject, requiresIdToken } from '../openapi/operation-object.js';
import { referencedSchema } from '../openapi/schema-object.js';
import { operationRule, type Report, type Rule } from './rule.js';

/**
 * Every error body has the schema `ErrorBody` (D-03). The error catalogue is made from its
 * examples: the name of each is the error code, and its value a whole body with that code.
 */
export const errorResponse: Rule = {
  name: 'error-response',
  check({ operations }, report) {
    const seen = new Set<string>();
    for (const operation of operations) {
      for (const response of operation.responses) {
        const place = JSON.stringify([response.node.path, holdsSignInFailure(operation, response)]);
        if (!isErrorStatus(response.status) || seen.has(place)) continue;
        seen.add(place);
        checkResponse(operation, response, report);
      }
    }
  },
};

function checkResponse(operation: OperationObject, response: ResponseObject, report: Report): void {
  const where = `The ${response.status} of ${operation.name}`;
  const body = jsonContent(response.content);
  const schema = body?.schema && referencedSchema(body.schema);
  if (!body) {
    report(response.node, `${where} has no application/json.`);
    return;
  }
  const isSignInFailure = holdsSignInFailure(operation, response);
  const expected = isSignInFailure ? 'TokenFailure' : 'ErrorBody';
  if (schema !== expected) {
    report(body.schema ?? body.node, `${where} does not refer to the schema ${expected}.`);
  }
  if (body.examples.every(({ name }) => name === '')) {
    report(body.node, `${where} has no examples named after its error codes.`);
  }
  for (const { name, use, value } of body.examples) {
    const code = value?.get('error')?.text;
    if (name !== '' && code !== name && !isSignInFailure) {
      report(use, `Example ${name} has the error code ${code ?? '(none)'}.`);
    }
  }
}

/** Returns true for §7: there, `error` is the identity provider's reason, not a code. */
function holdsSignInFailure({ id }: OperationObject, { status }: ResponseObject): boolean {
  return id === 'getToken' && status === '500';
}

/** Every operation documents each error that the checks before its handler can return (D-04). */
export const documentedErrors = operationRule('documented-errors', (operation, report) => {
  const documented = new Set(operation.responses.map(({ status }) => status));
  const missing = expectedStatuses(operation).filter((status) => !documented.has(status));
  if (missing.length > 0) {
    report(
      operation.node.get('responses') ?? operation.node,
      `${operation.name} does not document ${missing.join(', ')}.`,
    );
  }
});

function expectedStatuses(operation: OperationObject): string[] {
  return [
    // Every request can have a query parameter that the operation does not know.
    '400',
    ...(requiresIdToken(operation) ? ['401'] : []),
    '403',
    ...(operation.parameters.some((parameter) => parameter.in === 'path') ? ['404'] : []),
    '405',
    ...(operation.requestBody ? ['413', '415'] : []),
    '429',
    '500',
    '503',
  ];
}

/** The enum `ErrorCode` holds exactly the codes that operations document. */
export const errorCodes: Rule = {
  name: 'error-codes',
  check(api, report) {
    const declared = errorCodeNodes(api);
    const used = documentedCodes(api);
    if (declared.length === 0) report(api.root, 'There is no schema ErrorCode with an enum.');
    for (const node of declared) {
      // The rule `schema` reports an entry that is not a string.
      const isUsed = !api.isWhole || used.some(({ code }) => code === node.text);
      if (node.text !== undefined && !isUsed) {
        report(node, `No operation documents the error code ${node.text}.`);
      }
    }
    const names = declared.flatMap(({ text }) => text ?? []);
    for (const { code, example } of used) {
      if (!names.includes(code)) {
        report(example, `Error code ${code} is not in the enum ErrorCode${orMeant(code, names)}`);
      }
    }
  },
};

/** An error code has the same status and the same message wherever it is documented. */
export const errorMeaning: Rule = {
  name: 'error-meaning',
  check(api, report) {
    const meanings = new Map<string, DocumentedCode>();
    for (const documented of documentedCodes(api)) {
      const { code, status, message, example, use } = documented;
      const first = meanings.get(code);
      if (!first) {
        meanings.set(code, documented);
        if (!message?.trim()) report(example, `Error code ${code} has no message.`);
        continue;
      }
      if (first.status !== status) {
        report(use, `Error code ${code} has status ${status} here, and ${first.status} elsewhere.`);
      }
      if (first.message !== message) {
        report(example, `Error code ${code} has another message elsewhere: ${first.message}`);
      }
    }
  },
};
