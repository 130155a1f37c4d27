import type {
  AddressChange,
  ContactChange,
  CreateCustomerRequest,
  Customer,
  NewAddress,
  NewContact,
  UpdateCustomerRequest,
} from '@adx/contract';
import { ApiError } from '../api/api-error.js';
import { noFieldLeft, omitAbsent } from '../api/every-field.js';
import { type EnterpriseNumber, parseEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { type Iban, parseIban } from '../identifiers/iban.js';
import type { Link } from './customer-links.js';

/** The columns of a customer that partners can write. */
export interface CustomerColumns {
  readonly name: string;
  readonly accounting_ref: string | null;
  readonly street: string;
  readonly street2: string | null;
  readonly zip_code: string;
  readonly municipality: string;
  readonly country: string;
  readonly contact_name: string;
  readonly contact_function: string;
  readonly contact_email: string;
  readonly contact_language: Customer['contact']['language'];
}

/** A new customer, parsed and checked. */
export interface NewCustomer {
  readonly enterpriseNumber: EnterpriseNumber;
  readonly columns: CustomerColumns;
  readonly bankAccounts: readonly Link<Iban>[];
  readonly payrollProviders: readonly Link<string>[];
}

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
    columns: {
      name,
      accounting_ref: accountingRef === '' ? null : accountingRef,
      ...newAddressColumns(address),
      ...newContactColumns(contact),
    },
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

/** Returns the columns that a PATCH changes (D-14). An empty string clears an optional field. */
export function changedColumns(body: UpdateCustomerRequest): Partial<CustomerColumns> {
  const { name, accountingRef, address = {}, contact = {}, ...rest } = body;
  noFieldLeft(rest);
  return omitAbsent<Partial<CustomerColumns>>({
    name,
    accounting_ref: accountingRef === '' ? null : accountingRef,
    ...changedAddressColumns(address),
    ...changedContactColumns(contact),
  });
}

function newAddressColumns(address: NewAddress) {
  const { street, street2, zipCode, municipality, country, ...rest } = address;
  noFieldLeft(rest);
  return { street, street2: street2 || null, zip_code: zipCode, municipality, country };
}

function changedAddressColumns(address: AddressChange) {
  const { street, street2, zipCode, municipality, country, ...rest } = address;
  noFieldLeft(rest);
  const clearedStreet2 = street2 === '' ? null : street2;
  return { street, street2: clearedStreet2, zip_code: zipCode, municipality, country };
}

function newContactColumns({ name, function: role, email, language, ...rest }: NewContact) {
  noFieldLeft(rest);
  return {
    contact_name: name,
    contact_function: role,
    contact_email: email,
    contact_language: language,
  };
}

function changedContactColumns({ name, function: role, email, language, ...rest }: ContactChange) {
  noFieldLeft(rest);
  return {
    contact_name: name,
    contact_function: role,
    contact_email: email,
    contact_language: language,
  };
}
