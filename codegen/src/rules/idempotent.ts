import type { Rule } from './rule.js';

/**
 * `x-idempotent: true` tells the client that a POST may be repeated when its outcome is unknown.
 * The other methods are idempotent by HTTP (RFC 9110 §9.2.2) or by the decisions of this interface.
 */
export const idempotent: Rule = {
  name: 'idempotent',
  check({ operations }, report) {
    for (const { node, method, isPaginated } of operations) {
      const place = node.get('x-idempotent');
      if (place && place.value !== true) {
        report(place, 'x-idempotent is true or absent.');
      } else if (place && method !== 'post') {
        report(place, `x-idempotent stands on POST only: ${method.toUpperCase()} is idempotent.`);
      } else if (!place && isPaginated) {
        report(node, 'A paginated list is x-idempotent.');
      }
    }
  },
};
