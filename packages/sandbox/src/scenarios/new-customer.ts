import { randomInt } from 'node:crypto';
import type { CreateCustomerRequest } from '@adx/client';
import { composeIBAN } from 'ibantools';
import type { MandateKind } from '../demo/mandate-ways.js';

/**
 * Makes up a customer. Its numbers belong to nobody, like those of `demo/firms.ts`.
 *
 * @param isSupported - false for a bank or payroll provider from which files cannot be had
 */
export function newCustomer(kind: MandateKind, isSupported: boolean): CreateCustomerRequest {
  const enterpriseNumber = newEnterpriseNumber();
  const digits = enterpriseNumber.replaceAll('.', '');
  return {
    enterpriseNumber,
    name: `Klant ${enterpriseNumber}`,
    accountingRef: `Z-${digits}`,
    address: {
      street: 'Zandbakstraat 1',
      zipCode: '9000',
      municipality: 'Gent',
      country: 'België',
    },
    contact: {
      name: 'Noor Zandstra',
      function: 'Zaakvoerder',
      email: `noor@klant-${digits}.example`,
      language: 'nl',
    },
    ...linksOf(kind, isSupported),
  };
}

function linksOf(
  kind: MandateKind,
  isSupported: boolean,
): Pick<CreateCustomerRequest, 'bankAccounts' | 'payrollProviders'> {
  switch (kind) {
    case 'coda':
      return { bankAccounts: [{ iban: newIban(bankCodes, isSupported) }] };
    case 'lightConnector':
      return { bankAccounts: [{ iban: newIban([lightConnectorCode], isSupported) }] };
    case 'codb':
      return { payrollProviders: [{ code: isSupported ? 'sdworx' : '***other***' }] };
  }
}

/** Codes of Belgian banks, one of which the demo serves through a light connector. */
const bankCodes = ['001', '068', '363', '734', '735'];
const lightConnectorCode = '523';

function newIban(codes: readonly string[], isSupported: boolean): string {
  if (!isSupported) return ibanOf('NL', `ABNA${digitsBelow(1000, 10)}`);
  return belgianIban(codes[randomInt(codes.length)] ?? '', 1 + randomInt(999));
}

/** @param number - from 0 to 999. No customer has the account with 0 */
export function belgianIban(bankCode: string, number: number): string {
  const account = `${bankCode}0000${String(number).padStart(3, '0')}`;
  const check = Number(account) % 97 || 97;
  return ibanOf('BE', `${account}${String(check).padStart(2, '0')}`);
}

function ibanOf(countryCode: string, bban: string): string {
  return composeIBAN({ countryCode, bban }) ?? '';
}

function newEnterpriseNumber(): string {
  const start = `01${digitsBelow(10 ** 6, 6)}`;
  const digits = start + String(97 - (Number(start) % 97)).padStart(2, '0');
  return digits.replace(/^(\d{4})(\d{3})(\d{3})$/, '$1.$2.$3');
}

function digitsBelow(limit: number, length: number): string {
  return String(randomInt(limit)).padStart(length, '0');
}
