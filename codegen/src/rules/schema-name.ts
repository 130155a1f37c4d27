import { isPascalCase } from './names.js';
import type { Rule } from './rule.js';

/** What the generated code names itself, or takes from the language. */
const taken = new Set(
  (
    'Array AsyncIterable CallOptions Caller Client ErrorBody Operation OperationId Page ' +
    'PaginatedOperationId Promise RecordOf RequestBody Scope SuccessBody'
  ).split(' '),
);

/** Each schema becomes a type of its own name. */
export const schemaName: Rule = {
  name: 'schema-name',
  check({ components, operations }, report) {
    const resources = new Set(
      operations.map(({ node }) => node.get('x-client-method')?.text?.split('.')[0]?.toLowerCase()),
    );
    for (const { key, keyPosition } of components.schemas) {
      if (!isPascalCase(key)) {
        report(keyPosition, `Schema ${key} is not in PascalCase.`);
      } else if (taken.has(key)) {
        report(keyPosition, `Schema ${key} has the name of a type in the generated code.`);
      } else if (resources.has(key.toLowerCase())) {
        report(keyPosition, `Schema ${key} has the name of a resource of the client.`);
      }
    }
  },
};
