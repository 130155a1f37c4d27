import type { Finding } from '../document/finding.js';
import type { OpenApiObject } from '../openapi/openapi-object.js';
import * as bodies from './bodies.js';
import * as errors from './errors.js';
import * as examples from './examples.js';
import * as extensions from './extensions.js';
import * as operations from './operations.js';
import * as pagination from './pagination.js';
import * as parameters from './parameters.js';
import * as paths from './paths.js';
import type { Rule } from './rule.js';
import * as schemas from './schemas.js';
import * as security from './security.js';

/** The rules that every spec must keep. */
export const requirements: readonly Rule[] = [
  extensions.unsupported,
  paths.pathTemplate,
  parameters.parameters,
  operations.operationMethod,
  operations.operationId,
  operations.clientName,
  security.security,
  bodies.mediaTypes,
  schemas.schema,
];

/** The conventions that a configuration can name: all other rules. */
export const conventions = [
  ...[extensions, paths, parameters, operations, pagination, security],
  ...[bodies, errors, schemas, examples],
]
  .flatMap((rules): Rule[] => Object.values(rules))
  .filter((rule) => !requirements.includes(rule));

/** @param rules the conventions in force, each with the decision or guide that it rests on */
export function checkRules(api: OpenApiObject, rules: Readonly<Record<string, string>>): Finding[] {
  const inForce = conventions.filter(({ name }) => Object.hasOwn(rules, name));
  const findings: Finding[] = [];
  for (const rule of [...requirements, ...inForce]) {
    const why = rules[rule.name];
    rule.check(api, (place, message) => {
      const position = 'position' in place ? place.position : place;
      findings.push({ ...position, rule: rule.name, message, ...(why !== undefined && { why }) });
    });
  }
  return findings;
}
