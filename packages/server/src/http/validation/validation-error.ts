import type { Request } from 'express';
import { error as openApiError } from 'express-openapi-validator';
import { ApiError, type ErrorDetail } from '../../api/api-error.js';
import { hasUnprintable } from '../../identifiers/unprintable.js';
import type { ValidatedOperation } from '../request-state.js';
import { valueAt } from './described-values.js';
import { type Finding, keyword, messageOf, withoutOtherForms } from './findings.js';

/**
 * Translates an error of `express-openapi-validator` (D-03, D-05): all unknown fields together become
 * `unknownField`, anything else `validationFailed` with details.
 *
 * In a body with alternatives (`oneOf`), a field is unknown if no alternative has it. Missing fields
 * are reported only if nothing else is wrong.
 *
 * @returns undefined for an error that is not from the validator
 */
export function translateValidationError(
  error: unknown,
  request: Request,
  operation: ValidatedOperation,
): ApiError | undefined {
  if (!(error instanceof openApiError.BadRequest)) return undefined;
  if (error.path?.startsWith('/query/')) return queryError(error, request, operation);
  const findings: readonly Finding[] = error.errors ?? [];
  const fields = unknownFields(findings, operation.alternatives, request.body);
  if (fields.length > 0) return new ApiError('unknownField', { fields, cause: error });

  const values = findings.filter((finding) => !isAboutShape(finding));
  const incomplete = values.length === 0 && operation.errors.includes('missingCredentials');
  if (incomplete && holdsBothForms(request.body)) return mixedCredentials(error);
  return new ApiError(incomplete ? 'missingCredentials' : 'validationFailed', {
    details: detailsOf(
      operation.alternatives > 1 && values.length > 0 ? values : findings,
      request,
      operation,
    ),
    cause: error,
  });
}

/** Returns the error for a required body that is missing or empty (D-05). */
export function missingBodyError(operation: ValidatedOperation): ApiError {
  const code = operation.errors.includes('missingCredentials')
    ? 'missingCredentials'
    : 'validationFailed';
  return new ApiError(code, { details: [{ path: '', message: 'a JSON body is required' }] });
}

/** Returns true if a body mixes fields of signing in with those of refreshing, which are two forms. */
function holdsBothForms(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return 'refreshToken' in body && ('username' in body || 'password' in body);
}

/** Names the problem, of which the validator only says that not exactly one form matches. */
function mixedCredentials(cause: unknown): ApiError {
  const message = 'send username and password, or refreshToken, not both';
  return new ApiError('missingCredentials', { details: [{ path: '', message }], cause });
}

/**
 * Translates an error that the validator throws at the first name of a query that is unknown, or whose value
 * is empty. All unknown names are reported, as they were sent: the validator shortens
 * `a[b]` to `a`.
 */
function queryError(
  error: { readonly path?: string; readonly message: string },
  { originalUrl }: Request,
  { queryParameters }: ValidatedOperation,
): ApiError {
  const query = originalUrl.slice(originalUrl.indexOf('?'));
  const names = [...new Set(new URLSearchParams(query).keys())];
  const fields = names.filter((name) => !queryParameters.includes(name.split('[', 1)[0] ?? ''));
  if (fields.length > 0) return new ApiError('unknownField', { fields, cause: error });
  const details = [{ path: error.path?.slice('/query/'.length) ?? '', message: error.message }];
  return new ApiError('validationFailed', { details, cause: error });
}

/** Returns the fields that every alternative refuses, in the order of the findings. */
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

/** Returns true for a finding about missing, unknown or mixed fields, and false for one about a value. */
function isAboutShape(finding: Finding): boolean {
  return ['required', 'additionalProperties', 'oneOf'].includes(keyword(finding));
}

function detailsOf(
  findings: readonly Finding[],
  request: Request,
  operation: ValidatedOperation,
): ErrorDetail[] {
  const values = findings.filter((finding) => keyword(finding) !== 'additionalProperties');
  return withoutOtherForms(values, request, operation.schemasAt).map((finding) => ({
    path: fieldName(finding.path, operation),
    message: isUnprintable(finding, request)
      ? 'must not contain control characters or marks that change the direction of text'
      : messageOf(finding, operation.schemasAt),
  }));
}

/** Returns true if a text does not match its pattern because of such characters, which cannot be seen. */
function isUnprintable(finding: Finding, request: Request): boolean {
  if (keyword(finding) !== 'pattern') return false;
  const value = valueAt(finding.path, request);
  return typeof value === 'string' && hasUnprintable(value);
}

/**
 * Splits the path to an unknown field: `address/a/b` -> `address`, `a/b`. The validator joins names
 * with slashes, which an unknown name may contain too, so the body decides where a name ends.
 */
function fieldsOf(path: string, parent: unknown): string[] {
  const slash = path.indexOf('/');
  const name = path.slice(0, slash);
  if (typeof parent !== 'object' || parent === null) return [path];
  if (slash === -1 || Object.hasOwn(parent, path) || !Object.hasOwn(parent, name)) return [path];
  return [name, ...fieldsOf(path.slice(slash + 1), Reflect.get(parent, name))];
}

/**
 * `/body/address/foo` -> `address.foo`, `/params/iban` -> `iban`, `/headers/if-match` -> `If-Match`,
 * `/body` -> the empty string.
 */
function fieldName(path: string, { headerParameters }: ValidatedOperation): string {
  const name = path.replace(/^\/(body|params|query|headers)\/?/, '').replaceAll('/', '.');
  if (!path.startsWith('/headers/')) return name;
  return headerParameters.find((each) => each.toLowerCase() === name) ?? name;
}
