import { orMeant } from '../document/closest.js';
import type { SpecNode } from '../document/spec-document.js';
import { codesOf } from '../model/error-code.js';
import {
  identifier,
  isCamelCase,
  pascalCase,
  reservedMembers,
  reservedTypes,
  tagResource,
} from '../model/names.js';
import { idempotencyKeyOf, type OperationObject } from '../openapi/operation-object.js';
import { operationRule, type Report, type Rule } from './rule.js';

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

/** The methods that operations may have. The server responds to all others by itself. */
export const operationMethod = operationRule('operation-method', (operation, report) => {
  if (!methods.includes(operation.method)) {
    const allowed = methods.map((method) => method.toUpperCase()).join(', ');
    report(operation.node, `${operation.name} is not one of ${allowed}.`);
  }
});

/** Operation ids become the names of functions and types in every generated file. */
export const operationId: Rule = {
  name: 'operation-id',
  check({ operations }, report) {
    const seen = new Set<string>();
    for (const operation of operations) {
      const { id = '' } = operation;
      const place = operation.node.get('operationId') ?? operation.node;
      if (reservedMembers.has(identifier(id))) {
        report(place, `operationId ${id} has a special meaning in JavaScript.`);
      } else if (seen.has(pascalCase(identifier(id)))) {
        report(place, `operationId ${id} is already taken.`);
      } else {
        seen.add(pascalCase(identifier(id)));
      }
    }
  },
};

export const operationIdForm = operationRule('operation-id-form', ({ id, node }, report) => {
  if (id !== undefined && !isCamelCase(id)) {
    report(node.get('operationId') ?? node, `operationId ${id} is not in camelCase.`);
  }
});

/** Every operation says where it is in the client. */
export const clientMethod = operationRule('client-method', (operation, report) => {
  const place = operation.node.get('x-client-method');
  if (place?.text === undefined) {
    report(place ?? operation.node, `${operation.name} has no x-client-method.`);
  }
});

/**
 * `x-client-method: customers.get` makes an operation the client's method `client.customers.get()`.
 * Without it, the first tag is the resource, and the operation's id the method.
 */
export const clientName: Rule = {
  name: 'client-name',
  check({ operations }, report) {
    const seen = new Set<string>();
    for (const { node } of operations) {
      const place = node.get('x-client-method');
      const name = place?.text;
      if (!place || name === undefined) {
        const tag = node.get('tags')?.items[0];
        if (tag && reservedMembers.has(tagResource(node))) {
          report(tag, `Tag ${tag.text} has a special meaning in JavaScript.`);
        }
        continue;
      }
      const parts = name.split('.');
      if (parts.length !== 2 || !parts.every(isCamelCase)) {
        report(place, `x-client-method ${name} is not of the form resource.method.`);
      } else if (parts.some((part) => reservedMembers.has(part))) {
        report(place, `x-client-method ${name} has a special meaning in JavaScript.`);
      } else if (reservedTypes.has(pascalCase(parts[0] ?? ''))) {
        report(place, `x-client-method ${name} needs a class name that is already taken.`);
      } else if (seen.has(name)) {
        report(place, `x-client-method ${name} is already taken.`);
      }
      seen.add(name);
    }
  },
};

/** Every operation has one tag: the documentation shows it in exactly one chapter. */
export const operationTag = operationRule('operation-tag', (operation, report, { tags }) => {
  const place = operation.node.get('tags');
  const used = place?.items ?? [];
  if (used.length !== 1) {
    report(place ?? operation.node, `${operation.name} has ${used.length} tags instead of one.`);
  }
  for (const tag of used) {
    const name = tag.text ?? '';
    if (!tags.includes(name)) report(tag, `Tag ${name} is not declared${orMeant(name, tags)}`);
  }
});

/** The documentation and the client's comments come from summaries and descriptions. */
export const operationProse = operationRule('operation-prose', (operation, report) => {
  for (const part of ['summary', 'description']) {
    const place = operation.node.get(part);
    if (!place?.text?.trim()) {
      report(place ?? operation.node, `${operation.name} has no ${part}.`);
    }
  }
});

/**
 * With `x-idempotent`, the client retries a POST whose outcome is unknown. All other methods are
 * idempotent, by HTTP (RFC 9110 §9.2.2) or by a decision (D-15).
 */
export const idempotent = operationRule('idempotent', ({ node, method, isPaginated }, report) => {
  const place = node.get('x-idempotent');
  if (place && place.value !== true) {
    report(place, 'x-idempotent must be true or absent.');
  } else if (place && method !== 'post') {
    report(
      place,
      `x-idempotent belongs on POST only: ${method.toUpperCase()} is idempotent anyway.`,
    );
  } else if (!place && isPaginated) {
    report(node, 'A paginated list must be x-idempotent.');
  }
});

const keyErrors = ['idempotencyKeyInUse', 'idempotencyKeyReused'];

/** With `Idempotency-Key`, the client may retry, and the service keeps the first answer (D-43). */
export const idempotencyKey = operationRule('idempotency-key', (operation, report) => {
  const key = idempotencyKeyOf(operation);
  if (!key) return;
  const { node, method } = operation;
  if (method !== 'post' || node.get('x-idempotent')) {
    report(node, `${operation.name} needs no Idempotency-Key: it is idempotent.`);
  }
  if (key.isRequired) report(key.node, 'Idempotency-Key must be optional.');
  const codes = codesOf(operation).map(({ code }) => code);
  const missing = keyErrors.filter((code) => !codes.includes(code));
  if (missing.length > 0) {
    report(
      node.get('responses') ?? node,
      `${operation.name} does not document ${missing.join(', ')}.`,
    );
  }
});

/** Responses carry `x-deprecated-since`, `x-sunset` and `x-replaced-by` in their headers. */
export const deprecation = operationRule('deprecation', ({ node }, report, { operations }) => {
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
});

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
  const id = String(place.value);
  if (!ids.includes(id)) {
    report(place, `x-replaced-by ${id} is not an operation that goes on${orMeant(id, ids)}`);
  }
}
