import type { SpecNode } from '../document/spec-document.js';
import type { OperationObject } from '../openapi/operation-object.js';
import { reservedMembers } from '../reserved-names.js';
import { isCamelCase } from './names.js';
import type { Report } from './rule.js';

/** Extensions that give the client another method beside that of the operation. */
const adding = ['x-changes', 'x-download', 'x-upload'];

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
    report(place, `${name} cannot name a method in camelCase.`);
  } else if (isTaken(`${resource}.${name}`, place, operations)) {
    report(place, `The method ${resource}.${name} is already taken.`);
  }
}

/** Whether an operation has the name, or an extension that comes before. */
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

function resourceOf(node: SpecNode): string {
  return node.get('x-client-method')?.text?.split('.')[0] ?? '';
}
