import type { ErrorCode, ErrorCodeOf, OperationId } from '@adx/contract';

/** The base class of all errors of calls. `operation` is the operation that failed. */
export class AdxError extends Error {
  declare readonly operation: OperationId;

  /** @param facts the other properties of the error */
  constructor(operation: OperationId, message: string, facts?: object, options?: ErrorOptions) {
    super(message, options);
    Object.assign(this, { operation }, facts);
  }
}

/**
 * Why no response arrived: `dns`, the name of the host has no address; `tls`, no secure connection,
 * for example because of the certificate; `http`, the port speaks http, and not https; `refused`,
 * nothing accepts connections there; `timeout`, no answer in time; `lost`, any other reason. Web
 * pages are told no other reasons than the last two.
 */
export type NetworkFailure = 'dns' | 'tls' | 'http' | 'refused' | 'timeout' | 'lost';

/** The properties of a `NetworkError`. */
export interface NetworkErrorFacts {
  /** The host that did not respond, with its port unless it is that of the protocol. */
  readonly host: string;
  readonly reason: NetworkFailure;
}

/**
 * No response arrived, because there was no connection or it was lost. `cause` is the error of
 * `fetch`.
 */
export class NetworkError extends AdxError implements NetworkErrorFacts {
  declare readonly host: string;
  declare readonly reason: NetworkFailure;

  constructor(
    operation: OperationId,
    message: string,
    facts: NetworkErrorFacts,
    options?: ErrorOptions,
  ) {
    super(operation, message, facts, options);
  }
}

/** No complete response arrived within `timeoutMs`. */
export class TimeoutError extends NetworkError {}

/** The properties of an error response. */
export interface ApiErrorFacts {
  /**
   * The HTTP status. 0 for a redirect in a browser, which hides its status; redirects are not
   * followed.
   */
  readonly status: number;
  /** The stable error code; undefined if the response did not come from the service. */
  readonly code: ErrorCode | (string & {}) | undefined;
  /** The paths of unknown fields, such as `contact.nickname`. */
  readonly fields: readonly string[];
  /** The findings of the validation. */
  readonly details: readonly { readonly path: string; readonly message: string }[];
  /** The id of the request, to quote when you contact support. */
  readonly requestId: string | undefined;
  /** The seconds to wait before the next attempt, if the service says so. */
  readonly retryAfter: number | undefined;
  /** With `customerExists`, the customer of the own firm, if the user may see it. */
  readonly customerId?: string | undefined;
}

/**
 * The service responded with an error. Each status has its own subclass.
 *
 * @example
 * ```ts
 * try {
 *   await client.customers.create(customer);
 * } catch (error) {
 *   if (error instanceof ConflictError && error.code === 'customerExists') return;
 *   throw error;
 * }
 * ```
 */
export class ApiError extends AdxError implements ApiErrorFacts {
  declare readonly status: number;
  declare readonly code: ApiErrorFacts['code'];
  declare readonly fields: ApiErrorFacts['fields'];
  declare readonly details: ApiErrorFacts['details'];
  declare readonly requestId: string | undefined;
  declare readonly retryAfter: number | undefined;
  declare readonly customerId?: string | undefined;

  constructor(operation: OperationId, message: string, facts: ApiErrorFacts) {
    super(operation, message, facts);
  }
}

/** An error of one operation. Services of later versions may have other codes. */
export interface ErrorOf<Id extends OperationId> extends ApiError {
  readonly operation: Id;
  /** One of the codes that the spec lists for the operation. */
  readonly code: ErrorCodeOf<Id> | (string & {}) | undefined;
}

/**
 * Returns true if the service, or the object storage of its files, responded to an operation with
 * an error. Then editors propose the codes of this operation.
 *
 * @example
 * ```ts
 * try {
 *   await client.customers.create(customer);
 * } catch (error) {
 *   if (isErrorOf(error, 'createCustomer') && error.code === 'customerExists') return;
 *   throw error;
 * }
 * ```
 */
export function isErrorOf<Id extends OperationId>(
  error: unknown,
  operation: Id,
): error is ErrorOf<Id> {
  return error instanceof ApiError && error.operation === operation;
}

/** 400: the request does not match the spec; see `fields` and `details`. */
export class BadRequestError extends ApiError {}

/** 401: the ID token is invalid, or the user may not use the interface (`portalOnly`). */
export class UnauthorizedError extends ApiError {}

/** 403: the API key is invalid or lacks a scope, or the action is not allowed. */
export class ForbiddenError extends ApiError {}

/** 404: it does not exist, or the user may not see it. */
export class NotFoundError extends ApiError {}

/** 405: the service has no such method, because its version differs from that of the client. */
export class MethodNotAllowedError extends ApiError {}

/** 409: the request conflicts with existing data; see `code`. */
export class ConflictError extends ApiError {}

/** 413: the request body is too large. */
export class PayloadTooLargeError extends ApiError {}

/** 415: the content type of the request was changed on its way to the service. */
export class UnsupportedMediaTypeError extends ApiError {}

/** 422: the `Idempotency-Key` was sent with another call before. */
export class UnprocessableContentError extends ApiError {}

/** 429: too many requests; wait for `retryAfter` seconds. */
export class RateLimitError extends ApiError {}

/** 500 and above: the service failed. 501 and 503 have subclasses. */
export class ServerError extends ApiError {}

/** 501: the service does not offer this operation yet. */
export class NotImplementedError extends ServerError {}

/** 503: the service is temporarily unavailable. */
export class UnavailableError extends ServerError {}

/**
 * The sign-in was refused. `POST /token` then responds with 500 (§7), although the service did not
 * fail.
 */
export class AuthenticationError extends ApiError {
  /** The identity provider's reason, such as `Authentication failed`. */
  get reason(): string {
    return this.code ?? this.message;
  }
}

/**
 * The object storage refused a download or an upload. `code` is that of S3, such as `AccessDenied`;
 * `operation` is the operation that issued the URL or the credentials.
 */
export class StorageError extends ApiError {}

const classes = {
  ...{ AdxError, NetworkError, TimeoutError, ApiError, BadRequestError, UnauthorizedError },
  ...{ ForbiddenError, NotFoundError, MethodNotAllowedError, ConflictError, PayloadTooLargeError },
  ...{ UnsupportedMediaTypeError, UnprocessableContentError, RateLimitError, ServerError },
  ...{ NotImplementedError, UnavailableError, AuthenticationError, StorageError },
};
// Bundlers rename classes. These names stay.
for (const [name, { prototype }] of Object.entries(classes)) prototype.name = name;
