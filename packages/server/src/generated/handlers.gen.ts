// Generated from openapi.yaml by `npm run generate`. Do not edit.

import type * as contract from '@adx/contract';

/** Handles a request, synchronously or not. */
export type Handler<Request, Response, Context> = (
  request: Request,
  context: Context,
) => Response | Promise<Response>;

/** A plain array (§4.22 rule 4), or its records one by one if it is streamed. */
export type Rows<Item> = readonly Item[] | AsyncIterable<Streamed<Item>>;

/** A record whose own lists may be streamed too. */
export type Streamed<Value> = Value extends readonly (infer Item)[]
  ? Rows<Item>
  : Value extends object
    ? { [Name in keyof Value]: Streamed<Value[Name]> }
    : Value;

/**
 * One handler per operation. `Context` describes the caller; `KeyContext` describes the caller of an
 * operation that requires no ID token.
 */
export interface Handlers<Context, KeyContext = Context> {
  /** Get or refresh token */
  readonly getToken: Handler<GetTokenRequest, GetTokenResponse, KeyContext>;
  /** Hello world */
  readonly helloWorld: Handler<HelloWorldRequest, HelloWorldResponse, Context>;
  /** List all customers */
  readonly listCustomers: Handler<ListCustomersRequest, ListCustomersResponse, Context>;
  /** Search customers */
  readonly searchCustomers: Handler<SearchCustomersRequest, SearchCustomersResponse, Context>;
  /** Create customer */
  readonly createCustomer: Handler<CreateCustomerRequest, CreateCustomerResponse, Context>;
  /** Get customer */
  readonly getCustomer: Handler<GetCustomerRequest, GetCustomerResponse, Context>;
  /** Update customer */
  readonly updateCustomer: Handler<UpdateCustomerRequest, UpdateCustomerResponse, Context>;
  /** Archive customer */
  readonly archiveCustomer: Handler<ArchiveCustomerRequest, ArchiveCustomerResponse, Context>;
  /** Add bank account */
  readonly addBankAccount: Handler<AddBankAccountRequest, AddBankAccountResponse, Context>;
  /** Disable bank account */
  readonly disableBankAccount: Handler<DisableBankAccountRequest, DisableBankAccountResponse, Context>;
  /** Add payroll provider */
  readonly addPayrollProvider: Handler<AddPayrollProviderRequest, AddPayrollProviderResponse, Context>;
  /** Remove payroll provider */
  readonly removePayrollProvider: Handler<RemovePayrollProviderRequest, RemovePayrollProviderResponse, Context>;
  /** List payroll providers */
  readonly listPayrollProviders: Handler<ListPayrollProvidersRequest, ListPayrollProvidersResponse, Context>;
  /** List banks */
  readonly listBanks: Handler<ListBanksRequest, ListBanksResponse, Context>;
  /** Search mandates */
  readonly searchMandates: Handler<SearchMandatesRequest, SearchMandatesResponse, Context>;
  /** Get mandate */
  readonly getMandate: Handler<GetMandateRequest, GetMandateResponse, Context>;
  /** Request mandate */
  readonly requestMandate: Handler<RequestMandateRequest, RequestMandateResponse, Context>;
  /** List CODA files */
  readonly listCodaFiles: Handler<ListCodaFilesRequest, ListCodaFilesResponse, Context>;
  /** Acknowledge CODA file */
  readonly acknowledgeCodaFile: Handler<AcknowledgeCodaFileRequest, AcknowledgeCodaFileResponse, Context>;
  /** Acknowledge CODA files */
  readonly acknowledgeCodaFiles: Handler<AcknowledgeCodaFilesRequest, AcknowledgeCodaFilesResponse, Context>;
  /** List missing statements */
  readonly listMissingStatements: Handler<ListMissingStatementsRequest, ListMissingStatementsResponse, Context>;
  /** Get CODA upload credentials */
  readonly getCodaUploadCredentials: Handler<GetCodaUploadCredentialsRequest, GetCodaUploadCredentialsResponse, Context>;
  /** List CODB files */
  readonly listCodbFiles: Handler<ListCodbFilesRequest, ListCodbFilesResponse, Context>;
  /** Acknowledge CODB file */
  readonly acknowledgeCodbFile: Handler<AcknowledgeCodbFileRequest, AcknowledgeCodbFileResponse, Context>;
  /** Acknowledge CODB files */
  readonly acknowledgeCodbFiles: Handler<AcknowledgeCodbFilesRequest, AcknowledgeCodbFilesResponse, Context>;
  /** Get CODB upload credentials */
  readonly getCodbUploadCredentials: Handler<GetCodbUploadCredentialsRequest, GetCodbUploadCredentialsResponse, Context>;
  /** List uploads */
  readonly listUploads: Handler<ListUploadsRequest, ListUploadsResponse, Context>;
  /** Get upload */
  readonly getUpload: Handler<GetUploadRequest, GetUploadResponse, Context>;
  /** List audit entries */
  readonly listAuditEntries: Handler<ListAuditEntriesRequest, ListAuditEntriesResponse, Context>;
}

