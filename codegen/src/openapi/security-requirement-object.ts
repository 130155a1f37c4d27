import type { SpecNode } from '../document/spec-document.js';

/** Security Requirement Object, OpenAPI 3.1 §4.8.30. */
export interface SecurityRequirementObject {
  readonly node: SpecNode;
  /** The scopes asked for under each scheme. */
  readonly schemes: ReadonlyMap<string, readonly SpecNode[]>;
}

export function readSecurity(security: SpecNode | undefined): SecurityRequirementObject[] {
  return (security?.items ?? []).map((node) => ({
    node,
    schemes: new Map(node.members.map((scheme) => [scheme.key, scheme.items])),
  }));
}
