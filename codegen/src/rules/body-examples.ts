import type { MediaTypeObject } from '../openapi/media-type-object.js';
import { mediaTypesOf, parametersOf } from '../openapi/openapi-object.js';
import { operationName, requestContent, successContent } from '../openapi/operation-object.js';
import type { Rule } from './rule.js';

/** The docs and the samples show what is sent and answered, so it stands in this document. */
export const bodyExamples: Rule = {
  name: 'body-examples',
  check(api, report) {
    for (const operation of api.operations) {
      const name = operationName(operation);
      const request = requestContent(operation);
      const answer = successContent(operation);
      if (lacksExample(request)) report(request.node, `The body of ${name} has no example.`);
      if (lacksExample(answer)) report(answer.node, `The 200 of ${name} has no example.`);
    }
    const shown = [...mediaTypesOf(api), ...parametersOf(api)].flatMap(({ examples }) => examples);
    const examples = [...shown.map(({ use }) => use.follow()), ...api.components.examples];
    for (const example of examples) {
      const elsewhere = example.get('externalValue');
      if (elsewhere) report(elsewhere, 'An example stands in this document, as value.');
    }
  },
};

function lacksExample(body: MediaTypeObject | undefined): body is MediaTypeObject {
  return body?.examples.every(({ value }) => value === undefined) ?? false;
}
