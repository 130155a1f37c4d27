import type { SpecNode } from '../document/spec-document.js';
import type { TypeNames } from './type-names.js';

export interface ModelContext {
  readonly types: TypeNames;
  readonly keeps: (rule: string) => boolean;
  readonly headersOfServer: readonly string[];
}

/** Returns a text of the spec without space around it; empty if there is none. */
export function textAt(node: SpecNode | undefined, member: string): string {
  return node?.get(member)?.text?.trim() ?? '';
}
