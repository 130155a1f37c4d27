import type { CreateCustomerRequest, UpdateCustomerRequest } from '@adx/contract';
import { ApiError } from '../api/api-error.js';
import { type EnterpriseNumber, parseEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { type Iban, parseIban } from '../identifiers/iban.js';
import { type CustomerColumns, type StoredColumn, storedFields } from './customer-columns.js';
import type { Link } from './link-rules.js';

export interface NewCustomer {
  readonly enterpriseNumber: EnterpriseNumber;
  readonly columns: Partial<CustomerColumns>;
  readonly bankAccounts: readonly Link<Iban>[];
  readonly payrollProviders: readonly Link<string>[];
}

/** @throws ApiError `invalidEnterpriseNumber`, `invalidIban` */
export function parseNewCustomer(body: CreateCustomerRequest): NewCustomer {
  const { enterpriseNumber, bankAccounts = [], payrollProviders = [], ...fields } = body;
  return {
    enterpriseNumber: parseBodyEnterpriseNumber(enterpriseNumber),
    columns: writtenColumns(fields),
    bankAccounts: firstOfEach(parseIbans(bankAccounts)),
    payrollProviders: firstOfEach(
      payrollProviders.map(({ code }, index) => ({
        value: code,
        path: `payrollProviders.${index}.code`,
      })),
    ),
  };
}

/** @throws ApiError `invalidIban` */
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

/** Returns columns without those of absent fields (D-14). An empty string clears a field. */
export function writtenColumns({
  address = {},
  contact = {},
  ...customer
}: CustomerFields): Partial<CustomerColumns> {
  return {
    ...partColumns(storedFields.customer, customer),
    ...partColumns(storedFields.address, address),
    ...partColumns(storedFields.contact, contact),
  };
}

function partColumns(
  fields: Readonly<Record<string, StoredColumn>>,
  values: object,
): Partial<CustomerColumns> {
  const columns = Object.entries(values).flatMap(([name, value]) => {
    const field = fields[name];
    if (field === undefined || value === undefined) return [];
    return [[field.column, field.isOptional && value === '' ? null : value]];
  });
  return Object.fromEntries(columns) as Partial<CustomerColumns>;
}
