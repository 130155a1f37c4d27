import type {
  AddressChange,
  ContactChange,
  CreateCustomerRequest,
  Customer,
  NewAddress,
  NewContact,
  UpdateCustomerRequest,
} from '@adx/contract';
import { noFieldLeft, omitAbsent } from '../api/every-field.js';

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

type NewTexts = Pick<CreateCustomerRequest, 'name' | 'accountingRef' | 'address' | 'contact'>;

/** Returns the columns of a new customer. */
export function newColumns({ name, accountingRef, address, contact }: NewTexts): CustomerColumns {
  return {
    name,
    accounting_ref: clearable(accountingRef),
    ...newAddressColumns(address),
    ...newContactColumns(contact),
  };
}

/** Returns the columns that a PATCH changes (D-14). An empty string clears an optional field. */
export function changedColumns(body: UpdateCustomerRequest): Partial<CustomerColumns> {
  const { name, accountingRef, address = {}, contact = {}, ...rest } = body;
  noFieldLeft(rest);
  return omitAbsent<Partial<CustomerColumns>>({
    name,
    accounting_ref: accountingRef === undefined ? undefined : clearable(accountingRef),
    ...changedAddressColumns(address),
    ...changedContactColumns(contact),
  });
}

function newAddressColumns(address: NewAddress) {
  const { street, street2 = '', zipCode, municipality, country, ...rest } = address;
  noFieldLeft(rest);
  return { street, street2: clearable(street2), zip_code: zipCode, municipality, country };
}

function changedAddressColumns(address: AddressChange) {
  const { street, street2, zipCode, municipality, country, ...rest } = address;
  noFieldLeft(rest);
  return {
    street,
    street2: street2 === undefined ? undefined : clearable(street2),
    zip_code: zipCode,
    municipality,
    country,
  };
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

function clearable(text: string): string | null {
  return text === '' ? null : text;
}
