import type { ErrorCode, Error as ErrorSchema } from './generated/models.gen.js';
import type { OperationId, PaginatedOperationId } from './generated/operations.gen.js';
import type { operations } from './generated/schema.gen.js';

/** The JSON body an operation answers with `200`. */
export type SuccessBody<Id extends OperationId> =
  operations[Id]['responses'][200]['content']['application/json'];

/** The JSON body an operation takes; never where it takes none. */
export type RequestBody<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

/** One record of a paginated list. */
export type RecordOf<Id extends PaginatedOperationId> = SuccessBody<Id>['records'][number];

/** The body of an error with one of these codes (D-03). */
export type ErrorBody<Code extends ErrorCode = ErrorCode> = ErrorSchema & { error: Code };
