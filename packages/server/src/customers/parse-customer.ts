import type { CreateCustomerRequest } from '@adx/contract';
import { ApiError } from '../api/api-error.js';
import { noFieldLeft } from '../api/every-field.js';
import { type EnterpriseNumber, parseEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { type Iban, parseIban } from '../identifiers/iban.js';
import { newColumns } from './customer-columns.js';
import type { Link } from './customer-links.js';
import type { NewCustomer } from './customer-store.js';

/**
 * Reads a new customer from a validated body.
 *
 * @throws ApiError `invalidEnterpriseNumber`, `invalidIban`
 */
export function parseNewCustomer(body: CreateCustomerRequest): NewCustomer {
  const { name, accountingRef, address, contact, enterpriseNumber, ...links } = body;
  const { bankAccounts = [], payrollProviders = [], ...rest } = links;
  noFieldLeft(rest);
  return {
    enterpriseNumber: parseBodyEnterpriseNumber(enterpriseNumber),
    columns: newColumns({ name, accountingRef, address, contact }),
    bankAccounts: firstOfEach(parseIbans(bankAccounts)),
    payrollProviders: firstOfEach(
      payrollProviders.map(({ code }, index) => ({
        value: code,
        path: `payrollProviders.${index}.code`,
      })),
    ),
  };
}

/**
 * Reads the IBAN of a path.
 *
 * @throws ApiError `invalidIban`
 */
export function parsePathIban(text: string): Iban {
  const iban = parseIban(text);
  if (iban === undefined) throw invalidIban(['iban']);
  return iban;
}

function parseBodyEnterpriseNumber(text: string): EnterpriseNumber {
  const enterpriseNumber = parseEnterpriseNumber(text);
  if (enterpriseNumber === undefined) {
    throw new ApiError('invalidEnterpriseNumber', {
      details: [{ path: 'enterpriseNumber', message: 'has wrong check digits' }],
    });
  }
  return enterpriseNumber;
}

function parseIbans(accounts: readonly { readonly iban: string }[]): Link<Iban>[] {
  const parsed = accounts.map(({ iban }, index) => ({
    value: parseIban(iban),
    path: `bankAccounts.${index}.iban`,
  }));
  const valid = parsed.filter((link): link is Link<Iban> => link.value !== undefined);
  if (valid.length < parsed.length) {
    throw invalidIban(parsed.filter(({ value }) => value === undefined).map(({ path }) => path));
  }
  return valid;
}

function invalidIban(paths: readonly string[]): ApiError {
  return new ApiError('invalidIban', {
    details: paths.map((path) => ({ path, message: 'is not a valid IBAN' })),
  });
}

/** Removes repetitions: a bank account or provider that is named twice is linked once. */
function firstOfEach<Value>(links: readonly Link<Value>[]): Link<Value>[] {
  const seen = new Set<Value>();
  return links.filter(({ value }) => !seen.has(value) && seen.add(value));
}
