import type { CreateCustomerRequest } from '@adx/contract';
import { wellFormedBody } from './well-formed.js';

type Changes = Partial<CreateCustomerRequest>;

/** Returns a customer to create: the required fields, with a unique number, and these. */
export const newCustomer = (changes: Changes = {}) => customerOf('required', changes);

/** Returns one with all fields of the spec, except for accounts and payroll providers. */
export const everyField = (changes: Changes = {}) =>
  customerOf('every', { bankAccounts: [], payrollProviders: [], ...changes });

function customerOf(which: 'required' | 'every', changes: Changes): CreateCustomerRequest {
  const body = wellFormedBody('createCustomer', which) as unknown as CreateCustomerRequest;
  return { ...body, ...changes };
}
