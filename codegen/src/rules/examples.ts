import type { SpecNode } from '../document/spec-document.js';
import type { MediaTypeObject } from '../openapi/message-objects.js';
import { mediaTypesOf, type OpenApiObject, parametersOf } from '../openapi/openapi-object.js';
import { requestContent, successContent } from '../openapi/operation-object.js';
import { allSchemas } from '../openapi/schema-object.js';
import { mismatches } from '../openapi/schema-validation.js';
import { type Rule, ruleForEach } from './rule.js';

interface Shown {
  readonly value: SpecNode;
  readonly schema: SpecNode;
}

/** Every example matches its schema: people copy them, and tests send them. */
export const examples = ruleForEach(
  'examples',
  (api) => [...examplesOfBodies(api), ...examplesOfSchemas(api)],
  ({ value, schema }, report) => {
    for (const { place, message } of mismatches(value, schema)) {
      report(place, `The example ${message}`);
    }
  },
);

function examplesOfBodies(api: OpenApiObject): Shown[] {
  return [...mediaTypesOf(api), ...parametersOf(api)].flatMap(({ schema, examples: named }) =>
    named.flatMap(({ value }) => (value && schema ? [{ value, schema }] : [])),
  );
}

function examplesOfSchemas(api: OpenApiObject): Shown[] {
  return allSchemas(api).flatMap((schema) => {
    const example = schema.get('example');
    const values = [...(schema.get('examples')?.items ?? []), ...(example ? [example] : [])];
    return values.map((value) => ({ value, schema }));
  });
}

/** Every body has an example in this document, for the documentation and the samples. */
export const bodyExamples: Rule = {
  name: 'body-examples',
  check(api, report) {
    for (const operation of api.operations) {
      const name = operation.name;
      const request = requestContent(operation);
      const content = successContent(operation);
      if (lacksExample(request)) report(request.node, `The body of ${name} has no example.`);
      if (lacksExample(content)) report(content.node, `The 200 of ${name} has no example.`);
    }
    const shown = [...mediaTypesOf(api), ...parametersOf(api)].flatMap(({ examples }) => examples);
    const examples = [...shown.map(({ use }) => use.follow()), ...api.components.examples];
    for (const example of examples) {
      const elsewhere = example.get('externalValue');
      if (elsewhere) report(elsewhere, 'An example must be given in this document, as its value.');
    }
  },
};

function lacksExample(body: MediaTypeObject | undefined): body is MediaTypeObject {
  return body?.examples.every(({ value }) => value === undefined) ?? false;
}
