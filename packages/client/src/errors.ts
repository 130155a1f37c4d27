import type { ErrorCode, OperationId } from '@adx/contract';

/** Base of everything this client throws about a call. `operation` names the call that failed. */
export class AdxError extends Error {
  static {
    AdxError.prototype.name = 'AdxError';
  }
  readonly operation: OperationId;

  constructor(operation: OperationId, message: string, options?: ErrorOptions) {
    super(message, options);
    this.operation = operation;
  }
}

/** No answer arrived: no connection, or it broke. `cause` holds what `fetch` reported. */
export class NetworkError extends AdxError {
  static {
    NetworkError.prototype.name = 'NetworkError';
  }
}

/** No complete answer arrived within `timeoutMs`. */
export class TimeoutError extends NetworkError {
  static {
    TimeoutError.prototype.name = 'TimeoutError';
  }
}

/** What an answer with an error status says. */
export interface ApiErrorFacts {
  /** HTTP status. 0 where a browser hides it: a redirect, which is never followed. */
  readonly status: number;
  /** Stable code to program against; undefined when the answer is not the service's own. */
  readonly code: ErrorCode | (string & {}) | undefined;
  /** Names of unknown fields, nested ones dotted. */
  readonly fields: readonly string[];
  /** Findings of validation. */
  readonly details: readonly { readonly path: string; readonly message: string }[];
  /** Quote it to support. */
  readonly requestId: string | undefined;
  /** Seconds the service asks to wait before the next attempt. */
  readonly retryAfter: number | undefined;
}

/**
 * The service answered with an error. Each status has its own subclass.
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
  static {
    ApiError.prototype.name = 'ApiError';
  }
  declare readonly status: number;
  declare readonly code: ApiErrorFacts['code'];
  declare readonly fields: ApiErrorFacts['fields'];
  declare readonly details: ApiErrorFacts['details'];
  declare readonly requestId: string | undefined;
  declare readonly retryAfter: number | undefined;

  constructor(operation: OperationId, message: string, facts: ApiErrorFacts) {
    super(operation, message);
    Object.assign(this, facts);
  }
}

/** 400: the request is not what the interface describes; see `fields` and `details`. */
export class BadRequestError extends ApiError {
  static {
    BadRequestError.prototype.name = 'BadRequestError';
  }
}

/** 401: the ID token is not accepted, or the user may not use the interface (`portalOnly`). */
export class UnauthorizedError extends ApiError {
  static {
    UnauthorizedError.prototype.name = 'UnauthorizedError';
  }
}

/** 403: the API key is not accepted or lacks a scope, or the action is not allowed. */
export class ForbiddenError extends ApiError {
  static {
    ForbiddenError.prototype.name = 'ForbiddenError';
  }
}

/** 404: it does not exist, or the user may not see it. */
export class NotFoundError extends ApiError {
  static {
    NotFoundError.prototype.name = 'NotFoundError';
  }
}

/** 405: the address knows no such method; the client and the service differ in version. */
export class MethodNotAllowedError extends ApiError {
  static {
    MethodNotAllowedError.prototype.name = 'MethodNotAllowedError';
  }
}

/** 409: it clashes with what is there already. */
export class ConflictError extends ApiError {
  static {
    ConflictError.prototype.name = 'ConflictError';
  }
}

/** 413: the request body is too large. */
export class PayloadTooLargeError extends ApiError {
  static {
    PayloadTooLargeError.prototype.name = 'PayloadTooLargeError';
  }
}

/** 415: something on the way changed the request's content type. */
export class UnsupportedMediaTypeError extends ApiError {
  static {
    UnsupportedMediaTypeError.prototype.name = 'UnsupportedMediaTypeError';
  }
}

/** 429: too many requests; `retryAfter` says for how many seconds to wait. */
export class RateLimitError extends ApiError {
  static {
    RateLimitError.prototype.name = 'RateLimitError';
  }
}

/** 500 and over: the service failed. 501 and 503 have classes of their own below it. */
export class ServerError extends ApiError {
  static {
    ServerError.prototype.name = 'ServerError';
  }
}

/** 501: the service does not offer this operation yet. */
export class NotImplementedError extends ServerError {
  static {
    NotImplementedError.prototype.name = 'NotImplementedError';
  }
}

/** 503: the service cannot answer at the moment. */
export class UnavailableError extends ServerError {
  static {
    UnavailableError.prototype.name = 'UnavailableError';
  }
}

/** Signing in was refused (§7: `POST /token` answers 500 for that; it is no failure of the service). */
export class AuthenticationError extends ApiError {
  static {
    AuthenticationError.prototype.name = 'AuthenticationError';
  }

  /** The identity provider's reason, such as `Authentication failed`. */
  get reason(): string {
    return this.code ?? this.message;
  }
}

/**
 * The object storage refused a download or an upload. `code` is its own, such as `AccessDenied`;
 * `operation` is the one whose URL or credentials it was given.
 */
export class StorageError extends ApiError {
  static {
    StorageError.prototype.name = 'StorageError';
  }
}
