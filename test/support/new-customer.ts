import type { CreateCustomerRequest } from '@adx/contract';
import { wellFormedBody } from './well-formed.js';

/** Returns a customer to create: the required fields, with a unique number, and these. */
export function newCustomer(overrides: Partial<CreateCustomerRequest> = {}): CreateCustomerRequest {
  return {
    ...(wellFormedBody('createCustomer') as unknown as CreateCustomerRequest),
    ...overrides,
  };
}
