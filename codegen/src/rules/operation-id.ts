import { operationName } from '../openapi/operation-object.js';
import { reservedMembers } from '../reserved-names.js';
import { isCamelCase } from './names.js';
import type { Rule } from './rule.js';

/** Operation ids name functions and types in every generated file. */
export const operationId: Rule = {
  name: 'operation-id',
  check({ operations }, report) {
    const seen = new Set<string>();
    for (const operation of operations) {
      const { id } = operation;
      const place = operation.node.get('operationId') ?? operation.node;
      if (id === undefined) {
        report(place, `${operationName(operation)} has no operationId.`);
      } else if (!isCamelCase(id)) {
        report(place, `operationId ${id} is not in camelCase.`);
      } else if (reservedMembers.has(id)) {
        report(place, `operationId ${id} means something else in JavaScript.`);
      } else if (seen.has(id)) {
        report(place, `operationId ${id} is already taken.`);
      } else {
        seen.add(id);
      }
    }
  },
};
