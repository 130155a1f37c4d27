import { type Operation, operations } from '@adx/contract';
import type { RequestHandler } from 'express';
import { ApiError } from '../api/api-error.js';
import { ipAddressOf } from '../api/ip-address.js';
import type { ReadTrail } from '../audit/read-trail.js';
import type { Authenticator } from '../identity/authenticator.js';
import type { UsageCounter } from '../usage/usage-counter.js';
import { createUseReader } from '../usage/used-elements.js';
import { createAuditedCall } from './audited-call.js';
import { requireUser } from './authentication.js';
import type { CallLimits } from './call-limits.js';
import { headersOfDeprecation } from './deprecation-headers.js';
import { ignoreBody, parseJsonBody, readJsonBody } from './json-body.js';
import { requestContext, requestState } from './request-state.js';
import { type HandlerResponse, sendResponse } from './send-response.js';
import {
  createOperationValidator,
  passThrough,
  type ValidatedRequest,
} from './validation/operation-validator.js';
import { refuseUnknownQuery } from './validation/validation-error.js';

/** A handler as the binding calls it; the generated types have the request and context of each. */
type AnyHandler = (
  request: ValidatedRequest,
  context: never,
) => Promise<HandlerResponse> | HandlerResponse;

/** Creates the middleware of one operation. The generated router calls it. */
type BindOperation = (operation: Operation, handler: AnyHandler) => RequestHandler;

interface BindOptions {
  readonly authenticator: Authenticator;
  readonly limits: CallLimits;
  readonly usage: Pick<UsageCounter, 'count'>;
  readonly trail: Pick<ReadTrail, 'add'>;
  /** The URL of this deployment, for links in responses. */
  readonly publicUrl: string;
}

/**
 * Creates the steps of a call after its API key was accepted, in the order of D-04: ID token, scope
 * of the API key, rate limit, body, its turn, validation against the spec, count of its use, handler
 * with its entry in the audit trail.
 */
export function createBindOperation({
  authenticator,
  limits,
  usage,
  trail,
  publicUrl,
}: BindOptions): BindOperation {
  return (operation, handler) => {
    const validator = createOperationValidator(operation);
    const checkUser = operation.idToken ? requireUser(authenticator, operation.scopes) : undefined;
    const audited = createAuditedCall(trail, operation);
    const uses = createUseReader(operation);
    const deprecationHeaders = Object.entries(headersOfDeprecation(operation, publicUrl));
    return async (request, response) => {
      // Express would handle HEAD like GET, but the spec has no HEAD.
      if (request.method === 'HEAD') throw methodNotAllowedError(methodsOf(operation.path));
      const state = requestState(response);
      state.operation = operation;
      for (const [name, value] of deprecationHeaders) response.setHeader(name, value);
      await checkUser?.(request, response);
      await limits.countCall(response);
      if (operation.body === 'required') await passThrough(readJsonBody, request, response);
      else ignoreBody(request, response);
      const context = requestContext(response);
      // After the body, so that a slow caller holds no place while it sends.
      await limits.inTurn(response, context, async (pause) => {
        refuseUnknownQuery(request, operation.queryParameters);
        if (operation.body === 'required') await parseJsonBody(request, validator.checkBody);
        // Before the validation, which adds the default values of fields that were not sent.
        const used = uses.read(request);
        const validated = await validator.validate(request, response);
        usage.count(context.apiKey.id, used);
        const audit = { ...validated, address: ipAddressOf(request) };
        const result = await audited(audit, context, (record) =>
          // Not a copy, which would create the log of the call.
          handler(validated, Object.assign(context, { record }) as never),
        );
        state.errorCode = errorOf(result);
        await sendResponse(response, result, pause);
      });
    };
  };
}

/** Returns the `error` of a result that is one: a handler returns that of a refused sign-in (§7). */
function errorOf({ status, body }: HandlerResponse): string | undefined {
  const isError = status >= 400 && typeof body === 'object' && body !== null && 'error' in body;
  return isError ? String(body.error) : undefined;
}

/** Refuses a method that a path does not have. */
export function methodNotAllowed(allowed: readonly string[]): RequestHandler {
  return () => {
    throw methodNotAllowedError(allowed);
  };
}

function methodNotAllowedError(allowed: readonly string[]): ApiError {
  return new ApiError('methodNotAllowed', { headers: { Allow: allowed.join(', ') } });
}

function methodsOf(path: string): string[] {
  return Object.values(operations)
    .filter((operation) => operation.path === path)
    .map(({ method }) => method.toUpperCase());
}
