import type { Finding } from '../document/finding.js';
import type { OpenApiObject } from '../openapi/openapi-object.js';
import { rules } from './registry.js';

/** Holds the specification against every rule of the house. */
export function checkRules(api: OpenApiObject): Finding[] {
  const findings: Finding[] = [];
  for (const rule of rules) {
    rule.check(api, (place, message) => {
      const position = 'position' in place ? place.position : place;
      findings.push({ ...position, rule: rule.name, message });
    });
  }
  return findings;
}
