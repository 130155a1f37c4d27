import type { CreateCustomerRequest } from '@adx/client';

export function customerCsv(
  rows: readonly (readonly [number: string, name: string, ibans: string])[],
): string {
  const columns =
    'enterpriseNumber;name;accountingRef;street;zipCode;municipality;country;contactName;contactFunction;contactEmail;contactLanguage;bankAccounts';
  const rest = 'K-1;Rue Haute 5;1000;Bruxelles;Belgique;Zoë;Gérante;zoe@example.be;FR';
  return [
    columns,
    ...rows.map(([number, name, ibans]) => `${number};${name};${rest};${ibans}`),
  ].join('\r\n');
}

/** Returns the cells of a customer, by their columns. */
export function cellsOf(customer: CreateCustomerRequest): Record<string, string> {
  const { address, contact, bankAccounts = [], payrollProviders = [], ...fields } = customer;
  const ofContact = Object.entries(contact).map(([name, value]) => [
    `contact${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    value,
  ]);
  return {
    ...fields,
    ...address,
    ...Object.fromEntries(ofContact),
    bankAccounts: bankAccounts.map(({ iban }) => iban).join(),
    payrollProviders: payrollProviders.map(({ code }) => code).join(),
  };
}
