import { readScopes } from '../openapi/security-scheme-object.js';
import type { Rule } from './rule.js';

/** Every scope is declared with what it allows, and used by an operation. */
export const scopes: Rule = {
  name: 'scopes',
  check(api, report) {
    const declared = readScopes(api);
    const used = api.operations.flatMap(({ security }) =>
      security.flatMap(({ schemes }) => schemes.get('apiKey') ?? []),
    );
    for (const scope of declared) {
      if (!/^[a-z]+:[a-z]+$/.test(scope.key)) {
        report(scope.keyPosition, `Scope ${scope.key} is not of the form resource:right.`);
      }
      if (!scope.text?.trim()) {
        report(scope, `Scope ${scope.key} has no description.`);
      }
      if (!used.some(({ text }) => text === scope.key)) {
        report(scope.keyPosition, `Scope ${scope.key} is not used by any operation.`);
      }
    }
    for (const scope of used) {
      if (!declared.some(({ key }) => key === scope.text)) {
        report(scope, `Scope ${scope.text} is not declared in x-scopes.`);
      }
    }
  },
};
