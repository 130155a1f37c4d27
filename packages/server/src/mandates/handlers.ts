import { errorCatalogue, type Mandate, type SearchMandatesRequest } from '@adx/contract';
import { ApiError, found } from '../api/api-error.js';
import type { AnswerOnce } from '../api/idempotent-calls.js';
import { readPaging } from '../api/paging.js';
import { readInstant } from '../dates/instant.js';
import type { Handlers } from '../generated/handlers.gen.js';
import { storedId } from '../identifiers/object-id.js';
import type { UserContext } from '../identity/request-context.js';
import { describeStatus, requestableStatuses } from './lifecycle.js';
import type { MandateSearch, MandateStore } from './mandate-store.js';
import type { NotRequestable } from './signing/signature-requests.js';

/** Operations 15, 16 and 23 (§4.15, §4.16, D-01). */
export function createMandateHandlers(
  mandates: MandateStore,
  answerOnce: AnswerOnce,
): Pick<Handlers<UserContext>, 'searchMandates' | 'getMandate' | 'requestMandate'> {
  const customerOf = ({ customerId }: Mandate) => customerId;
  return {
    searchMandates: async ({ body }, { principal }) => ({
      status: 200,
      body: await mandates.search(principal, readSearch(body), readPaging(body)),
    }),

    getMandate: async ({ path }, { principal }) => ({
      status: 200,
      body: found(await mandates.get(principal, storedId(path.mandateId))),
    }),

    requestMandate: async (request, context) => {
      const id = storedId(request.path.mandateId);
      const requested = await answerOnce(
        { id: 'requestMandate', customerOf },
        request,
        context,
        async (run) => {
          const outcome = await mandates.request(context, id, run);
          if (outcome !== undefined && 'notRequestable' in outcome) throw notRequestable(outcome);
          return found(outcome);
        },
      );
      return { status: 200, body: requested };
    },
  };
}

function notRequestable({ notRequestable: { kind, status } }: NotRequestable): ApiError {
  const { message } = errorCatalogue.mandateNotRequestable;
  const requestable = requestableStatuses(kind).map(describeStatus).join(', ');
  return new ApiError('mandateNotRequestable', {
    message: `${message} It is ${describeStatus(status)}; these can be requested: ${requestable}.`,
  });
}

function readSearch({ updatedSince, ...others }: SearchMandatesRequest): MandateSearch {
  if (updatedSince === undefined) return others;
  return { ...others, updatedSince: readInstant(updatedSince) };
}
