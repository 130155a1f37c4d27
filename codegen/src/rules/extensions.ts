import type { SpecNode } from '../document/spec-document.js';
import type { OpenApiObject } from '../openapi/openapi-object.js';
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

/** What OpenAPI allows but nothing is generated of: left in, it would silently have no effect. */
export const unsupported: Rule = {
  name: 'unsupported',
  check(api, report) {
    for (const [place, members] of placesOf(api)) {
      for (const member of members) {
        const node = place?.get(member);
        if (node) report(node.keyPosition, `${member} is not supported here.`);
      }
    }
  },
};

function placesOf(api: OpenApiObject): (readonly [SpecNode | undefined, readonly string[]])[] {
  return [
    [api.root, ['webhooks', 'jsonSchemaDialect']],
    [api.root.get('components'), ['pathItems', 'callbacks']],
    ...api.paths.map(({ node }) => [node, ['$ref', 'servers']] as const),
    ...api.operations.map(({ node }) => [node, ['callbacks', 'servers']] as const),
  ];
}

/** `x-decision` names the records in `docs/decisions/` on which an element rests. */
export const decision: Rule = {
  name: 'decision',
  check({ root }, report) {
    for (const node of decisionsBelow(root)) {
      const names = node.text === undefined ? node.items : [node];
      if (names.length === 0) report(node, 'x-decision is not D-nn or a list of them.');
      for (const name of names) {
        if (!/^D-\d\d$/.test(name.text ?? '')) {
          report(name, `x-decision ${JSON.stringify(name.value)} is not of the form D-nn.`);
        }
      }
    }
  },
};

function* decisionsBelow(node: SpecNode): Generator<SpecNode> {
  for (const child of [...node.members, ...node.items]) {
    if (child.key === 'x-decision') yield child;
    else yield* decisionsBelow(child);
  }
}