/** `POST /token` */
export interface GetTokenRequest {
  readonly path: Record<never, never>;
  readonly body: contract.TokenRequest;
}

export type GetTokenResponse =
  | { status: 200; body: contract.Tokens }
  | { status: 400; body: contract.ErrorBodyOf<'missingCredentials' | 'unknownField' | 'validationFailed' | 'invalidJson'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 413; body: contract.ErrorBodyOf<'payloadTooLarge'> }
  | { status: 415; body: contract.ErrorBodyOf<'unsupportedMediaType'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.TokenFailure }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `GET /hello-world` */
export interface HelloWorldRequest {
  readonly path: Record<never, never>;
  readonly body: undefined;
}

export type HelloWorldResponse =
  | { status: 200; body: contract.Confirmation }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `GET /customers` */
export interface ListCustomersRequest {
  readonly path: Record<never, never>;
  readonly body: undefined;
}

export type ListCustomersResponse =
  | { status: 200; body: Rows<contract.Customer> }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /customers` */
export interface SearchCustomersRequest {
  readonly path: Record<never, never>;
  readonly body: contract.SearchCustomersRequest;
}

export type SearchCustomersResponse =
  | { status: 200; body: contract.CustomerPage }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField' | 'validationFailed' | 'invalidJson'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 413; body: contract.ErrorBodyOf<'payloadTooLarge'> }
  | { status: 415; body: contract.ErrorBodyOf<'unsupportedMediaType'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /customers/create` */
export interface CreateCustomerRequest {
  readonly path: Record<never, never>;
  readonly headers: contract.CreateCustomerHeaders;
  readonly body: contract.CreateCustomerRequest;
}

