import { allSchemas } from '../openapi/schema-object.js';
import type { Rule } from './rule.js';

/** The docs and the types show a sentence for every field; a reference may leave it to its target. */
export const propertyDescription: Rule = {
  name: 'property-description',
  check(api, report) {
    for (const schema of allSchemas(api)) {
      for (const property of schema.get('properties')?.members ?? []) {
        const prose = property.get('description') ?? property.follow().get('description');
        if (!prose?.text?.trim()) {
          report(property.keyPosition, `Property ${property.key} has no description.`);
        }
      }
    }
  },
};
