import { type ErrorCode, errorCatalogue } from '@adx/contract';

/** The most findings in one response, so that it stays small whatever was sent (D-03). */
export const maximumFindings = 100;

/** One finding: the field (nested fields dotted) or path parameter, and what is wrong with it. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

interface ApiErrorOptions extends ErrorOptions {
  /** Instead of the message of the catalogue. */
  readonly message?: string;
  /** Instead of the status of the catalogue, for a request that could not be read as HTTP. */
  readonly status?: number;
  /** The unknown fields of an `unknownField`, nested fields dotted. Only the first 100 are sent. */
  readonly fields?: readonly string[];
  /** The details, of which only the first 100 are sent. */
  readonly details?: readonly ErrorDetail[];
  /** The customer of a `customerExists`, if the user may see it. */
  readonly customerId?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A documented error (D-03), with status and message from the error catalogue of the spec. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: readonly string[] | undefined;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly customerId: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    {
      message,
      status,
      fields,
      details,
      customerId,
      headers = {},
      ...options
    }: ApiErrorOptions = {},
  ) {
    super(message ?? errorCatalogue[code].message, options);
    this.name = 'ApiError';
    this.code = code;
    this.status = status ?? errorCatalogue[code].status;
    this.fields = fields?.slice(0, maximumFindings);
    this.details = details?.slice(0, maximumFindings);
    this.customerId = customerId;
    this.headers = headers;
  }

  toBody(requestId: string) {
    return {
      error: this.code,
      message: this.message,
      requestId,
      ...(this.fields && { fields: this.fields }),
      ...(this.details && { details: this.details }),
      ...(this.customerId && { customerId: this.customerId }),
    };
  }
}

/** Returns what a store found, or throws `notFound` if that is undefined or false. */
export function found<Value>(value: Value | undefined | false): Value {
  if (value === undefined || value === false) throw new ApiError('notFound');
  return value;
}
