import { type ErrorCode, errorCatalogue } from '@adx/contract';

/** How many findings an answer tells at most, so that it stays small whatever was sent (D-03). */
const maximumFindings = 100;

/** One finding about a value: the field (nested ones dotted) or path parameter, and what is wrong. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

interface ApiErrorOptions extends ErrorOptions {
  /** With `unknownField`: the unknown fields, nested ones dotted; 100 at most are told. */
  readonly fields?: readonly string[];
  /** Of these, too, 100 at most are told. */
  readonly details?: readonly ErrorDetail[];
  /** Headers the answer carries, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error the interface documents (D-03). Status and message come from the catalogue of the spec. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: readonly string[] | undefined;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    { fields, details, headers = {}, ...options }: ApiErrorOptions = {},
  ) {
    super(errorCatalogue[code].message, options);
    this.name = 'ApiError';
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.fields = fields?.slice(0, maximumFindings);
    this.details = details?.slice(0, maximumFindings);
    this.headers = headers;
  }

  /** The body of the answer. */
  toBody(requestId: string) {
    return {
      error: this.code,
      message: this.message,
      requestId,
      ...(this.fields && { fields: this.fields }),
      ...(this.details && { details: this.details }),
    };
  }
}
