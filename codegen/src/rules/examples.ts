import type { SpecNode } from '../document/spec-document.js';
import { mediaTypesOf, type OpenApiObject, parametersOf } from '../openapi/openapi-object.js';
import { allSchemas } from '../openapi/schema-object.js';
import { mismatches } from '../openapi/schema-validation.js';
import type { Rule } from './rule.js';

/** A value the document shows, and the schema it must match. */
interface Shown {
  readonly value: SpecNode;
  readonly schema: SpecNode;
}

/** Every example and every default is what its schema says: people copy them, tests send them. */
export const examples: Rule = {
  name: 'examples',
  check(api, report) {
    for (const { value, schema } of [...examplesOfBodies(api), ...examplesOfSchemas(api)]) {
      for (const { place, message } of mismatches(value, schema)) {
        report(place, `The example ${message}`);
      }
    }
  },
};

function examplesOfBodies(api: OpenApiObject): Shown[] {
  return [...mediaTypesOf(api), ...parametersOf(api)].flatMap(({ schema, examples: named }) =>
    named.flatMap(({ value }) => (value && schema ? [{ value, schema }] : [])),
  );
}

function examplesOfSchemas(api: OpenApiObject): Shown[] {
  return allSchemas(api).flatMap((schema) => {
    const values = [
      ...(schema.get('examples')?.items ?? []),
      ...[schema.get('example'), schema.get('default')].filter((value) => value !== undefined),
    ];
    return values.map((value) => ({ value, schema }));
  });
}
