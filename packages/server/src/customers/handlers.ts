import { ApiError } from '../api/api-error.js';
import { readPaging } from '../api/paging.js';
import type { Handlers } from '../generated/handlers.gen.js';
import type { UserContext } from '../identity/request-context.js';
import type { CustomerLinkStore } from './customer-link-store.js';
import type { CustomerStore } from './customer-store.js';
import { changedColumns, parseNewCustomer, parsePathIban } from './parse-customer.js';

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
): Pick<Handlers<UserContext>, CustomerOperations> {
  return {
    listCustomers: (_request, { principal }) => ({ status: 200, body: customers.list(principal) }),

    searchCustomers: async ({ body }, { principal }) => ({
      status: 200,
      body: await customers.search(principal, body, readPaging(body)),
    }),

    createCustomer: async ({ body }, { principal }) => ({
      status: 200,
      body: await customers.create(principal, parseNewCustomer(body)),
    }),

    getCustomer: async ({ path }, { principal }) => ({
      status: 200,
      body: found(await customers.get(principal, customerId(path))),
    }),

    updateCustomer: async ({ path, body }, { principal }) => ({
      status: 200,
      body: found(await customers.update(principal, customerId(path), changedColumns(body))),
    }),

    archiveCustomer: async ({ path }, { principal }) => {
      found(await customers.archive(principal, customerId(path)));
      return { status: 200, body: { message: 'The customer is archived.' } };
    },

    addBankAccount: async ({ path }, { principal }) => {
      const iban = parsePathIban(path.iban);
      const bankAccount = await links.addBankAccount(principal, customerId(path), iban);
      return { status: 200, body: found(bankAccount) };
    },

    disableBankAccount: async ({ path }, { principal }) => {
      found(await links.disableBankAccount(principal, customerId(path), parsePathIban(path.iban)));
      return { status: 200, body: { message: 'The bank account is disabled.' } };
    },

    addPayrollProvider: async ({ path }, { principal }) => ({
      status: 200,
      body: found(await links.addPayrollProvider(principal, customerId(path), path.code)),
    }),

    removePayrollProvider: async ({ path }, { principal }) => {
      found(await links.removePayrollProvider(principal, customerId(path), path.code));
      return { status: 200, body: { message: 'The payroll provider is removed.' } };
    },
  };
}

/** Returns what a store found, or throws `notFound` if that is undefined or false. */
function found<Value>(value: Value | undefined): Value {
  if (value === undefined || value === false) throw new ApiError('notFound');
  return value;
}

/** Identifiers are stored in lower case; callers may send upper case. */
function customerId(path: { readonly customerId: string }): string {
  return path.customerId.toLowerCase();
}
