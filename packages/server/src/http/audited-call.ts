import type { Operation, OperationId } from '@adx/contract';
import { ApiError } from '../api/api-error.js';
import { insertAuditEntries, type NewAuditEntry } from '../audit/audit-entry.js';
import type { ReadTrail } from '../audit/read-trail.js';
import { storedId } from '../identifiers/object-id.js';
import type { RecordChange } from '../identity/request-context.js';
import type { CallContext } from './request-state.js';
import type { HandlerResponse } from './send-response.js';
import type { ValidatedRequest } from './validation/operation-validator.js';

/** The operations of users that neither read nor change anything of a firm. */
const withoutEntry: ReadonlySet<string> = new Set<OperationId>([
  'helloWorld',
  'listBanks',
  'listPayrollProviders',
]);

/**
 * Refusals of handlers that are recorded: the call asked for what is not the caller's, or another
 * record was in the way.
 */
const recordedStatuses: ReadonlySet<number> = new Set([403, 404, 409]);

/**
 * Gives each call that succeeds and shows or changes data of the firm one entry in the audit trail
 * (D-58). A change records itself in its transaction. Every other call is a read, and its entry is
 * written soon after, so an operation cannot be forgotten. A call that its handler refuses with
 * 403, 404 or 409 has an entry with the code of the error; the limits of calls bound their number.
 */
export function createAuditedCall(trail: Pick<ReadTrail, 'add'>, operation: Operation) {
  return async (
    request: ValidatedRequest & { readonly address: string | undefined },
    context: CallContext,
    handle: (record: RecordChange) => Promise<HandlerResponse> | HandlerResponse,
  ): Promise<HandlerResponse> => {
    const { principal, apiKey, requestId } = context;
    if (principal === undefined || withoutEntry.has(operation.operationId)) {
      return handle(() => Promise.reject(new Error('This operation has no entries')));
    }
    const { userId, firmId } = principal;
    const entry = (outcome: string, customerId = customerOf(request)): NewAuditEntry => ({
      occurredOn: new Date(),
      actor: 'user',
      userId,
      apiKeyId: apiKey.id,
      firmId,
      customerId,
      objectId: objectOf(request),
      action: operation.operationId,
      outcome,
      address: request.address,
      requestId,
    });
    let isRecorded = false;
    try {
      const result = await handle(async (trx, subject) => {
        await insertAuditEntries(trx, [{ ...entry('done'), ...subject }]);
        isRecorded = true;
      });
      if (!isRecorded) trail.add(entry('done', customerIn(result.body)));
      return result;
    } catch (error) {
      if (error instanceof ApiError && recordedStatuses.has(error.status)) {
        trail.add(entry(error.code));
      }
      throw error;
    }
  };
}

/** Returns the customer in the path, or that to which a list is restricted. */
function customerOf({ path, body }: ValidatedRequest): string | undefined {
  const id = path['customerId'] ?? customerIn(body);
  return id === undefined ? undefined : storedId(id);
}

function objectOf({ path }: ValidatedRequest): string | undefined {
  const id = path['mandateId'] ?? path['fileId'] ?? path['uploadId'];
  return id === undefined ? undefined : storedId(id);
}

/** Returns the customer that a body names in a field `customerId`, as a mandate does. */
function customerIn(body: unknown): string | undefined {
  const isObject = typeof body === 'object' && body !== null && 'customerId' in body;
  return isObject && typeof body.customerId === 'string' ? body.customerId : undefined;
}
