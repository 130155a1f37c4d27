import { operationName } from '../openapi/operation-object.js';
import type { Rule } from './rule.js';

/** The docs and the client's comments are made of summaries and descriptions. */
export const operationProse: Rule = {
  name: 'operation-prose',
  check({ operations }, report) {
    for (const operation of operations) {
      for (const part of ['summary', 'description']) {
        const place = operation.node.get(part);
        if (!place?.text?.trim()) {
          report(place ?? operation.node, `${operationName(operation)} has no ${part}.`);
        }
      }
    }
  },
};
