import type { Customer } from '@adx/contract';
import { type StoredColumn, storedFields } from '../../src/customers/customer-columns.js';

/** Returns a customer as its transfer to another firm copies it, without its id and times. */
export function transferredFields(customer: Customer): object {
  const { id: _, createdOn: __, updatedOn: ___, ...own } = customer;
  return {
    ...copied(own, storedFields.customer),
    address: copied(own.address, storedFields.address),
    contact: copied(own.contact, storedFields.contact),
  };
}

function copied(values: object, columns: Readonly<Record<string, StoredColumn>>): object {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !columns[name]?.staysBehind));
}
