import { pascalCase } from '../emit/text/names.js';
import { operationName } from '../openapi/operation-object.js';
import { reservedMembers, reservedTypes } from '../reserved-names.js';
import { isCamelCase } from './names.js';
import type { Rule } from './rule.js';

/** `x-client-method: customers.get` places an operation in the client: `client.customers.get()`. */
export const clientMethod: Rule = {
  name: 'client-method',
  check({ operations }, report) {
    const seen = new Set<string>();
    for (const operation of operations) {
      const place = operation.node.get('x-client-method');
      const name = place?.text;
      if (!place || name === undefined) {
        report(place ?? operation.node, `${operationName(operation)} has no x-client-method.`);
        continue;
      }
      const parts = name.split('.');
      if (parts.length !== 2 || !parts.every(isCamelCase)) {
        report(place, `x-client-method ${name} is not of the form resource.method.`);
      } else if (parts.some((part) => reservedMembers.has(part))) {
        report(place, `x-client-method ${name} means something else in JavaScript.`);
      } else if (reservedTypes.has(pascalCase(parts[0] ?? ''))) {
        report(place, `x-client-method ${name} needs a class whose name is taken.`);
      } else if (seen.has(name)) {
        report(place, `x-client-method ${name} is already taken.`);
      }
      seen.add(name);
    }
  },
};
