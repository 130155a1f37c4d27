import type { ErrorBody, ErrorCode } from './generated/models.gen.js';
import {
  type OperationId,
  type operations as operationTable,
  type PaginatedOperationId,
  type Scope,
  scopes,
} from './generated/operations.gen.js';
import type { operations } from './generated/schema.gen.js';

/** The JSON body of an operation's 200 response. */
export type SuccessBody<Id extends OperationId> =
  operations[Id]['responses'][200]['content']['application/json'];

/** The JSON body of an operation's request, or `never` if it has none. */
export type RequestBody<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

/** A record of a paginated list. */
export type RecordOf<Id extends PaginatedOperationId> = SuccessBody<Id>['records'][number];

/** The codes of the errors that an operation documents. */
export type ErrorCodeOf<Id extends OperationId> = (typeof operationTable)[Id]['errors'][number];

/** The body of an error response with one of these codes (D-03). */
export type ErrorBodyOf<Code extends ErrorCode> = ErrorBody & { error: Code };

/** Returns true if a text, such as one from a database or a command line, is a scope. */
export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}
