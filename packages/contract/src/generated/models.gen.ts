// Generated from openapi.yaml by `npm run generate`. Do not edit.

import type { components, operations } from './schema.gen.js';

/** The body of every error. */
export type ErrorBody = components['schemas']['ErrorBody'];

/** One finding about a value. */
export type ErrorDetail = components['schemas']['ErrorDetail'];

/** Stable codes of errors. Codes can be added; handle an unknown one by its status. */
export type ErrorCode = components['schemas']['ErrorCode'];

/** A failed sign-in; `error` is the identity provider's reason. */
export type TokenFailure = components['schemas']['TokenFailure'];

/** Returned by actions that return no resource. */
export type Confirmation = components['schemas']['Confirmation'];

/** One of two forms. */
export type TokenRequest = components['schemas']['TokenRequest'];

/** Sign in with username and password. */
export type SignInRequest = components['schemas']['SignInRequest'];

/** Refresh the ID token. */
export type RefreshRequest = components['schemas']['RefreshRequest'];

/** The answer of the identity provider. */
export type Tokens = components['schemas']['Tokens'];

/** A client company of the accounting firm. Fields without a value are omitted; arrays are always present. */
export type Customer = components['schemas']['Customer'];

/** Address of a customer. */
export type Address = components['schemas']['Address'];

/** The person to whom mandate signature requests are sent. */
export type Contact = components['schemas']['Contact'];

/** Language of the mails and the signing page. */
export type Language = components['schemas']['Language'];

/** An active bank account of a customer. */
export type BankAccount = components['schemas']['BankAccount'];

/** A payroll provider (social secretariat). */
export type PayrollProvider = components['schemas']['PayrollProvider'];

/** A new customer. */
export type CreateCustomerRequest = components['schemas']['CreateCustomerRequest'];

/** Address of a new customer. */
export type NewAddress = components['schemas']['NewAddress'];

/** Contact of a new customer; all fields are required. */
export type NewContact = components['schemas']['NewContact'];

/** A bank account to link. */
export type NewBankAccount = components['schemas']['NewBankAccount'];

/** A payroll provider to link. */
export type NewPayrollProvider = components['schemas']['NewPayrollProvider'];

/** The fields to change; absent fields keep their value. */
export type UpdateCustomerRequest = components['schemas']['UpdateCustomerRequest'];

/** The fields of the address to change. */
export type AddressChange = components['schemas']['AddressChange'];

/** The fields of the contact to change. */
export type ContactChange = components['schemas']['ContactChange'];

/** One page of customers. */
export type CustomerPage = components['schemas']['CustomerPage'];

/** Filters and page; all filters must match. */
export type SearchCustomersRequest = components['schemas']['SearchCustomersRequest'];

/** One page of payroll providers. */
export type PayrollProviderPage = components['schemas']['PayrollProviderPage'];

/** The page. */
export type ListPayrollProvidersRequest = components['schemas']['ListPayrollProvidersRequest'];

/** One page of banks. */
export type BankPage = components['schemas']['BankPage'];

/** The page. */
export type ListBanksRequest = components['schemas']['ListBanksRequest'];

/** A Belgian bank. */
export type Bank = components['schemas']['Bank'];

/** One page of mandates. */
export type MandatePage = components['schemas']['MandatePage'];

/** A CODA or a CODB mandate; `product` tells which. */
export type Mandate = components['schemas']['Mandate'];

/** A mandate for the statements of one bank account. */
export type CodaMandate = components['schemas']['CodaMandate'];

/** A mandate for the files of one payroll provider. */
export type CodbMandate = components['schemas']['CodbMandate'];

/** Why the mandate is in `error`; present only then. */
export type MandateError = components['schemas']['MandateError'];

/** A status of CODA or CODB mandates. */
export type MandateStatus = components['schemas']['MandateStatus'];

/** `CODA`: bank statements. `CODB`: payroll files. */
export type Product = components['schemas']['Product'];

