import {
  isCamelCase,
  pascalCase,
  reservedMembers,
  reservedTypes,
  tagResource,
} from '../model/names.js';
import { operationRule, type Rule } from './rule.js';

/** Every operation says where it is in the client. */
export const clientMethod = operationRule('client-method', (operation, report) => {
  const place = operation.node.get('x-client-method');
  if (place?.text === undefined) {
    report(place ?? operation.node, `${operation.name} has no x-client-method.`);
  }
});

/**
 * `x-client-method: customers.get` makes an operation the client's method `client.customers.get()`.
 * Without it, the first tag is the resource, and the operation's id the method.
 */
export const clientName: Rule = {
  name: 'client-name',
  check({ operations }, report) {
    const seen = new Set<string>();
    for (const { node } of operations) {
      const place = node.get('x-client-method');
      const name = place?.text;
      if (!place || name === undefined) {
        const tag = node.get('tags')?.items[0];
        if (tag && reservedMembers.has(tagResource(node))) {
          report(tag, `Tag ${tag.text} has a special meaning in JavaScript.`);
        }
        continue;
      }
      const parts = name.split('.');
      if (parts.length !== 2 || !parts.every(isCamelCase)) {
        report(place, `x-client-method ${name} is not of the form resource.method.`);
      } else if (parts.some((part) => reservedMembers.has(part))) {
        report(place, `x-client-method ${name} has a special meaning in JavaScript.`);
      } else if (reservedTypes.has(pascalCase(parts[0] ?? ''))) {
        report(place, `x-client-method ${name} needs a class name that is already taken.`);
      } else if (seen.has(name)) {
        report(place, `x-client-method ${name} is already taken.`);
      }
      seen.add(name);
    }
  },
};
