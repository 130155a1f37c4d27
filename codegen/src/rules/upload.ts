import { operationName, successContent } from '../openapi/operation-object.js';
import { requiredNames } from '../openapi/schema-object.js';
import { checkAddedMethod } from './added-method.js';
import { checkMembers } from './extension-members.js';
import type { Rule } from './rule.js';

/** What the method puts a file with. */
const credentials = [
  'accessKeyId',
  'secretAccessKey',
  'sessionToken',
  'bucketName',
  'prefix',
  'expirationUtc',
];

/** `x-upload` gives the client a method that uploads files with the credentials of an operation. */
export const upload: Rule = {
  name: 'upload',
  check({ operations }, report) {
    for (const operation of operations) {
      const place = operation.node.get('x-upload');
      if (!place) continue;
      checkMembers(place, ['method'], [], report);
      checkAddedMethod(place.get('method'), operation, operations, report);
      const { parameters, requestBody } = operation;
      const answer = successContent(operation)?.schema?.follow();
      const given = answer ? requiredNames(answer) : [];
      const isText = (name: string) =>
        answer?.at('properties', name)?.follow().get('type')?.text === 'string';
      const missing = credentials.filter((name) => !given.includes(name) || !isText(name));
      if (missing.length > 0)
        report(place, `The answer does not always have ${missing.join(', ')}.`);
      if (parameters.length > 0 || requestBody) {
        report(place, `x-upload: ${operationName(operation)} takes parameters or a body.`);
      }
    }
  },
};
