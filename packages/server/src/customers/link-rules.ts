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

/**
 * Names only the first IBAN that is in use. Otherwise one request would tell which of a hundred are
 * accounts of other firms (D-16).
 *
 * @throws ApiError `ibanInUse`
 */
export function requireFree(accounts: readonly Link<Iban>[], free: readonly Iban[]): void {
  const taken = accounts.find(({ value }) => !free.includes(value));
  if (taken === undefined) return;
  throw new ApiError('ibanInUse', {
    details: [{ path: taken.path, message: `${taken.value} is already in use` }],
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
