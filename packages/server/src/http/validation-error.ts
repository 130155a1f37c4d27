import type { Request } from 'express';
import { error as openApiError } from 'express-openapi-validator';
import { ApiError, type ErrorDetail } from '../api/api-error.js';
import type { ValidatedOperation } from '../http/request-state.js';

/** One finding of the validator; `path` is `/body/a/b` or `/params/x`, `errorCode` `<keyword>.openapi.validation`. */
interface Finding {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string | undefined;
}

/**
 * Says a refusal of `express-openapi-validator` as the interface says it (D-03, D-05): all unknown
 * fields at once as `unknownField`, anything else as `validationFailed` with details.
 *
 * A body with alternatives is judged as one: a field is unknown when no alternative has it, and
 * what an alternative misses is told only when nothing else is wrong.
 *
 * @returns undefined when the error is not one of the validator's
 */
export function translateValidationError(
  error: unknown,
  request: Request,
  operation: ValidatedOperation,
): ApiError | undefined {
  if (!(error instanceof openApiError.BadRequest)) return undefined;
  if (error.path?.startsWith('/query/')) {
    return new ApiError('unknownField', { fields: queryNames(request), cause: error });
  }
  const findings: readonly Finding[] = error.errors ?? [];
  const fields = unknownFields(findings, operation.alternatives, request.body);
  if (fields.length > 0) return new ApiError('unknownField', { fields, cause: error });

  const values = findings.filter((finding) => !isAboutShape(finding));
  const incomplete = values.length === 0 && operation.errors.includes('missingCredentials');
  if (incomplete && holdsBothForms(request.body)) return mixedCredentials(error);
  return new ApiError(incomplete ? 'missingCredentials' : 'validationFailed', {
    details: detailsOf(operation.alternatives > 1 && values.length > 0 ? values : findings),
    cause: error,
  });
}

/** The error of a call whose body is missing or empty where one is required (D-05). */
export function missingBodyError(operation: ValidatedOperation): ApiError {
  const code = operation.errors.includes('missingCredentials')
    ? 'missingCredentials'
    : 'validationFailed';
  return new ApiError(code, { details: [{ path: '', message: 'a JSON body is required' }] });
}

/** Whether a body holds fields of the sign-in and of the refresh, which are two forms. */
function holdsBothForms(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return 'refreshToken' in body && ('username' in body || 'password' in body);
}

/** The validator only says that not exactly one form matches. */
function mixedCredentials(cause: unknown): ApiError {
  const message = 'send username and password, or refreshToken, not both';
  return new ApiError('missingCredentials', { details: [{ path: '', message }], cause });
}

/** The names in a query string, as they were sent: the validator folds `a[b]` into `a`. */
function queryNames({ originalUrl }: Request): string[] {
  const query = originalUrl.slice(originalUrl.indexOf('?'));
  return [...new Set(new URLSearchParams(query).keys())];
}

/** Names of fields that every alternative refused, in the order they were found. */
function unknownFields(
  findings: readonly Finding[],
  alternatives: number,
  body: unknown,
): string[] {
  const refusals = new Map<string, number>();
  for (const finding of findings) {
    if (keyword(finding) !== 'additionalProperties') continue;
    const name = fieldsOf(finding.path.slice('/body/'.length), body).join('.');
    refusals.set(name, (refusals.get(name) ?? 0) + 1);
  }
  return [...refusals].filter(([, count]) => count >= alternatives).map(([name]) => name);
}

/** Which fields there are, as opposed to the values they have. */
function isAboutShape(finding: Finding): boolean {
  return ['required', 'additionalProperties', 'oneOf'].includes(keyword(finding));
}

function detailsOf(findings: readonly Finding[]): ErrorDetail[] {
  return findings
    .filter((finding) => keyword(finding) !== 'additionalProperties')
    .map(({ path, message }) => ({ path: fieldName(path), message }));
}

function keyword({ errorCode }: Finding): string {
  return errorCode?.split('.', 1)[0] ?? '';
}

/**
 * The fields on the way to an unknown one: `address/a/b` -> `address`, `a/b`. The validator joins
 * them by slashes, which an unknown name may hold itself, so the body tells where one ends.
 */
function fieldsOf(path: string, parent: unknown): string[] {
  const slash = path.indexOf('/');
  const name = path.slice(0, slash);
  if (typeof parent !== 'object' || parent === null) return [path];
  if (slash === -1 || Object.hasOwn(parent, path) || !Object.hasOwn(parent, name)) return [path];
  return [name, ...fieldsOf(path.slice(slash + 1), Reflect.get(parent, name))];
}

/** `/body/address/foo` -> `address.foo`, `/params/iban` -> `iban`, `/body` -> the empty string. */
function fieldName(path: string): string {
  return path.replace(/^\/(body|params)\/?/, '').replaceAll('/', '.');
}
