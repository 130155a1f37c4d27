import type { SpecNode } from '../document/spec-document.js';
import type { Rule } from './rule.js';

/** Extensions that mean something where they stand at an operation, and nothing elsewhere. */
const ofOperations = new Set(
  (
    'x-client-method x-idempotent x-paginated x-changes x-download x-upload x-no-scope ' +
    'x-no-id-token'
  ).split(' '),
);
/** The others: of any element, of the API key, and of what the reference documentation shows. */
const others = new Set('x-decision x-scopes x-displayName x-tagGroups'.split(' '));

/** Members whose own members carry names that somebody chose. */
const named = new Set(
  'properties patternProperties dependentSchemas dependentRequired $defs headers examples mapping'.split(
    ' ',
  ),
);
/** Members that hold a value as it is sent. */
const values = new Set('value example default const enum'.split(' '));

/** OpenAPI ignores an extension it does not know, so a misspelt one would have no effect. */
export const extension: Rule = {
  name: 'extension',
  check({ root }, report) {
    for (const node of extensionsBelow(root)) {
      if (!others.has(node.key) && !ofOperations.has(node.key)) {
        report(node.keyPosition, `${node.key} is not an extension of this interface.`);
      } else if (ofOperations.has(node.key) && !standsAtOperation(node)) {
        report(node.keyPosition, `${node.key} stands at operations only.`);
      } else if (node.path.at(-2) === 'responses' && node.path.length === 5) {
        // openapi-typescript takes it for a response.
        report(node.keyPosition, `${node.key} cannot stand among responses.`);
      }
    }
  },
};

/** At `paths/{template}/{method}`. */
function standsAtOperation({ path }: SpecNode): boolean {
  return path.length === 4 && path[0] === 'paths';
}

function* extensionsBelow(element: SpecNode): Generator<SpecNode> {
  for (const item of element.items) yield* extensionsBelow(item);
  for (const member of element.members) {
    if (member.key.startsWith('x-')) yield member;
    else if (named.has(member.key)) {
      for (const child of member.members) yield* extensionsBelow(child);
    } else if (!values.has(member.key)) {
      yield* extensionsBelow(member);
    }
  }
}
