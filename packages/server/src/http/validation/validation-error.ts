import { hasUnprintable } from '@adx/command/unprintable';
import type { Operation } from '@adx/contract';
import { decoded, type RequestDescription } from '@adx/contract/requests';
import type { Request } from 'express';
import { error as openApiError } from 'express-openapi-validator';
import { ApiError, type ErrorDetail, maximumFindings } from '../../api/api-error.js';
import { type SchemaLookup, valueAt } from './described-values.js';
import { type Finding, keyword, messageOf, withoutOtherForms } from './findings.js';

interface ValidatedOperation
  extends Pick<Operation, 'errors' | 'headerParameters'>,
    Pick<RequestDescription, 'requestBody'> {
  readonly schemasAt: SchemaLookup;
}

/**
 * Translates an error of `express-openapi-validator` (D-03); any other is returned as it is.
 * Missing fields of alternatives (`oneOf`) are reported only if nothing else is wrong.
 */
export function translateValidationError(
  error: unknown,
  request: Request,
  operation: ValidatedOperation,
): unknown {
  if (!(error instanceof openApiError.BadRequest)) return error;
  if (error.path?.startsWith('/query/')) {
    const details = [{ path: error.path.slice('/query/'.length), message: error.message }];
    return new ApiError('validationFailed', { details, cause: error });
  }
  const findings: readonly Finding[] = error.errors ?? [];
  const values = findings.filter((finding) => !isAboutShape(finding));
  const incomplete = values.length === 0 && operation.errors.includes('missingCredentials');
  if (incomplete && holdsBothForms(request.body)) return mixedCredentials(error);
  const { oneOf: forms = [] } = operation.requestBody?.schema ?? {};
  const shown = forms.length > 1 && values.length > 0 ? values : findings;
  const details = detailsOf(shown, request, operation);
  return new ApiError(incomplete ? 'missingCredentials' : 'validationFailed', {
    details,
    cause: error,
  });
}

/** The most parameters of a query that are looked at, as many as the parser of Express reads. */
const maximumParameters = 1_000;

/**
 * Names all parameters that the operation does not declare. The validator would report the first,
 * after work that grows with the square of their number. It also takes `a[]=1` for a list `a`.
 *
 * @throws ApiError `unknownField`, or `validationFailed` for a text that Express cannot decode
 */
export function refuseUnknownQuery({ originalUrl }: Request, declared: readonly string[]): void {
  const start = originalUrl.indexOf('?');
  if (start === -1) return;
  const sent = originalUrl.slice(start + 1).split('&', maximumParameters);
  // `URLSearchParams` drops a question mark: of `??`, the second is a name.
  const namesIn = (pairs: readonly string[]) => [
    ...new Set(new URLSearchParams(`?${pairs.join('&')}`).keys()),
  ];
  const fields = namesIn(sent).filter((name) => !declared.includes(name));
  if (fields.length > 0) throw new ApiError('unknownField', { fields });
  const unreadable = namesIn(sent.filter((pair) => decoded(pair) === undefined));
  if (unreadable.length === 0) return;
  const message = 'must be UTF-8 in percent-encoding';
  throw new ApiError('validationFailed', {
    details: unreadable.map((path) => ({ path, message })),
  });
}

/** Returns the error for a required body that is missing or empty (D-05). */
export function missingBodyError(operation: Pick<Operation, 'errors'>): ApiError {
  const code = operation.errors.includes('missingCredentials')
    ? 'missingCredentials'
    : 'validationFailed';
  return new ApiError(code, { details: [{ path: '', message: 'a JSON body is required' }] });
}

/** Returns true if a body mixes signing in and refreshing, which are two forms. */
function holdsBothForms(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return 'refreshToken' in body && ('username' in body || 'password' in body);
}

/** Names the problem, of which the validator only says that not exactly one form matches. */
function mixedCredentials(cause: unknown): ApiError {
  const message = 'send username and password, or refreshToken, not both';
  return new ApiError('missingCredentials', { details: [{ path: '', message }], cause });
}

/** Returns true for a finding about missing, unknown or mixed fields, false about a value. */
function isAboutShape(finding: Finding): boolean {
  return ['required', 'additionalProperties', 'oneOf'].includes(keyword(finding));
}

function detailsOf(
  findings: readonly Finding[],
  request: Request,
  operation: ValidatedOperation,
): ErrorDetail[] {
  const values = findings.filter((finding) => keyword(finding) !== 'additionalProperties');
  return withoutOtherForms(values, request, operation.schemasAt)
    .slice(0, maximumFindings)
    .map((finding) => ({
      path: fieldName(finding.path, operation),
      message: isUnprintable(finding, request)
        ? 'must not contain control characters or marks that change the direction of text'
        : messageOf(finding, operation.schemasAt),
    }));
}

/** Returns true for characters that cannot be seen, so that the message names them. */
function isUnprintable(finding: Finding, request: Request): boolean {
  if (keyword(finding) !== 'pattern') return false;
  const value = valueAt(finding.path, request);
  return typeof value === 'string' && hasUnprintable(value);
}

/** Returns the name: `/body/address/foo` -> `address.foo`, `/headers/if-match` -> `If-Match`. */
function fieldName(path: string, { headerParameters }: ValidatedOperation): string {
  const name = path.replace(/^\/(body|params|query|headers)\/?/, '').replaceAll('/', '.');
  if (!path.startsWith('/headers/')) return name;
  return headerParameters.find((each) => each.toLowerCase() === name) ?? name;
}
