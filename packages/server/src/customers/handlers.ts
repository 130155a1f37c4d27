import type { Customer } from '@adx/contract';
import { ApiError, found } from '../api/api-error.js';
import type { AnswerOnce } from '../api/idempotent-calls.js';
import { readPaging } from '../api/paging.js';
import type { Handlers } from '../generated/handlers.gen.js';
import { storedId } from '../identifiers/object-id.js';
import type { UserContext } from '../identity/request-context.js';
import { createConflictLimit } from './conflict-limit.js';
import type { CustomerLinkStore } from './customer-link-store.js';
import type { CustomerStore } from './customer-store.js';
import { parseNewCustomer, parsePathIban, writtenColumns } from './parse-customer.js';

type CustomerOperations =
  | 'listCustomers'
  | 'searchCustomers'
  | 'createCustomer'
  | 'getCustomer'
  | 'updateCustomer'
  | 'archiveCustomer'
  | 'addBankAccount'
  | 'disableBankAccount'
  | 'addPayrollProvider'
  | 'removePayrollProvider';

/** Creates the handlers of operations 3 to 12 (§4.3 to §4.12). */
export function createCustomerHandlers(
  customers: CustomerStore,
  links: CustomerLinkStore,
  answerOnce: AnswerOnce,
): Pick<Handlers<UserContext>, CustomerOperations> {
  const limitConflicts = createConflictLimit();
  const customerOf = ({ id }: Customer) => id;
  return {
    listCustomers: (_request, { principal }) => ({ status: 200, body: customers.list(principal) }),

    searchCustomers: async ({ body }, { principal }) => ({
      status: 200,
      body: await customers.search(principal, body, readPaging(body)),
    }),

    createCustomer: async (request, context) => {
      const { principal } = context;
      const customer = parseNewCustomer(request.body);
      const created = await answerOnce(
        { id: 'createCustomer', customerOf },
        request,
        context,
        (run) =>
          limitConflicts(principal.firmId, async () => {
            const outcome = await customers.create(context, customer, run);
            if (outcome === 'customerExists') {
              const customerId = await customers.idOf(principal, customer.enterpriseNumber, run);
              throw new ApiError(outcome, { customerId });
            }
            if (typeof outcome === 'string') throw new ApiError(outcome);
            return outcome;
          }),
      );
      return { status: 200, body: created };
    },

    getCustomer: async ({ path }, { principal }) => ({
      status: 200,
      body: found(await customers.get(principal, storedId(path.customerId))),
    }),

    updateCustomer: async ({ path, body }, context) => {
      const columns = writtenColumns(body);
      // It would only read (D-14).
      const changesNothing = Object.keys(columns).length === 0;
      if (changesNothing && !context.apiKey.scopes.includes('customers:read')) {
        throw new ApiError('insufficientScope');
      }
      const customer = await customers.update(context, storedId(path.customerId), columns);
      return { status: 200, body: found(customer) };
    },

    archiveCustomer: async ({ path }, context) => {
      found(await customers.archive(context, storedId(path.customerId)));
      return { status: 200, body: { message: 'The customer is archived.' } };
    },

    addBankAccount: async ({ path }, context) => {
      const iban = parsePathIban(path.iban);
      const bankAccount = await limitConflicts(context.principal.firmId, () =>
        links.addBankAccount(context, storedId(path.customerId), iban),
      );
      return { status: 200, body: found(bankAccount) };
    },

    disableBankAccount: async ({ path }, context) => {
      const iban = parsePathIban(path.iban);
      found(await links.end(context, storedId(path.customerId), { iban }));
      return { status: 200, body: { message: 'The bank account is disabled.' } };
    },

    addPayrollProvider: async ({ path }, context) => ({
      status: 200,
      body: found(await links.addPayrollProvider(context, storedId(path.customerId), path.code)),
    }),

    removePayrollProvider: async ({ path }, context) => {
      found(await links.end(context, storedId(path.customerId), { code: path.code }));
      return { status: 200, body: { message: 'The payroll provider is removed.' } };
    },
  };
}