export type CreateCustomerResponse =
  | { status: 200; body: contract.Customer }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField' | 'validationFailed' | 'invalidJson' | 'invalidEnterpriseNumber' | 'invalidIban' | 'unknownPayrollProvider'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope' | 'belongsToAnotherTenant'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 409; body: contract.ErrorBodyOf<'customerExists' | 'ibanInUse' | 'tooManyUnsignedLinks' | 'idempotencyKeyInUse'> }
  | { status: 413; body: contract.ErrorBodyOf<'payloadTooLarge'> }
  | { status: 415; body: contract.ErrorBodyOf<'unsupportedMediaType'> }
  | { status: 422; body: contract.ErrorBodyOf<'idempotencyKeyReused'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `GET /customers/{customerId}` */
export interface GetCustomerRequest {
  readonly path: { readonly customerId: string };
  readonly body: undefined;
}

export type GetCustomerResponse =
  | { status: 200; body: contract.Customer }
  | { status: 400; body: contract.ErrorBodyOf<'validationFailed' | 'unknownField'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 404; body: contract.ErrorBodyOf<'notFound'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `PATCH /customers/{customerId}` */
export interface UpdateCustomerRequest {
  readonly path: { readonly customerId: string };
  readonly body: contract.UpdateCustomerRequest;
}

export type UpdateCustomerResponse =
  | { status: 200; body: contract.Customer }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField' | 'validationFailed' | 'invalidJson'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 404; body: contract.ErrorBodyOf<'notFound'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 413; body: contract.ErrorBodyOf<'payloadTooLarge'> }
  | { status: 415; body: contract.ErrorBodyOf<'unsupportedMediaType'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `DELETE /customers/{customerId}` */
export interface ArchiveCustomerRequest {
  readonly path: { readonly customerId: string };
  readonly body: undefined;
}

export type ArchiveCustomerResponse =
  | { status: 200; body: contract.Confirmation }
  | { status: 400; body: contract.ErrorBodyOf<'validationFailed' | 'unknownField'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 404; body: contract.ErrorBodyOf<'notFound'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /customers/{customerId}/bank-accounts/{iban}` */
export interface AddBankAccountRequest {
  readonly path: { readonly customerId: string; readonly iban: string };
  readonly body: undefined;
}

export type AddBankAccountResponse =
  | { status: 200; body: contract.BankAccount }
  | { status: 400; body: contract.ErrorBodyOf<'invalidIban' | 'validationFailed' | 'unknownField'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 404; body: contract.ErrorBodyOf<'notFound'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 409; body: contract.ErrorBodyOf<'ibanInUse' | 'tooManyUnsignedLinks'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `DELETE /customers/{customerId}/bank-accounts/{iban}` */
export interface DisableBankAccountRequest {
  readonly path: { readonly customerId: string; readonly iban: string };
  readonly body: undefined;
}

export type DisableBankAccountResponse =
  | { status: 200; body: contract.Confirmation }
  | { status: 400; body: contract.ErrorBodyOf<'invalidIban' | 'validationFailed' | 'unknownField'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 404; body: contract.ErrorBodyOf<'notFound'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /customers/{customerId}/payroll-providers/{code}` */
export interface AddPayrollProviderRequest {
  readonly path: { readonly customerId: string; readonly code: string };
  readonly body: undefined;
}

export type AddPayrollProviderResponse =
  | { status: 200; body: contract.PayrollProvider }
  | { status: 400; body: contract.ErrorBodyOf<'unknownPayrollProvider' | 'validationFailed' | 'unknownField'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 404; body: contract.ErrorBodyOf<'notFound'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 409; body: contract.ErrorBodyOf<'tooManyUnsignedLinks'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `DELETE /customers/{customerId}/payroll-providers/{code}` */
export interface RemovePayrollProviderRequest {
  readonly path: { readonly customerId: string; readonly code: string };
  readonly body: undefined;
}

export type RemovePayrollProviderResponse =
  | { status: 200; body: contract.Confirmation }
  | { status: 400; body: contract.ErrorBodyOf<'validationFailed' | 'unknownField'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 404; body: contract.ErrorBodyOf<'notFound'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /payroll-providers` */
export interface ListPayrollProvidersRequest {
  readonly path: Record<never, never>;
  readonly body: contract.ListPayrollProvidersRequest;
}

export type ListPayrollProvidersResponse =
  | { status: 200; body: contract.PayrollProviderPage }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField' | 'validationFailed' | 'invalidJson'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 413; body: contract.ErrorBodyOf<'payloadTooLarge'> }
  | { status: 415; body: contract.ErrorBodyOf<'unsupportedMediaType'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /banks` */
export interface ListBanksRequest {
  readonly path: Record<never, never>;
  readonly body: contract.ListBanksRequest;
}

export type ListBanksResponse =
  | { status: 200; body: contract.BankPage }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField' | 'validationFailed' | 'invalidJson'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 413; body: contract.ErrorBodyOf<'payloadTooLarge'> }
  | { status: 415; body: contract.ErrorBodyOf<'unsupportedMediaType'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /mandates` */
export interface SearchMandatesRequest {
  readonly path: Record<never, never>;
  readonly body: contract.SearchMandatesRequest;
}

export type SearchMandatesResponse =
  | { status: 200; body: contract.MandatePage }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField' | 'validationFailed' | 'invalidJson'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 413; body: contract.ErrorBodyOf<'payloadTooLarge'> }
  | { status: 415; body: contract.ErrorBodyOf<'unsupportedMediaType'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `GET /mandates/{mandateId}` */
export interface GetMandateRequest {
  readonly path: { readonly mandateId: string };
  readonly body: undefined;
}

export type GetMandateResponse =
  | { status: 200; body: contract.Mandate }
  | { status: 400; body: contract.ErrorBodyOf<'validationFailed' | 'unknownField'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 404; body: contract.ErrorBodyOf<'notFound'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /mandates/{mandateId}/request` */
export interface RequestMandateRequest {
  readonly path: { readonly mandateId: string };
  readonly headers: contract.RequestMandateHeaders;
  readonly body: undefined;
}

export type RequestMandateResponse =
  | { status: 200; body: contract.Mandate }
  | { status: 400; body: contract.ErrorBodyOf<'validationFailed' | 'unknownField'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 404; body: contract.ErrorBodyOf<'notFound'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 409; body: contract.ErrorBodyOf<'mandateNotRequestable' | 'idempotencyKeyInUse'> }
  | { status: 422; body: contract.ErrorBodyOf<'idempotencyKeyReused'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /coda-files` */
export interface ListCodaFilesRequest {
  readonly path: Record<never, never>;
  readonly body: contract.ListCodaFilesRequest;
}

export type ListCodaFilesResponse =
  | { status: 200; body: Rows<contract.CodaCustomerGroup> }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField' | 'validationFailed' | 'invalidJson'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 413; body: contract.ErrorBodyOf<'payloadTooLarge'> }
  | { status: 415; body: contract.ErrorBodyOf<'unsupportedMediaType'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `DELETE /coda-files/{fileId}` */
export interface AcknowledgeCodaFileRequest {
  readonly path: { readonly fileId: string };
  readonly body: undefined;
}

export type AcknowledgeCodaFileResponse =
  | { status: 200; body: contract.Confirmation }
  | { status: 400; body: contract.ErrorBodyOf<'validationFailed' | 'unknownField'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 404; body: contract.ErrorBodyOf<'notFound'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /coda-files/acknowledgements` */
export interface AcknowledgeCodaFilesRequest {
  readonly path: Record<never, never>;
  readonly body: contract.AcknowledgeFilesRequest;
}

export type AcknowledgeCodaFilesResponse =
  | { status: 200; body: contract.AcknowledgedFiles }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField' | 'validationFailed' | 'invalidJson'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 413; body: contract.ErrorBodyOf<'payloadTooLarge'> }
  | { status: 415; body: contract.ErrorBodyOf<'unsupportedMediaType'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /coda-files/missing` */
export interface ListMissingStatementsRequest {
  readonly path: Record<never, never>;
  readonly body: contract.ListMissingStatementsRequest;
}

export type ListMissingStatementsResponse =
  | { status: 200; body: contract.MissingStatementsPage }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField' | 'validationFailed' | 'invalidJson'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 413; body: contract.ErrorBodyOf<'payloadTooLarge'> }
  | { status: 415; body: contract.ErrorBodyOf<'unsupportedMediaType'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /coda-files/upload-credentials` */
export interface GetCodaUploadCredentialsRequest {
  readonly path: Record<never, never>;
  readonly body: undefined;
}

export type GetCodaUploadCredentialsResponse =
  | { status: 200; body: contract.UploadCredentials }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /codb-files` */
export interface ListCodbFilesRequest {
  readonly path: Record<never, never>;
  readonly body: contract.ListCodbFilesRequest;
}

export type ListCodbFilesResponse =
  | { status: 200; body: Rows<contract.CodbCustomerGroup> }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField' | 'validationFailed' | 'invalidJson'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 413; body: contract.ErrorBodyOf<'payloadTooLarge'> }
  | { status: 415; body: contract.ErrorBodyOf<'unsupportedMediaType'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `DELETE /codb-files/{fileId}` */
export interface AcknowledgeCodbFileRequest {
  readonly path: { readonly fileId: string };
  readonly body: undefined;
}

export type AcknowledgeCodbFileResponse =
  | { status: 200; body: contract.Confirmation }
  | { status: 400; body: contract.ErrorBodyOf<'validationFailed' | 'unknownField'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 404; body: contract.ErrorBodyOf<'notFound'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /codb-files/acknowledgements` */
export interface AcknowledgeCodbFilesRequest {
  readonly path: Record<never, never>;
  readonly body: contract.AcknowledgeFilesRequest;
}

export type AcknowledgeCodbFilesResponse =
  | { status: 200; body: contract.AcknowledgedFiles }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField' | 'validationFailed' | 'invalidJson'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 413; body: contract.ErrorBodyOf<'payloadTooLarge'> }
  | { status: 415; body: contract.ErrorBodyOf<'unsupportedMediaType'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /codb-files/upload-credentials` */
export interface GetCodbUploadCredentialsRequest {
  readonly path: Record<never, never>;
  readonly body: undefined;
}

export type GetCodbUploadCredentialsResponse =
  | { status: 200; body: contract.UploadCredentials }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope' | 'upload_not_allowed'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /uploads` */
export interface ListUploadsRequest {
  readonly path: Record<never, never>;
  readonly body: contract.ListUploadsRequest;
}

export type ListUploadsResponse =
  | { status: 200; body: contract.UploadPage }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField' | 'validationFailed' | 'invalidJson'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 413; body: contract.ErrorBodyOf<'payloadTooLarge'> }
  | { status: 415; body: contract.ErrorBodyOf<'unsupportedMediaType'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `GET /uploads/{uploadId}` */
export interface GetUploadRequest {
  readonly path: { readonly uploadId: string };
  readonly body: undefined;
}

export type GetUploadResponse =
  | { status: 200; body: contract.UploadRecord }
  | { status: 400; body: contract.ErrorBodyOf<'validationFailed' | 'unknownField'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 404; body: contract.ErrorBodyOf<'notFound'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };

/** `POST /audit-entries` */
export interface ListAuditEntriesRequest {
  readonly path: Record<never, never>;
  readonly body: contract.ListAuditEntriesRequest;
}

export type ListAuditEntriesResponse =
  | { status: 200; body: contract.AuditEntryPage }
  | { status: 400; body: contract.ErrorBodyOf<'unknownField' | 'validationFailed' | 'invalidJson'> }
  | { status: 401; body: contract.ErrorBodyOf<'unauthorized' | 'tokenExpired' | 'portalOnly'> }
  | { status: 403; body: contract.ErrorBodyOf<'invalidApiKey' | 'insufficientScope'> }
  | { status: 405; body: contract.ErrorBodyOf<'methodNotAllowed'> }
  | { status: 413; body: contract.ErrorBodyOf<'payloadTooLarge'> }
  | { status: 415; body: contract.ErrorBodyOf<'unsupportedMediaType'> }
  | { status: 429; body: contract.ErrorBodyOf<'tooManyRequests'> }
  | { status: 500; body: contract.ErrorBodyOf<'internalError'> }
  | { status: 503; body: contract.ErrorBodyOf<'unavailable'> };
