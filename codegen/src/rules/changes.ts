import type { SpecNode } from '../document/spec-document.js';
import {
  type OperationObject,
  operationName,
  requestContent,
  successContent,
} from '../openapi/operation-object.js';
import { requiredNames } from '../openapi/schema-object.js';
import { mismatches } from '../openapi/schema-validation.js';
import { checkAddedMethod, checkMembers } from './client-methods.js';
import type { Report, Rule } from './rule.js';

/** What the method takes beside the filters of the search. */
const taken = ['since', 'intervalMs', 'signal', 'timeoutMs'];
/** What the method sends by itself. */
const paging = ['limit', 'offset'];

/** `x-changes` gives the client a method that polls a paginated list for changes. */
export const changes: Rule = {
  name: 'changes',
  check({ operations }, report) {
    for (const operation of operations) {
      const place = operation.node.get('x-changes');
      if (!place) continue;
      if (!operation.isPaginated || operation.parameters.length > 0) {
        const name = operationName(operation);
        report(place, `x-changes: ${name} is not a paginated list without path parameters.`);
      } else {
        checkMembers(place, ['method', 'since', 'changedOn'], ['with'], report);
        checkAddedMethod(place.get('method'), operation, operations, report);
        checkRequest(place, operation, report);
        checkRecord(place.get('changedOn'), operation, report);
      }
    }
  },
};

/** The instant from which on, and what else is sent, are fields of the search. */
function checkRequest(place: SpecNode, operation: OperationObject, report: Report): void {
  const body = requestContent(operation)?.schema?.follow();
  const since = place.get('since');
  if (since?.text !== undefined && !isInstant(body?.at('properties', since.text))) {
    report(since, `The body has no date-time ${since.text}.`);
  }
  for (const name of taken) {
    const field = body?.at('properties', name);
    if (field && name !== since?.text) {
      report(field.keyPosition, `The changes of this list have their own ${name}.`);
    }
  }
  for (const value of place.get('with')?.members ?? []) {
    const field = body?.at('properties', value.key);
    if (!field || value.key === since?.text || paging.includes(value.key)) {
      report(value.keyPosition, `${value.key} is no filter or order of this list.`);
    } else {
      for (const { place: wrong, message } of mismatches(value, field)) {
        report(wrong, `The value of ${value.key} ${message}`);
      }
    }
  }
}

/** What tells a change: the record, and the instant of its last change. */
function checkRecord(
  place: SpecNode | undefined,
  operation: OperationObject,
  report: Report,
): void {
  const page = successContent(operation)?.schema?.follow();
  const record = page?.at('properties', 'records', 'items')?.follow();
  const name = place?.text;
  if (!place || name === undefined || !record) return;
  const forms = record.get('oneOf')?.items.map((form) => form.follow()) ?? [record];
  for (const form of forms) {
    const id = form.at('properties', 'id')?.follow();
    const isTold = ['id', name].every((field) => requiredNames(form).includes(field));
    if (!isTold || id?.get('type')?.text !== 'string' || !isInstant(form.at('properties', name))) {
      report(place, `A record does not always have a text id and a date-time ${name}.`);
      return;
    }
  }
}

function isInstant(schema: SpecNode | undefined): boolean {
  const field = schema?.follow();
  return field?.get('type')?.text === 'string' && field.get('format')?.text === 'date-time';
}
