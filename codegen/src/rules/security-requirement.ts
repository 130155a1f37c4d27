import { operationName } from '../openapi/operation-object.js';
import type { Rule } from './rule.js';

/**
 * Every call carries the API key (§5). With an ID token the key also needs the scopes that stand
 * beside it; without one, no scopes.
 */
export const securityRequirement: Rule = {
  name: 'security-requirement',
  check({ operations, root }, report) {
    const shared = root.get('security');
    if (shared) report(shared, 'Each operation states its own security.');

    for (const operation of operations) {
      const place = operation.node.get('security') ?? operation.node;
      const name = operationName(operation);
      const [requirement, ...others] = operation.security;
      if (!requirement || others.length > 0) {
        report(
          place,
          `${name} has ${operation.security.length} security requirements instead of one.`,
        );
        continue;
      }
      for (const scheme of requirement.node.members) {
        if (!['apiKey', 'idToken'].includes(scheme.key)) {
          report(scheme, `${name} uses the security scheme ${scheme.key}.`);
        }
      }
      const apiKey = requirement.schemes.get('apiKey');
      const idToken = requirement.schemes.get('idToken');
      if (!apiKey) report(requirement.node, `${name} does not require the API key.`);
      if (idToken && idToken.length > 0) {
        report(requirement.node, `${name} puts scopes on idToken; they belong to apiKey.`);
      }
      if (!idToken && apiKey && apiKey.length > 0) {
        report(requirement.node, `${name} has scopes but requires no ID token.`);
      }
    }
  },
};
