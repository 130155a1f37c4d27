import { operationName, requestContent } from '../../openapi/operation-object.js';
import { mismatches } from '../../openapi/schema-validation.js';
import type { Rule } from '../rule.js';
import { checkMembers } from './client-methods.js';

/**
 * `x-implied: { set: includeFinished, when: status, is: finished }` makes the client set a field of the body, unless
 * the caller does, when another field is or contains a value that the operation would otherwise ignore.
 */
export const implied: Rule = {
  name: 'implied',
  check({ operations }, report) {
    for (const operation of operations) {
      const place = operation.node.get('x-implied');
      if (!place) continue;
      checkMembers(place, ['set', 'when', 'is'], [], report);
      const body = requestContent(operation)?.schema?.follow();
      const field = (name: string) => body?.at('properties', place.get(name)?.text ?? '')?.follow();
      const [set, when, is] = [field('set'), field('when'), place.get('is')];
      const name = operationName(operation);
      if (set?.get('type')?.text !== 'boolean') {
        report(place.get('set') ?? place, `The body of ${name} has no such boolean field.`);
      }
      if (!when) report(place.get('when') ?? place, `The body of ${name} has no such field.`);
      else if (is) {
        for (const { place: wrong, message } of mismatches(is, when)) {
          report(wrong, `The value of ${when.key} ${message}`);
        }
      }
    }
  },
};
