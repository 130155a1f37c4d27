import { type Operation, operations } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

/** The spec with all objects closed, so that an undocumented field is a finding. */
const closedSpec = closeObjects(spec as unknown as Json);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(closedSpec as object, 'openapi');

const validators = new Map<string, ValidateFunction>();

const operationsByPath = Object.values(operations).map((operation: Operation) => ({
  operation,
  expression: new RegExp(`^${operation.path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
}));

/**
 * Validates a response of the service against the spec: its status is documented, its body has the
 * documented shape and no other fields, its error code is one that the operation documents, each
 * documented header is there, each header of a limit is documented, and of the conflicts only
 * `idempotencyKeyInUse` says when to try again (D-43).
 *
 * @returns the findings as sentences; empty if the response is valid
 */
export function validateResponse(method: string, path: string, answer: Answer): string[] {
  const operation = findOperation(method, path);
  const where = `${method} ${path} answered ${answer.status}`;
  if (operation === undefined) {
    return [404, 403, 405, 400, 429].includes(answer.status)
      ? checkBody(where, '#/components/schemas/ErrorBody', answer)
      : [`${where}, and no operation is there`];
  }
  const name = String(answer.status);
  const response = resolve(
    at(closedSpec, ['paths', operation.path, operation.method, 'responses', name]),
  );
  if (response === undefined) return [`${where}, which ${operation.operationId} does not document`];
  const pointer = schemaPointer(operation, name);
  return [
    ...(method === 'HEAD'
      ? []
      : [...checkBody(where, pointer, answer), ...checkErrorCode(where, operation, answer)]),
    ...checkHeaders(where, response, answer),
  ];
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** True if the request target was refused, which happens before all other checks (D-04). */
  readonly isTargetRefused?: boolean;
}

function findOperation(method: string, path: string): Operation | undefined {
  const matching = operationsByPath.filter(({ expression }) => expression.test(path));
  const found =
    matching.find(({ operation }) => operation.method === method.toLowerCase()) ??
    // 405 concerns the path, so any of its operations may document it.
    matching[0];
  return found?.operation;
}

function schemaPointer(operation: Operation, status: string): string {
  const response = at(closedSpec, ['paths', operation.path, operation.method, 'responses', status]);
  const reference = isObject(response) ? response['$ref'] : undefined;
  const base =
    typeof reference === 'string'
      ? reference
      : `#/paths/${operation.path.replaceAll('~', '~0').replaceAll('/', '~1')}/${operation.method}/responses/${status}`;
  return `${base}/content/application~1json/schema`;
}

/** Errors that may come before the limit of the caller is known; HEAD does not tell which. */
const withoutRateLimit: readonly unknown[] = [
  ...['invalidApiKey', 'internalError', 'unavailable', undefined],
];

/** The headers of limits, which the spec documents wherever they are sent (D-23). */
const limitHeaders = ['RateLimit', 'RateLimit-Policy', 'Retry-After'];

function checkHeaders(where: string, response: Json, answer: Answer): string[] {
  const { status, headers, body, isTargetRefused = false } = answer;
  const documented = isObject(response) && isObject(response['headers']) ? response['headers'] : {};
  const isEarly =
    isTargetRefused || (status >= 400 && withoutRateLimit.includes(errorCodeOf(body)));
  const undocumented = limitHeaders.filter((name) => headers.has(name) && !(name in documented));
  const findings = Object.entries(documented).flatMap(([name, reference]) => {
    const value = headers.get(name);
    if (name === 'Retry-After' && status === 409) {
      const isInUse = errorCodeOf(body) === 'idempotencyKeyInUse';
      if (isInUse !== (value !== null)) return [`${where} with Retry-After: ${value}`];
    }
    if (value === null) {
      if (name === 'Retry-After' && status === 409) return [];
      if (name === 'X-Api-Key-Expires') return [];
      return isEarly && name.startsWith('RateLimit') ? [] : [`${where} without ${name}`];
    }
    const schema = at(resolve(reference), ['schema']);
    const isNumber = isObject(schema) && schema['type'] === 'integer';
    return ajv.validate(schema as object, isNumber ? Number(value) : value)
      ? []
      : [`${where} with ${name}: ${value}`];
  });
  return [...findings, ...undocumented.map((name) => `${where} with an undocumented ${name}`)];
}

function checkBody(where: string, pointer: string, { headers, body }: Answer): string[] {
  const contentType = headers.get('content-type');
  if (contentType === null || !/^application\/json(;|$)/.test(contentType)) {
    return [`${where} as ${contentType}`];
  }
  const validate = validatorOf(pointer);
  try {
    if (validate(JSON.parse(body))) return [];
  } catch (error) {
    return [`${where} with a body that is not JSON: ${error}`];
  }
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${where}: ${instancePath || 'body'} ${message} ${JSON.stringify(params)}`,
  );
}

function checkErrorCode(where: string, operation: Operation, { status, body }: Answer): string[] {
  if (status < 400 || (operation.operationId === 'getToken' && status === 500)) return [];
  const error = errorCodeOf(body);
  const documented: readonly unknown[] = operation.errors;
  return documented.includes(error)
    ? []
    : [`${where} ${error}, which ${operation.operationId} does not document`];
}

/** Returns the code of an error. A body that is not JSON is a finding of `checkBody`. */
function errorCodeOf(body: string): unknown {
  try {
    return JSON.parse(body).error;
  } catch {
    return undefined;
  }
}

function validatorOf(pointer: string): ValidateFunction {
  const known = validators.get(pointer);
  if (known !== undefined) return known;
  const validate = ajv.compile({ $ref: `openapi${encodeURI(pointer)}` });
  validators.set(pointer, validate);
  return validate;
}

function closeObjects(value: Json): Json {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (!isObject(value)) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name, closeObjects(child)]),
  );
  return isObject(copy['properties']) && copy['type'] === 'object'
    ? { ...copy, additionalProperties: false }
    : copy;
}

function resolve(value: Json | undefined): Json | undefined {
  const reference = isObject(value) ? value['$ref'] : undefined;
  return typeof reference === 'string' ? at(closedSpec, reference.slice(2).split('/')) : value;
}

function at(value: Json | undefined, names: readonly string[]): Json | undefined {
  return names.reduce<Json | undefined>(
    (parent, name) => (isObject(parent) ? parent[name] : undefined),
    value,
  );
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
