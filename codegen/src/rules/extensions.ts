import { orMeant } from '../document/closest.js';
import { kindOfMember } from '../document/openapi-places.js';
import type { SpecNode } from '../document/spec-document.js';
import { ownDialects } from '../openapi/plain-schema.js';
import { type Rule, ruleForEach } from './rule.js';

/** Extensions that are allowed on operations only. */
const operationExtensions = new Set(
  (
    'x-client-method x-idempotent x-paginated x-no-scope x-no-id-token ' +
    'x-deprecated-since x-sunset x-replaced-by'
  ).split(' '),
);
/** Extensions for any element, the API key, texts, and the reference documentation. */
const otherExtensions = new Set(
  'x-decision x-scopes x-extensible-enum x-displayName x-tagGroups'.split(' '),
);

/** OpenAPI ignores unknown extensions, so a misspelt one would have no effect. */
export const extension = ruleForEach(
  'extension',
  ({ root }) => extensionsBelow(root),
  (node, report) => {
    if (!otherExtensions.has(node.key) && !operationExtensions.has(node.key)) {
      const meant = orMeant(node.key, [...operationExtensions, ...otherExtensions]);
      report(node.keyPosition, `${node.key} is not an extension of this interface${meant}`);
    } else if (operationExtensions.has(node.key) && !standsAtOperation(node)) {
      report(node.keyPosition, `${node.key} belongs on operations only.`);
    } else if (node.path.at(-2) === 'responses' && node.path.length === 5) {
      // openapi-typescript would treat it as a response.
      report(node.keyPosition, `${node.key} is not allowed among responses.`);
    }
  },
);

function standsAtOperation({ path }: SpecNode): boolean {
  return path.length === 4 && path[0] === 'paths';
}

function* extensionsBelow(element: SpecNode, kind = 'document'): Generator<SpecNode> {
  for (const item of element.items) yield* extensionsBelow(item, kind);
  for (const member of element.members) {
    const kindOfIt = kindOfMember(kind, member.key);
    if (kindOfIt !== 'value') yield* extensionsBelow(member, kindOfIt);
    else if (member.key.startsWith('x-')) yield member;
  }
}

/** Refuses another dialect of JSON Schema, which validators would have to know. */
export const unsupported = ruleForEach(
  'unsupported',
  ({ root }) => [root.get('jsonSchemaDialect')].flatMap((dialect) => dialect ?? []),
  ({ key, text = '', keyPosition }, report) => {
    if (!ownDialects.test(text)) report(keyPosition, `${key} is not supported here.`);
  },
);

/** Refuses parts of OpenAPI from which nothing is generated, or nothing for this interface. */
export const effect: Rule = {
  name: 'effect',
  check({ root, paths, operations }, report) {
    const places = [
      ...[...paths, ...operations].map(({ node }) => node.get('servers')),
      root.get('webhooks'),
      root.at('components', 'pathItems'),
      root.at('components', 'callbacks'),
      ...operations.map(({ node }) => node.get('callbacks')),
    ];
    for (const node of places) {
      if (node) report(node.keyPosition, `${node.key} has no effect.`);
    }
  },
};

/** Refuses other forms of what a spec says than the one in which all tools read it. */
export const plainForm = ruleForEach(
  'plain-form',
  ({ notes }) => notes,
  (note, report) => report(note, note.message),
);

/** `x-decision` names the records in `docs/decisions/` that an element is based on. */
export const decision = ruleForEach(
  'decision',
  ({ root }) => [...extensionsBelow(root)].filter(({ key }) => key === 'x-decision'),
  (node, report) => {
    const names = node.text === undefined ? node.items : [node];
    if (names.length === 0) report(node, 'x-decision is not D-nn or a list of them.');
    for (const name of names) {
      if (!/^D-\d\d$/.test(name.text ?? '')) {
        report(name, `x-decision ${JSON.stringify(name.value)} is not of the form D-nn.`);
      }
    }
  },
);
