import type { SpecNode } from '../../document/spec-document.js';
import {
  type OperationObject,
  requestContent,
  successContent,
} from '../../openapi/operation-object.js';
import { requiredNames } from '../../openapi/schema-object.js';
import type { Rule } from '../rule.js';
import { checkAddedMethod, checkMembers, resourceOf } from './client-methods.js';

/** `x-pending` gives the client a method that goes through the files of a list, and acknowledges them. */
export const pending: Rule = {
  name: 'pending',
  check({ operations }, report) {
    for (const operation of operations) {
      const place = operation.node.get('x-pending');
      if (!place) continue;
      checkMembers(place, ['method', 'acknowledge'], [], report);
      checkAddedMethod(place.get('method'), operation, operations, report);
      if (!operation.node.get('x-download')) report(place, 'x-pending needs x-download.');
      const customer = successContent(operation)?.schema?.follow().get('items')?.follow();
      const [group] = listsOf(customer);
      const [file] = listsOf(group);
      const order = file?.at('properties', 'processedOn')?.follow().get('type')?.text;
      if (order !== 'string' || !file || !requiredNames(file).includes('processedOn')) {
        report(place, 'x-pending needs customers with groups of files that have processedOn.');
      }
      const acknowledge = place.get('acknowledge');
      const named = operations.find(({ id }) => id !== undefined && id === acknowledge?.text);
      if (acknowledge && !takesIds(named)) {
        report(acknowledge, 'acknowledge is not an operation that takes fileIds alone.');
      }
      const resource = resourceOf(operation.node);
      if (acknowledge && named && resourceOf(named.node) !== resource) {
        report(acknowledge, `acknowledge is not an operation of the resource ${resource}.`);
      }
    }
  },
};

/** Returns the schemas of the objects in the only list of a schema. */
function listsOf(schema: SpecNode | undefined): SpecNode[] {
  const lists = schema?.get('properties')?.members ?? [];
  return lists.flatMap((property) => {
    const items = property.follow().get('items')?.follow();
    return items?.get('properties') ? [items] : [];
  });
}

function takesIds(operation: OperationObject | undefined): boolean {
  if (!operation || operation.parameters.length > 0) return false;
  const body = requestContent(operation)?.schema?.follow();
  return body !== undefined && requiredNames(body).join() === 'fileIds';
}
