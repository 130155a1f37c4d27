import type { Customer, OperationId } from '@adx/contract';
import type { OperationCall } from '../conformance/call-operation.js';
import { newIban } from '../support/numbers.js';

/** Calls that aim at a customer; the same calls with the identifier of nothing are what they are held against. */
export type CallsAt = (customer: Customer) => readonly OperationCall[];

/** How an operation could show, change or confirm what its user may not see. */
export type IsolationCase =
  /** It names a customer by `customerId`. */
  | { readonly kind: 'customer'; readonly calls: CallsAt }
  /** It lists customers; each call would find this one if it could be seen. */
  | { readonly kind: 'list'; readonly calls: CallsAt }
  /** Its answer is the same for everyone. */
  | { readonly kind: 'same'; readonly calls: readonly OperationCall[] }
  /** It registers a customer: cases of its own in create.test.ts. */
  | { readonly kind: 'create' }
  /** It is about credentials only: cases of its own in credentials.test.ts. */
  | { readonly kind: 'credentials' }
  /** It answers 501; serving it obliges to say what kind it is. */
  | { readonly kind: 'notServed' };

const notServed = { kind: 'notServed' } as const;

/** Every operation: one that is added to the interface does not compile, and fails, until it has its case. */
export const cases: Readonly<Record<OperationId, IsolationCase>> = {
  getToken: { kind: 'credentials' },
  helloWorld: { kind: 'same', calls: [{}] },
  listCustomers: { kind: 'list', calls: () => [{}] },
  searchCustomers: {
    kind: 'list',
    calls: ({ name, enterpriseNumber, accountingRef = '', bankAccounts }) => [
      { body: {} },
      { body: { limit: 1 } },
      { body: { offset: 1 } },
      { body: { search: 'bakkerij' } },
      { body: { search: name } },
      { body: { search: enterpriseNumber } },
      { body: { search: enterpriseNumber.replaceAll('.', '') } },
      { body: { search: accountingRef } },
      { body: { enterpriseNumber } },
      { body: { accountingRef } },
      ...bankAccounts.map(({ iban }) => ({ body: { iban } })),
    ],
  },
  createCustomer: { kind: 'create' },
  getCustomer: { kind: 'customer', calls: ({ id }) => [at(id), at(id.toUpperCase())] },
  updateCustomer: {
    kind: 'customer',
    calls: ({ id, name, contact }) => [
      { ...at(id), body: {} },
      { ...at(id), body: { name } },
      { ...at(id), body: { name: 'Overgenomen' } },
      { ...at(id), body: { contact: { email: 'dief@elders.example' } } },
      { ...at(id), body: { contact } },
      { ...at(id), body: { isConfidential: false } },
      { ...at(id), body: { name: '' } },
    ],
  },
  archiveCustomer: { kind: 'customer', calls: ({ id }) => [at(id)] },
  addBankAccount: {
    kind: 'customer',
    calls: ({ id, bankAccounts }) => [
      at(id, { iban: newIban() }),
      at(id, { iban: 'BE00000000000000' }),
      ...bankAccounts.map(({ iban }) => at(id, { iban })),
    ],
  },
  disableBankAccount: {
    kind: 'customer',
    calls: ({ id, bankAccounts }) => [
      at(id, { iban: newIban() }),
      ...bankAccounts.map(({ iban }) => at(id, { iban })),
    ],
  },
  addPayrollProvider: {
    kind: 'customer',
    calls: ({ id }) => ['sdworx', 'partena', 'unknown'].map((code) => at(id, { code })),
  },
  removePayrollProvider: {
    kind: 'customer',
    calls: ({ id }) => ['sdworx', 'partena', 'unknown'].map((code) => at(id, { code })),
  },
  listPayrollProviders: { kind: 'same', calls: [{}, { body: { offset: 2, limit: 3 } }] },
  listBanks: { kind: 'same', calls: [{}, { body: { offset: 2, limit: 3 } }] },
  searchMandates: notServed,
  getMandate: notServed,
  requestMandate: notServed,
  listCodaFiles: notServed,
  acknowledgeCodaFile: notServed,
  getCodaUploadCredentials: notServed,
  listCodbFiles: notServed,
  acknowledgeCodbFile: notServed,
  getCodbUploadCredentials: notServed,
};

/** The operations of a kind, with their case. */
export function casesOf<Kind extends IsolationCase['kind']>(kind: Kind) {
  return Object.entries(cases)
    .filter((entry): entry is [OperationId, Extract<IsolationCase, { kind: Kind }>] => {
      return entry[1].kind === kind;
    })
    .map(([operationId, each]) => ({ ...each, operationId }));
}

function at(customerId: string, rest: Readonly<Record<string, string>> = {}): OperationCall {
  return { path: { customerId, ...rest } };
}
