import { reservedTypes } from '../reserved-names.js';
import { isPascalCase } from './names.js';
import type { Rule } from './rule.js';

/** Each schema becomes a type of its own name; only `Error` (D-03) hides one of JavaScript's. */
export const schemaName: Rule = {
  name: 'schema-name',
  check({ components, operations }, report) {
    const resources = new Set(
      operations.map(({ node }) => node.get('x-client-method')?.text?.split('.')[0]?.toLowerCase()),
    );
    for (const { key, keyPosition } of components.schemas) {
      if (!isPascalCase(key)) {
        report(keyPosition, `Schema ${key} is not in PascalCase.`);
      } else if (reservedTypes.has(key) && key !== 'Error') {
        report(keyPosition, `Schema ${key} has the name of a type in the generated code.`);
      } else if (resources.has(key.toLowerCase())) {
        report(keyPosition, `Schema ${key} has the name of a resource of the client.`);
      }
    }
  },
};
