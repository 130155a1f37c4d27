import type { CreateCustomerRequest, UpdateCustomerRequest } from '@adx/contract';
import { ApiError } from '../http/api-error.js';
import { parseEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { type Iban, parseIban } from '../identifiers/iban.js';
import type { Link } from './customer-links.js';
import type { CustomerColumns } from './customer-record.js';
import type { NewCustomer } from './customer-store.js';

/**
 * A customer to register, from a body that matches the spec.
 *
 * @throws ApiError `invalidEnterpriseNumber`, `invalidIban`
 */
export function parseNewCustomer(body: CreateCustomerRequest): NewCustomer {
  const enterpriseNumber = parseEnterpriseNumber(body.enterpriseNumber);
  if (enterpriseNumber === undefined) {
    throw new ApiError('invalidEnterpriseNumber', {
      details: [{ path: 'enterpriseNumber', message: 'has wrong check digits' }],
    });
  }
  const { address, contact } = body;
  return {
    enterpriseNumber,
    columns: {
      name: body.name,
      accounting_ref: clearable(body.accountingRef),
      street: address.street,
      street2: clearable(address.street2),
      zip_code: address.zipCode,
      municipality: address.municipality,
      country: address.country,
      contact_name: contact.name,
      contact_function: contact.function,
      contact_email: contact.email,
      contact_language: contact.language,
    },
    bankAccounts: firstOfEach(parseIbans(body.bankAccounts ?? [])),
    payrollProviders: firstOfEach(
      (body.payrollProviders ?? []).map(({ code }, index) => ({
        value: code,
        path: `payrollProviders.${index}.code`,
      })),
    ),
  };
}

/** The columns that a PATCH changes (D-14): absent keeps, an empty text clears what may be empty. */
export function parseCustomerChanges(body: UpdateCustomerRequest): Partial<CustomerColumns> {
  const { address = {}, contact = {} } = body;
  return present({
    name: body.name,
    accounting_ref: body.accountingRef === undefined ? undefined : clearable(body.accountingRef),
    street: address.street,
    street2: address.street2 === undefined ? undefined : clearable(address.street2),
    zip_code: address.zipCode,
    municipality: address.municipality,
    country: address.country,
    contact_name: contact.name,
    contact_function: contact.function,
    contact_email: contact.email,
    contact_language: contact.language,
  });
}

/**
 * An IBAN of the path.
 *
 * @throws ApiError `invalidIban`
 */
export function parsePathIban(text: string): Iban {
  const iban = parseIban(text);
  if (iban === undefined) throw invalidIban(['iban']);
  return iban;
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

/** An empty text means that there is none. */
function clearable(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

/** Naming something twice links it once. */
function firstOfEach<Value>(links: readonly Link<Value>[]): Link<Value>[] {
  const seen = new Set<Value>();
  return links.filter(({ value }) => !seen.has(value) && seen.add(value));
}

type Present<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

function present<Values extends object>(values: Values): Present<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Present<Values>;
}
