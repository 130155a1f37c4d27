import { orMeant } from '../document/closest.js';
import type { SpecNode } from '../document/spec-document.js';
import type { OperationObject } from '../openapi/operation-object.js';
import type { Report, Rule } from './rule.js';

/**
 * A deprecated operation can say since when (`x-deprecated-since`), from which day it may be gone
 * (`x-sunset`), and which operation replaces it (`x-replaced-by`). Responses carry this in their headers.
 */
export const deprecation: Rule = {
  name: 'deprecation',
  check({ operations }, report) {
    for (const { node } of operations) {
      const since = node.get('x-deprecated-since');
      const sunset = node.get('x-sunset');
      const replacedBy = node.get('x-replaced-by');
      const given = [since, sunset, replacedBy].filter((each) => each !== undefined);
      for (const place of given) checkHolder(place, node, report);
      for (const place of [since, sunset]) if (place) checkDate(place, report);
      if (since?.text && sunset?.text && sunset.text <= since.text) {
        report(sunset, `x-sunset ${sunset.text} is not after x-deprecated-since.`);
      }
      if (replacedBy) checkReplacement(replacedBy, operations, report);
    }
  },
};

function checkHolder(place: SpecNode, operation: SpecNode, report: Report): void {
  if (operation.get('deprecated')?.value !== true) {
    report(place.keyPosition, `${place.key} belongs on operations with deprecated: true.`);
  } else if (!operation.get('x-deprecated-since')) {
    report(place.keyPosition, `${place.key} needs x-deprecated-since.`);
  }
}

function checkDate(place: SpecNode, report: Report): void {
  const text = place.text ?? '';
  const date = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) {
    report(place, `${place.key} ${JSON.stringify(place.value)} is not a date such as 2027-06-30.`);
  }
}

function checkReplacement(
  place: SpecNode,
  operations: readonly OperationObject[],
  report: Report,
): void {
  const current = operations.filter(({ node }) => node.get('deprecated')?.value !== true);
  const ids = current.flatMap(({ id }) => id ?? []);
  const id = place.text ?? '';
  if (!ids.includes(id)) {
    report(place, `x-replaced-by ${id} is not an operation that goes on${orMeant(id, ids)}`);
  }
}
