import type { SpecNode } from '../../document/spec-document.js';
import {
  isCamelCase,
  pascalCase,
  reservedMembers,
  reservedTypes,
  tagResource,
} from '../../model/names.js';
import { type OperationObject, operationName } from '../../openapi/operation-object.js';
import type { Report, Rule } from '../rule.js';

/** Every operation says where it is in the client. */
export const clientMethod: Rule = {
  name: 'client-method',
  check({ operations }, report) {
    for (const operation of operations) {
      const place = operation.node.get('x-client-method');
      if (place?.text === undefined) {
        report(place ?? operation.node, `${operationName(operation)} has no x-client-method.`);
      }
    }
  },
};

/**
 * `x-client-method: customers.get` makes an operation the client's method `client.customers.get()`. Without it, the
 * first tag is the resource, and the operation's id the method.
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

/** The extensions that give the client a further method for an operation. */
const adding = ['x-changes', 'x-download', 'x-pending', 'x-upload'];

/** Checks the name of a method that an extension adds to the resource of its operation. */
export function checkAddedMethod(
  place: SpecNode | undefined,
  { node }: OperationObject,
  operations: readonly OperationObject[],
  report: Report,
): void {
  const name = place?.text;
  if (!place || name === undefined) return;
  const resource = resourceOf(node);
  if (!isCamelCase(name) || reservedMembers.has(name)) {
    report(place, `${name} is not a valid method name in camelCase.`);
  } else if (isTaken(`${resource}.${name}`, place, operations)) {
    report(place, `The method ${resource}.${name} is already taken.`);
  }
}

/** Returns true if an operation, or an extension further up, already has the name. */
function isTaken(name: string, place: SpecNode, operations: readonly OperationObject[]): boolean {
  if (operations.some(({ node }) => node.get('x-client-method')?.text === name)) return true;
  const added = operations.flatMap(({ node }) =>
    adding.flatMap((extension) => {
      const method = node.at(extension, 'method');
      return method && `${resourceOf(node)}.${method.text}` === name ? [method] : [];
    }),
  );
  return added[0]?.path.join() !== place.path.join();
}

/** Returns the resource of the client that an operation belongs to. */
export function resourceOf(node: SpecNode): string {
  return node.get('x-client-method')?.text?.split('.')[0] ?? tagResource(node);
}

/** Checks that an extension has these members as strings, and no others except optional ones. */
export function checkMembers(
  place: SpecNode,
  texts: readonly string[],
  optional: readonly string[],
  report: Report,
): void {
  const missing = texts.filter((name) => place.get(name)?.text === undefined);
  if (missing.length > 0) report(place, `${place.key} lacks ${missing.join(', ')}.`);
  for (const { key, keyPosition } of place.members) {
    if (!texts.includes(key) && !optional.includes(key)) {
      report(keyPosition, `${place.key} has no member ${key}.`);
    }
  }
}
