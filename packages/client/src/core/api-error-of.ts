import type { OperationId } from '@adx/contract';
import {
  ApiError,
  type ApiErrorFacts,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ForbiddenError,
  MethodNotAllowedError,
  NotFoundError,
  NotImplementedError,
  PayloadTooLargeError,
  RateLimitError,
  ServerError,
  UnauthorizedError,
  UnavailableError,
  UnprocessableContentError,
  UnsupportedMediaTypeError,
} from '../errors.js';

const classOfStatus: Partial<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  405: MethodNotAllowedError,
  409: ConflictError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  422: UnprocessableContentError,
  429: RateLimitError,
  501: NotImplementedError,
  503: UnavailableError,
};

/** The body of an error. The response of a proxy may lack any field. */
interface ErrorBody {
  error?: unknown;
  message?: unknown;
  requestId?: unknown;
  fields?: unknown;
  details?: unknown;
  customerId?: unknown;
}

/** Returns the error for a response that is not a success, from the service or a proxy. */
export function apiErrorOf(
  operation: OperationId,
  response: Response,
  content: unknown,
  baseUrl: string,
): ApiError {
  const { status, statusText, headers } = response;
  const body: ErrorBody = Object(content);
  // Gateways write the name of the status there, which no code of the service is.
  const code = body.error === statusText ? undefined : text(body.error);
  const refused =
    operation === 'getToken' && status === 500 && code !== undefined && code !== 'internalError';
  const ErrorOfStatus = refused
    ? AuthenticationError
    : (classOfStatus[status] ?? (status < 500 ? ApiError : ServerError));
  const fields = list<string>(body.fields);
  const details = list<{ path: string; message: string }>(body.details);
  // The service's message also speaks of the encoding of passwords, which is done here.
  const message = refused
    ? `The sign-in was refused: ${code}`
    : (text(body.message) ?? describe(operation, response, baseUrl));
  return new ErrorOfStatus(operation, withFirst(message, fields, details), {
    status,
    code,
    fields,
    details,
    requestId: text(body.requestId) ?? headers.get('x-request-id') ?? undefined,
    customerId: text(body.customerId),
    retryAfter: secondsUntil(headers.get('retry-after')),
  });
}

/** Adds the first unknown field or finding to a message, and how many more there are. */
function withFirst(
  message: string,
  fields: ApiErrorFacts['fields'],
  details: ApiErrorFacts['details'],
): string {
  const findings = [...fields, ...details.map((it) => `${it?.path} ${it?.message}`.trim())];
  if (findings.length === 0) return message;
  const others = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
  return `${message.replace(/\.$/, '')}: ${findings[0]}${others}`;
}

function describe(
  operation: OperationId,
  { ok, status, headers }: Response,
  baseUrl: string,
): string {
  if (!ok && status < 400) return `${operation} was redirected: check baseUrl`;
  const content = headers.get('content-type') ?? 'nothing';
  // Some servers answer so on a port that speaks https.
  const question = status === 400 && /^http:/.test(baseUrl) ? '; is it https?' : '';
  const { host } = new URL(baseUrl);
  return `${operation} got ${status} from ${host} with ${content} instead of JSON${question}`;
}

/** Parses `Retry-After`: a number of seconds, or a date. */
function secondsUntil(header: string | null): number | undefined {
  if (!header) return undefined;
  const wait = Number(header) || (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function list<T>(value: unknown): T[] {
  return Array.isArray(value) ? value : [];
}
