import type { OperationId } from '@adx/contract';
import type { OperationCall } from '../support/call-operation.js';
import { newIban } from '../support/numbers.js';
import type { KnownCustomer } from './two-firms.js';

/**
 * Returns calls that concern a customer, its mandates or its files. Tests compare them with the
 * same calls for an unknown identifier.
 */
export type CallsAt = (customer: KnownCustomer) => readonly OperationCall[];

/** The ways in which an operation could show, change or confirm data that its user may not see. */
export type IsolationCase =
  /** It names a customer by `customerId`, a mandate by `mandateId`, or a file by `fileId`. */
  | {
      readonly kind: 'customer';
      readonly parameter: 'customerId' | 'mandateId' | 'fileId';
      readonly calls: CallsAt;
    }
  /**
   * It lists customers, files or mandates. Each call would find those of this customer if the user
   * could see it.
   */
  | { readonly kind: 'list'; readonly of: 'customers' | 'mandates'; readonly calls: CallsAt }
  /** Its answer is the same for all users. */
  | { readonly kind: 'same'; readonly calls: readonly OperationCall[] }
  /** It registers a customer. Its tests are in customers.test.ts. */
  | { readonly kind: 'create' }
  /** It concerns credentials only. Its tests are in credentials.test.ts. */
  | { readonly kind: 'credentials' }
  /** Its answer is about the firm. Its tests are in everyone.test.ts. */
  | { readonly kind: 'firm' }
  /** It acknowledges files of a product by their ids. Its tests are in everyone.test.ts. */
  | { readonly kind: 'acknowledgement'; readonly product: keyof KnownCustomer['files'] }
  /** It shows uploads, which belong to users. Its tests are in own-records.test.ts. */
  | { readonly kind: 'uploads' }
  /** It shows the audit trail. Its tests are in own-records.test.ts. */
  | { readonly kind: 'auditTrail' };

const ofCustomer = { kind: 'customer', parameter: 'customerId' } as const;
const ofMandate = { kind: 'customer', parameter: 'mandateId' } as const;
const ofFile = { kind: 'customer', parameter: 'fileId' } as const;

/** The case of every operation. If a new operation has none, this does not compile. */
export const cases: Readonly<Record<OperationId, IsolationCase>> = {
  getToken: { kind: 'credentials' },
  helloWorld: { kind: 'same', calls: [{}] },
  listCustomers: { kind: 'list', of: 'customers', calls: () => [{}] },
  searchCustomers: {
    kind: 'list',
    of: 'customers',
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
  getCustomer: { ...ofCustomer, calls: ({ id }) => [at(id), at(id.toUpperCase())] },
  updateCustomer: {
    ...ofCustomer,
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
  archiveCustomer: { ...ofCustomer, calls: ({ id }) => [at(id)] },
  addBankAccount: {
    ...ofCustomer,
    calls: ({ id, bankAccounts }) => [
      at(id, { iban: newIban() }),
      at(id, { iban: 'BE00000000000000' }),
      ...bankAccounts.map(({ iban }) => at(id, { iban })),
    ],
  },
  disableBankAccount: {
    ...ofCustomer,
    calls: ({ id, bankAccounts }) => [
      at(id, { iban: newIban() }),
      ...bankAccounts.map(({ iban }) => at(id, { iban })),
    ],
  },
  addPayrollProvider: {
    ...ofCustomer,
    calls: ({ id }) => ['sdworx', 'partena', 'unknown'].map((code) => at(id, { code })),
  },
  removePayrollProvider: {
    ...ofCustomer,
    calls: ({ id }) => ['sdworx', 'partena', 'unknown'].map((code) => at(id, { code })),
  },
  listPayrollProviders: { kind: 'same', calls: [{}, { body: { offset: 2, limit: 3 } }] },
  listBanks: { kind: 'same', calls: [{}, { body: { offset: 2, limit: 3 } }] },
  searchMandates: {
    kind: 'list',
    of: 'mandates',
    calls: ({ id, enterpriseNumber, bankAccounts, mandates }) => [
      { body: {} },
      { body: { includeFinished: true } },
      { body: { limit: 1 } },
      { body: { offset: 1 } },
      { body: { customerId: id } },
      { body: { enterpriseNumber } },
      { body: { product: 'CODB', payrollProviderCode: 'sdworx' } },
      { body: { status: ['expired', 'created'], sort: 'customerName' } },
      ...bankAccounts.map(({ iban }) => ({ body: { iban } })),
      ...mandates.map(({ updatedOn }) => ({ body: { updatedSince: updatedOn } })),
    ],
  },
  getMandate: {
    ...ofMandate,
    calls: ({ mandates }) =>
      mandates.flatMap(({ id }) => [atMandate(id), atMandate(id.toUpperCase())]),
  },
  requestMandate: {
    ...ofMandate,
    calls: ({ mandates }) => mandates.map(({ id }) => atMandate(id)),
  },
  listCodaFiles: {
    kind: 'list',
    of: 'customers',
    calls: ({ name, enterpriseNumber, bankAccounts }) => [
      { body: {} },
      { body: { redownload: true, includePdf: true } },
      { body: { customer: name } },
      { body: { enterpriseNumber } },
      { body: { currency: 'EUR', statementNumber: { from: 1 } } },
      ...bankAccounts.map(({ iban }) => ({ body: { iban } })),
    ],
  },
  acknowledgeCodaFile: {
    ...ofFile,
    calls: ({ files }) => [
      atFile(files.coda),
      atFile(files.coda.toUpperCase()),
      atFile(files.codb),
    ],
  },
  acknowledgeCodaFiles: { kind: 'acknowledgement', product: 'coda' },
  listMissingStatements: {
    kind: 'list',
    of: 'customers',
    calls: ({ id, enterpriseNumber, bankAccounts }) => [
      { body: {} },
      { body: { limit: 1 } },
      { body: { offset: 1 } },
      { body: { kind: 'gap' } },
      { body: { customerId: id } },
      { body: { enterpriseNumber } },
      ...bankAccounts.map(({ iban }) => ({ body: { iban } })),
    ],
  },
  getCodaUploadCredentials: { kind: 'firm' },
  listCodbFiles: {
    kind: 'list',
    of: 'customers',
    calls: ({ name, enterpriseNumber }) => [
      { body: {} },
      { body: { redownload: true, includePdf: true } },
      { body: { customer: name } },
      { body: { enterpriseNumber } },
      { body: { payrollProvider: 'SD Worx', accountPeriod: 202602 } },
    ],
  },
  acknowledgeCodbFile: {
    ...ofFile,
    calls: ({ files }) => [
      atFile(files.codb),
      atFile(files.codb.toUpperCase()),
      atFile(files.coda),
    ],
  },
  acknowledgeCodbFiles: { kind: 'acknowledgement', product: 'codb' },
  getCodbUploadCredentials: { kind: 'firm' },
  listUploads: { kind: 'uploads' },
  getUpload: { kind: 'uploads' },
  listAuditEntries: { kind: 'auditTrail' },
};

export function casesOf<Kind extends IsolationCase['kind']>(kind: Kind) {
  return Object.entries(cases)
    .filter((entry): entry is [OperationId, Extract<IsolationCase, { kind: Kind }>] => {
      return entry[1].kind === kind;
    })
    .map(([operationId, each]) => ({ ...each, operationId }));
}

function atFile(fileId: string): OperationCall {
  return { path: { fileId } };
}

function atMandate(mandateId: string): OperationCall {
  return { path: { mandateId } };
}

function at(customerId: string, rest: Readonly<Record<string, string>> = {}): OperationCall {
  return { path: { customerId, ...rest } };
}
