import { operationName } from '../openapi/operation-object.js';
import type { Rule } from './rule.js';

/** One tag each: the docs show an operation in exactly one chapter. */
export const operationTag: Rule = {
  name: 'operation-tag',
  check({ operations, tags }, report) {
    for (const operation of operations) {
      const place = operation.node.get('tags');
      const used = place?.items ?? [];
      if (used.length !== 1) {
        report(
          place ?? operation.node,
          `${operationName(operation)} has ${used.length} tags instead of one.`,
        );
      }
      for (const tag of used) {
        if (!tags.includes(tag.text ?? '')) report(tag, `Tag ${tag.text} is not declared.`);
      }
    }
  },
};
