import { operationName, successContent, successOf } from '../openapi/operation-object.js';
import { isErrorStatus } from '../openapi/responses-object.js';
import type { Rule } from './rule.js';

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
