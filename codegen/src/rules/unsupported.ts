import type { SpecNode } from '../document/spec-document.js';
import type { OpenApiObject } from '../openapi/openapi-object.js';
import type { Rule } from './rule.js';

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
