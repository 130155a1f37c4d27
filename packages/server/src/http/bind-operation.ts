import { type Operation, operations } from '@adx/contract';
import { describeOperation } from '@adx/contract/requests';
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
import { ignoreBody, readJsonBody } from './json-body.js';
import { requestContext, requestState } from './request-state.js';
import { headersOfDeprecation } from './response-headers.js';
import { type HandlerResponse, sendResponse } from './send-response.js';
import {
  createOperationValidator,
  passThrough,
  type ValidatedRequest,
} from './validation/operation-validator.js';

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
  readonly publicUrl: string;
}

/** Creates the steps of a call after its API key was accepted, in the order of D-04. */
export function createBindOperation({
  authenticator,
  limits,
  usage,
  trail,
  publicUrl,
}: BindOptions): BindOperation {
  return (operation, handler) => {
    const described = describeOperation(operation);
    const deprecationHeaders = Object.entries(headersOfDeprecation(operation, publicUrl));
    const checkUser = operation.idToken ? requireUser(authenticator, operation.scopes) : undefined;
    const readBody = described.requestBody === undefined ? ignoreBody : readJsonBody;
    const validator = createOperationValidator(described);
    const uses = createUseReader(described);
    const audited = createAuditedCall(trail, operation);

    return async (request, response) => {
      // Express would handle HEAD like GET, but the spec has no HEAD.
      if (request.method === 'HEAD') throw methodNotAllowedError(methodsOf(operation.path));
      const state = requestState(response);
      state.operation = operation;
      for (const [name, value] of deprecationHeaders) response.setHeader(name, value);
      await checkUser?.(request, response);
      await limits.countCall(response);
      await passThrough(readBody, request, response);
      const context = requestContext(response);
      // After the body, so that a slow caller holds no place while it sends.
      await limits.inTurn(response, context, async (pause) => {
        await validator.parse(request);
        // Before the validation, which adds default values.
        const used = uses.read(request);
        const validated = await validator.validate(request, response);
        usage.count(context.apiKey.id, used);
        const audit = { ...validated, address: ipAddressOf(request) };
        const result = await audited(audit, context, (record) =>
          // The context is not copied, because a copy would create the log of the call.
          handler(validated, Object.assign(context, { record }) as never),
        );
        state.errorCode = errorOf(result);
        await sendResponse(response, result, pause);
      });
    };
  };
}

/** Returns the `error` of a result that is an error, such as a refused sign-in (§7). */
function errorOf({ status, body }: HandlerResponse): string | undefined {
  const isError = status >= 400 && typeof body === 'object' && body !== null && 'error' in body;
  return isError ? String(body.error) : undefined;
}

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