/** Filters, order and page; all filters must match. */
export type SearchMandatesRequest = components['schemas']['SearchMandatesRequest'];

/** Dates, both inclusive; `from` after `to` is refused. */
export type DateRange = components['schemas']['DateRange'];

/** Numbers, both inclusive; `from` after `to` is refused. */
export type NumberRange = components['schemas']['NumberRange'];

/** Filters; all must match. */
export type ListCodaFilesRequest = components['schemas']['ListCodaFilesRequest'];

/** Filters; all must match. */
export type ListCodbFilesRequest = components['schemas']['ListCodbFilesRequest'];

/** The CODA files of one customer. */
export type CodaCustomerGroup = components['schemas']['CodaCustomerGroup'];

/** The CODA files of one IBAN, currency and year. */
export type CodaIbanGroup = components['schemas']['CodaIbanGroup'];

/** Filters and page; all filters must match. */
export type ListMissingStatementsRequest = components['schemas']['ListMissingStatementsRequest'];

/**
 * How it is known: `gap`, statement numbers are missing; `balanceBreak`, the old balance of a
 * statement is not the new balance of the one before; `overdue`, by the habit of the account a
 * statement should have come.
 */
export type MissingStatementsKind = components['schemas']['MissingStatementsKind'];

/** One page of what is missing. */
export type MissingStatementsPage = components['schemas']['MissingStatementsPage'];

/** One or more statements of an account that are missing in a row. */
export type MissingStatements = components['schemas']['MissingStatements'];

/** A CODA file. */
export type CodaFile = components['schemas']['CodaFile'];

/** The files to acknowledge. */
export type AcknowledgeFilesRequest = components['schemas']['AcknowledgeFilesRequest'];

/** The outcome for each file. */
export type AcknowledgedFiles = components['schemas']['AcknowledgedFiles'];

/** Pre-signed download URLs, valid for 30 minutes. */
export type CodaFileUrls = components['schemas']['CodaFileUrls'];

/** The CODB files of one customer. */
export type CodbCustomerGroup = components['schemas']['CodbCustomerGroup'];

/** The CODB files of one payroll provider and year. */
export type CodbProviderGroup = components['schemas']['CodbProviderGroup'];

/** A CODB file. */
export type CodbFile = components['schemas']['CodbFile'];

/** Pre-signed download URLs, valid for 30 minutes. */
export type CodbFileUrls = components['schemas']['CodbFileUrls'];

/** Temporary S3 credentials for putting files under a prefix. */
export type UploadCredentials = components['schemas']['UploadCredentials'];

/** Filters and page; all filters must match. */
export type ListAuditEntriesRequest = components['schemas']['ListAuditEntriesRequest'];

/** One page of entries. */
export type AuditEntryPage = components['schemas']['AuditEntryPage'];

/** An action or a read of one person or program. Members that do not apply are absent. */
export type AuditEntry = components['schemas']['AuditEntry'];

/** Filters and page; all filters must match. */
export type ListUploadsRequest = components['schemas']['ListUploadsRequest'];

/** One page of uploads. */
export type UploadPage = components['schemas']['UploadPage'];

/** An uploaded file and its outcome. */
export type UploadRecord = components['schemas']['UploadRecord'];

/**
 * `received`: it waits to be read, or is being read. `processed`: all of its statements are listed,
 * now or before. `rejected`: an error refuses at least one of them. `failed`: the service could not
 * read it for days. The operator is told, and can have it read again; it is not necessary to upload
 * it again.
 */
export type UploadStatus = components['schemas']['UploadStatus'];

/** A file that was listed from an upload. */
export type ListedUploadFile = components['schemas']['ListedUploadFile'];

/** A finding on an upload. */
export type UploadFinding = components['schemas']['UploadFinding'];

/** The headers of `createCustomer`. */
export type CreateCustomerHeaders = NonNullable<operations['createCustomer']['parameters']['header']>;

/** The headers of `requestMandate`. */
export type RequestMandateHeaders = NonNullable<operations['requestMandate']['parameters']['header']>;
