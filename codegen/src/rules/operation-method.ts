import { operationName } from '../openapi/operation-object.js';
import type { Rule } from './rule.js';

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Methods that carry a resource; the server answers the others by itself. */
export const operationMethod: Rule = {
  name: 'operation-method',
  check({ operations }, report) {
    for (const operation of operations) {
      if (!methods.includes(operation.method)) {
        const allowed = methods.map((method) => method.toUpperCase()).join(', ');
        report(operation.node, `${operationName(operation)} is not one of ${allowed}.`);
      }
    }
  },
};
