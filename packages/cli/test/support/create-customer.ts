import type { Customer } from '@adx/client';
import { newEnterpriseNumber, newIban } from '../../../../test/support/numbers.js';
import type { Firm } from './firm.js';
import { adxJson } from './run-adx.js';

/** Creates a customer of a firm with `adx customers create`. */
export function createCustomer(firm: Firm, number: string, iban: string): Promise<Customer> {
  return adxJson<Customer>(newCustomerOptions(number, iban), firm);
}

/** Returns the command line that creates a customer. */
export function newCustomerOptions(number = newEnterpriseNumber(), iban = newIban()): string[] {
  return [
    ...['customers', 'create', '--enterprise-number', number, '--name', 'Slagerij Peeters'],
    ...['--accounting-ref', 'K-77', '--street', 'Markt 1', '--zip-code', '9000'],
    ...['--municipality', 'Gent', '--country', 'België', '--contact-name', 'An Peeters'],
    ...['--contact-function', 'Zaakvoerder', '--contact-email', 'an@peeters.example'],
    ...['--contact-language', 'nl', '--bank-accounts', iban, '--payroll-providers', 'sdworx'],
  ];
}
