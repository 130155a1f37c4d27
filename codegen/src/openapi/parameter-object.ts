import type { SpecNode } from '../document/spec-document.js';
import { type ExampleObject, readExamples } from './example-object.js';

/** Parameter Object, OpenAPI 3.1 §4.8.12; a Header Object (§4.8.21) is one without name and place. */
export interface ParameterObject {
  /** Where the parameter itself stands, references followed. */
  readonly node: SpecNode;
  readonly name: string;
  readonly in: string;
  readonly schema: SpecNode | undefined;
  readonly examples: readonly ExampleObject[];
}

export function readParameter(use: SpecNode): ParameterObject {
  const node = use.follow();
  return {
    node,
    name: node.get('name')?.text ?? '',
    in: node.get('in')?.text ?? '',
    schema: node.get('schema'),
    examples: readExamples(node),
  };
}
