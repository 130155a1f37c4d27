export { errorCatalogue } from './generated/errors.gen.js';
export type * from './generated/models.gen.js';
export {
  type Operation,
  type OperationId,
  operations,
  type PaginatedOperationId,
  type Scope,
  scopes,
} from './generated/operations.gen.js';
export {
  type ErrorBodyOf,
  type ErrorCodeOf,
  isScope,
  type RecordOf,
  type RequestBody,
  type SuccessBody,
} from './operations.js';
