import type { CreateCustomerRequest } from '@adx/contract';
import { newEnterpriseNumber } from './numbers.js';

/** Returns a customer to create: the required fields, with a unique number, and these. */
export function newCustomer(overrides: Partial<CreateCustomerRequest> = {}): CreateCustomerRequest {
  return {
    enterpriseNumber: newEnterpriseNumber(),
    name: 'Bakkerij Vermeulen',
    accountingRef: 'K-0042',
    address: {
      street: 'Veldstraat 12',
      zipCode: '9000',
      municipality: 'Gent',
      country: 'België',
    },
    contact: {
      name: 'Jan Vermeulen',
      function: 'Zaakvoerder',
      email: 'jan@bakkerij-vermeulen.example',
      language: 'nl',
    },
    ...overrides,
  };
}
