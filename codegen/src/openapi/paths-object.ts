import type { SpecNode } from '../document/spec-document.js';
import { type OperationObject, readOperation } from './operation-object.js';
import { readParameter } from './parameter-object.js';

/** The members of a path item that are operations (Path Item Object, OpenAPI 3.1 §4.8.9). */
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Path Item Object, OpenAPI 3.1 §4.8.9. */
export interface PathItemObject {
  readonly node: SpecNode;
  /** As written: `/customers/{customerId}`. */
  readonly template: string;
  readonly operations: readonly OperationObject[];
}

/** Paths Object, OpenAPI 3.1 §4.8.8. */
export function readPaths(paths: SpecNode | undefined): PathItemObject[] {
  return (paths?.members ?? []).map((node) => {
    const shared = (node.get('parameters')?.items ?? []).map(readParameter);
    return {
      node,
      template: node.key,
      operations: node.members
        .filter(({ key }) => methods.includes(key))
        .map((operation) => readOperation(operation, node.key, shared)),
    };
  });
}

/** The parameter names of a path template, in order: `/customers/{customerId}` has `customerId`. */
export function templateParameters(template: string): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}
