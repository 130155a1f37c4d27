import type { SpecNode } from '../../document/spec-document.js';
import {
  type OperationObject,
  operationName,
  requestContent,
  successContent,
} from '../../openapi/operation-object.js';
import { requiredNames } from '../../openapi/schema-object.js';
import { mismatches } from '../../openapi/schema-validation.js';
import type { Report, Rule } from '../rule.js';
import { checkAddedMethod, checkMembers } from './client-methods.js';

/** The method's own options, in addition to the filters of the search. */
const taken = ['since', 'intervalMs', 'signal', 'timeoutMs'];
/** The fields that the method sets itself. */
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
        report(
          place,
          `x-changes needs a paginated list without path parameters; ${name} is not one.`,
        );
      } else {
        checkMembers(place, ['method', 'since', 'changedOn'], ['with'], report);
        checkAddedMethod(place.get('method'), operation, operations, report);
        checkRequest(place, operation, report);
        checkRecord(place.get('changedOn'), operation, report);
      }
    }
  },
};

/** `since` and every member of `with` are fields of the search's body. */
function checkRequest(place: SpecNode, operation: OperationObject, report: Report): void {
  const body = requestContent(operation)?.schema?.follow();
  const since = place.get('since');
  if (since?.text !== undefined && !isInstant(body?.at('properties', since.text))) {
    report(since, `The body has no date-time field ${since.text}.`);
  }
  for (const name of taken) {
    const field = body?.at('properties', name);
    if (field && name !== since?.text) {
      report(field.keyPosition, `The method has an option ${name} of its own.`);
    }
  }
  for (const value of place.get('with')?.members ?? []) {
    const field = body?.at('properties', value.key);
    if (!field || value.key === since?.text || paging.includes(value.key)) {
      report(value.keyPosition, `${value.key} is not a filter or sort field of this list.`);
    } else {
      for (const { place: wrong, message } of mismatches(value, field)) {
        report(wrong, `The value of ${value.key} ${message}`);
      }
    }
  }
}

/** A change is recognized by the record's id and the instant of its last change. */
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
    const hasBoth = ['id', name].every((field) => requiredNames(form).includes(field));
    if (!hasBoth || id?.get('type')?.text !== 'string' || !isInstant(form.at('properties', name))) {
      report(place, `Not every record has a string id and a date-time ${name}.`);
      return;
    }
  }
}

function isInstant(schema: SpecNode | undefined): boolean {
  const field = schema?.follow();
  return field?.get('type')?.text === 'string' && field.get('format')?.text === 'date-time';
}
