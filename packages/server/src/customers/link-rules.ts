import { ApiError } from '../api/api-error.js';
import type { Iban } from '../identifiers/iban.js';

/* These rules are checked within the transaction of a request, and throw to roll it back. */

export interface Link<Value> {
  readonly value: Value;
  /** The field or path parameter of the request, for the details of an error. */
  readonly path: string;
}

export interface NewLinks {
  readonly bankAccounts?: readonly Link<Iban>[];
  readonly payrollProviders?: readonly Link<string>[];
}

/** An IBAN is in use by a customer that the caller sees, so the error tells nothing new (D-23). */
export class OwnIbanInUse extends ApiError {}

/**
 * Returns the error of an IBAN. It names only the first one of a request: otherwise one request
 * would tell which of a hundred are accounts of other firms (D-16).
 */
export function ibanInUse({ value, path }: Link<Iban>, isOwn: boolean): ApiError {
  const details = [{ path, message: `${value} is already in use` }];
  return isOwn
    ? new OwnIbanInUse('ibanInUse', { details })
    : new ApiError('ibanInUse', { details });
}

/** @throws ApiError `unknownPayrollProvider` naming each code that does not exist */
export function requireKnown(providers: readonly Link<string>[], known: readonly string[]): void {
  const unknown = providers.filter(({ value }) => !known.includes(value));
  if (unknown.length === 0) return;
  throw new ApiError('unknownPayrollProvider', {
    details: unknown.map(({ path }) => ({ path, message: 'is not a known payroll provider' })),
  });
}
