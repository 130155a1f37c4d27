import type { SpecNode } from '../document/spec-document.js';
import { type ExampleObject, readExamples } from './example-object.js';

/** Media Type Object, OpenAPI 3.1 §4.8.14. */
export interface MediaTypeObject {
  readonly node: SpecNode;
  /** `application/json` */
  readonly name: string;
  readonly schema: SpecNode | undefined;
  readonly examples: readonly ExampleObject[];
}

/** The members of `content`. */
export function readContent(content: SpecNode | undefined): MediaTypeObject[] {
  return (content?.members ?? []).map((node) => ({
    node,
    name: node.key,
    schema: node.get('schema'),
    examples: readExamples(node),
  }));
}

/** The one body there is: every request and response of this interface is JSON. */
export function jsonContent(
  content: readonly MediaTypeObject[] | undefined,
): MediaTypeObject | undefined {
  return content?.find(({ name }) => name === 'application/json');
}
