import type { SpecNode } from '../document/spec-node.js';
import { rootSchemas, withSubschemas } from '../openapi/schema-object.js';
import { schemaErrors } from '../openapi/schema-validation.js';
import type { Rule } from './rule.js';

/** The keywords of JSON Schema 2020-12 and of the Schema Object, OpenAPI 3.1 §4.8.24. */
const keywords = new Set(
  (
    '$ref $defs $comment $anchor $dynamicRef $dynamicAnchor $id $schema $vocabulary ' +
    'allOf anyOf oneOf not if then else dependentSchemas prefixItems items contains properties ' +
    'patternProperties additionalProperties propertyNames unevaluatedItems unevaluatedProperties ' +
    'type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength ' +
    'minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties ' +
    'minProperties required dependentRequired title description default deprecated readOnly ' +
    'writeOnly examples format contentEncoding contentMediaType contentSchema ' +
    'discriminator xml externalDocs example'
  ).split(' '),
);

/** Schemas are valid, and a misspelt keyword is not silently ignored, as JSON Schema would do. */
export const schema: Rule = {
  name: 'schema',
  check(api, report) {
    for (const root of rootSchemas(api)) {
      for (const { place, message } of schemaErrors(root)) report(place, message);
      for (const part of withSubschemas(root)) {
        for (const { key, keyPosition } of unknownKeywords(part)) {
          report(keyPosition, `${key} is not a keyword of schemas.`);
        }
      }
    }
  },
};

function unknownKeywords(node: SpecNode): SpecNode[] {
  return node.members.filter(({ key }) => !keywords.has(key) && !key.startsWith('x-'));
}
