import type { ApiModel, Operation } from '../../model/api-model.js';
import { header, jsDoc, prose } from '../text/comment.js';
import { literal, overLines, propertyKey, quote } from '../text/typescript.js';

/** The operation table and the scopes, as values with literal types. */
export function operationsFile(model: ApiModel): string {
  const paginated = model.operations.filter(({ success }) => success.record);
  return `${header}
import type { ErrorCode } from './errors.gen.js';

/** The properties of an operation, apart from its types. */
export interface Operation {
  readonly operationId: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** The path below the base URL, with parameters in braces. */
  readonly path: string;
  /** Its place in the client: \`client.customers.get()\`. */
  readonly client: { readonly resource: string; readonly method: string };
  /** True if the call carries an ID token in addition to the API key. */
  readonly idToken: boolean;
  /** The scopes that the API key must have. */
  readonly scopes: readonly Scope[];
  /** True if retrying the call does no harm. */
  readonly idempotent: boolean;
  readonly paginated: boolean;
  readonly body: 'none' | 'required';
  /** In the order of the path. */
  readonly pathParameters: readonly string[];
  /** Every error code that the operation documents. */
  readonly errors: readonly ErrorCode[];
}

/** Every scope that an API key can have, with its description. */
export const scopes = {
${model.scopes.map(({ name, description }) => `  ${propertyKey(name)}: ${quote(description)},\n`).join('')}} as const;

export type Scope = keyof typeof scopes;

/** Every operation of the interface, in the order of openapi.yaml. */
export const operations = {
${model.operations.map(operationEntry).join('')}} as const satisfies Readonly<Record<string, Operation>>;

export type OperationId = keyof typeof operations;

/** The paginated operations (§4.22). */
export type PaginatedOperationId =${union(paginated.map(({ id }) => id))};
`;
}

function operationEntry(operation: Operation): string {
  const entry = {
    operationId: operation.id,
    method: operation.method,
    path: operation.path,
    client: operation.client,
    idToken: operation.requiresIdToken,
    scopes: operation.scopes,
    idempotent: operation.isIdempotent,
    paginated: operation.success.record !== undefined,
    body: operation.body ? 'required' : 'none',
    pathParameters: operation.pathParameters.map(({ name }) => name),
    errors: [...new Set(operation.errors.flatMap(({ codes }) => codes))],
  };
  const comment = jsDoc(prose(operation.summary), '  ');
  return `${comment}  ${propertyKey(operation.id)}: ${overLines(entry, '  ')},\n`;
}

function union(names: readonly string[]): string {
  return names.length === 0 ? ' never' : names.map((name) => `\n  | ${quote(name)}`).join('');
}

/** The error catalogue: the status and the message of each code. */
export function errorsFile(model: ApiModel): string {
  const entries = model.errors.map(
    ({ code, ...meaning }) =>
      `  ${propertyKey(code)}: ${literal(meaning, '  ', propertyKey(code).length + 2)},\n`,
  );
  return `${header}
/** Every error code with its HTTP status and its message (D-03). */
export const errorCatalogue = {
${entries.join('')}} as const satisfies Readonly<Record<string, { readonly status: number; readonly message: string }>>;

/** The stable codes of errors. */
export type ErrorCode = keyof typeof errorCatalogue;
`;
}
