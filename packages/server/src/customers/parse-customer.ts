import type { CreateCustomerRequest, Customer, UpdateCustomerRequest } from '@adx/contract';
import { ApiError } from '../api/api-error.js';
import { noFieldLeft, omitAbsent } from '../api/every-field.js';
import { type EnterpriseNumber, parseEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { type Iban, parseIban } from '../identifiers/iban.js';
import type { Link } from './link-rules.js';

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
  readonly columns: Partial<CustomerColumns>;
  readonly bankAccounts: readonly Link<Iban>[];
  readonly payrollProviders: readonly Link<string>[];
}

/**
 * Reads a new customer from a validated body.
 *
 * @throws ApiError `invalidEnterpriseNumber`, `invalidIban`
 */
export function parseNewCustomer(body: CreateCustomerRequest): NewCustomer {
  const { enterpriseNumber, bankAccounts = [], payrollProviders = [], ...fields } = body;
  return {
    enterpriseNumber: parseBodyEnterpriseNumber(enterpriseNumber),
    columns: columnsOf(fields),
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

/** The fields of a customer that are columns, in a POST or a PATCH. */
type CustomerFields =
  | Omit<CreateCustomerRequest, 'enterpriseNumber' | 'bankAccounts' | 'payrollProviders'>
  | UpdateCustomerRequest;

/**
 * Returns the columns that a POST or PATCH sets, without those of absent fields (D-14). An empty
 * string clears an optional field.
 */
export function columnsOf(fields: CustomerFields): Partial<CustomerColumns> {
  const { name, accountingRef, address = {}, contact = {}, ...rest } = fields;
  noFieldLeft(rest);
  return omitAbsent<Partial<CustomerColumns>>({
    name,
    accounting_ref: accountingRef === '' ? null : accountingRef,
    ...addressColumns(address),
    ...contactColumns(contact),
  });
}

function addressColumns(address: NonNullable<CustomerFields['address']>) {
  const { street, street2, zipCode, municipality, country, ...rest } = address;
  noFieldLeft(rest);
  const cleared = street2 === '' ? null : street2;
  return { street, street2: cleared, zip_code: zipCode, municipality, country };
}

function contactColumns(contact: NonNullable<CustomerFields['contact']>) {
  const { name, function: role, email, language, ...rest } = contact;
  noFieldLeft(rest);
  return {
    contact_name: name,
    contact_function: role,
    contact_email: email,
    contact_language: language,
  };
}
