import {
  type OperationObject,
  operationName,
  requiresIdToken,
} from '../openapi/operation-object.js';
import type { Rule } from './rule.js';

/** Every operation documents each error that the checks of DESIGN §3 ("A request") can answer. */
export const documentedErrors: Rule = {
  name: 'documented-errors',
  check({ operations }, report) {
    for (const operation of operations) {
      const documented = new Set(operation.responses.map(({ status }) => status));
      const missing = expectedStatuses(operation).filter((status) => !documented.has(status));
      if (missing.length > 0) {
        report(
          operation.node.get('responses') ?? operation.node,
          `${operationName(operation)} does not document ${missing.join(', ')}.`,
        );
      }
    }
  },
};

function expectedStatuses(operation: OperationObject): string[] {
  return [
    // A query parameter is an unknown field: there are none in this interface.
    '400',
    ...(requiresIdToken(operation) ? ['401'] : []),
    '403',
    ...(operation.parameters.length > 0 ? ['404'] : []),
    '405',
    ...(operation.requestBody ? ['413', '415'] : []),
    '429',
    '500',
    '503',
  ];
}
