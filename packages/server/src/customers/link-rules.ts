import { ApiError } from '../api/api-error.js';
import type { Iban } from '../identifiers/iban.js';

/*
 * The rules on links that a request adds. They are checked within its transaction and throw, so that
 * the transaction is rolled back.
 */

/** A bank account or payroll provider to link. */
export interface Link<Value> {
  readonly value: Value;
  /** The field or path parameter of the request, for the details of an error. */
  readonly path: string;
}

/** The links that a request adds to a customer. */
export interface NewLinks {
  readonly bankAccounts?: readonly Link<Iban>[];
  readonly payrollProviders?: readonly Link<string>[];
}

/** @throws ApiError `ibanInUse` naming each IBAN that was not free, because it is an active account (D-16) */
export function requireFree(accounts: readonly Link<Iban>[], free: readonly Iban[]): void {
  const taken = accounts.filter(({ value }) => !free.includes(value));
  if (taken.length === 0) return;
  throw new ApiError('ibanInUse', {
    details: taken.map(({ path, value }) => ({ path, message: `${value} is already in use` })),
  });
}

/** @throws ApiError `unknownPayrollProvider` naming each code that does not exist */
export function requireKnown(providers: readonly Link<string>[], known: readonly string[]): void {
  const unknown = providers.filter(({ value }) => !known.includes(value));
  if (unknown.length === 0) return;
  throw new ApiError('unknownPayrollProvider', {
    details: unknown.map(({ path }) => ({ path, message: 'is not a known payroll provider' })),
  });
}
