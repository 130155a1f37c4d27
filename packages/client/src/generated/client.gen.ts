// Generated from openapi.yaml by `npm run generate`. Do not edit.

import type * as contract from '@adx/contract';
import type { ApiPromise, Caller, CallOptions } from '../core/call.js';
import type { Page } from '../core/page.js';

/** Every operation of the Accounting Data Exchange, by resource. */
export class Client {
  declare readonly auth: Auth;
  declare readonly customers: Customers;
  declare readonly payrollProviders: PayrollProviders;
  declare readonly banks: Banks;
  declare readonly mandates: Mandates;
  declare readonly codaFiles: CodaFiles;
  declare readonly codbFiles: CodbFiles;
  declare readonly uploads: Uploads;
  declare readonly auditEntries: AuditEntries;

  constructor(caller: Caller) {
    this.auth = new Auth(caller);
    this.customers = new Customers(caller);
    this.payrollProviders = new PayrollProviders(caller);
    this.banks = new Banks(caller);
    this.mandates = new Mandates(caller);
    this.codaFiles = new CodaFiles(caller);
    this.codbFiles = new CodbFiles(caller);
    this.uploads = new Uploads(caller);
    this.auditEntries = new AuditEntries(caller);
  }
}

/** `client.auth` */
export class Auth {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Get or refresh token.
   *
   * Signs a user in, or refreshes the ID token. Only the API key is required.
   *
   * With `username` and `password` the answer holds an `idToken` (1 hour) and a `refreshToken`
   * (30 days). With `refreshToken` alone it holds a new `idToken` only; the refresh token stays
   * in use. The password is sent encoded in Base64 (of its UTF-8 bytes); a plain-text password
   * fails. A failed sign-in answers `500` with the identity provider's reason.
   *
   * `getToken`: `POST /token`.
   *
   * @param body One of two forms.
   * @param options Can cancel the call or limit its time.
   * @returns The tokens.
   * @throws {ApiError}
   * 400 `missingCredentials`, `unknownField`, `validationFailed`, `invalidJson`
   * 403 `invalidApiKey`
   * 405 `methodNotAllowed`
   * 413 `payloadTooLarge`
   * 415 `unsupportedMediaType`
   * 429 `tooManyRequests`
   * 500 `internalError`, `TokenFailure`
   * 503 `unavailable`
   * @example
   * ```ts
   * const tokens = await client.auth.token({
   *   username: 'els.maes@kantoor-maes.example',
   *   password: 'emVlci1nZWhlaW0tMjAyNg==',
   * });
   * ```
   */
  token(body: contract.TokenRequest, options?: CallOptions): ApiPromise<contract.Tokens> {
    return this.#caller.call('getToken', 'post', ['/token'], options, { body, idempotent: true, idToken: false });
  }

  /**
   * Hello world.
   *
   * A connectivity check: answers when both the API key and the ID token are accepted.
   * No scope is needed.
   *
   * `helloWorld`: `GET /hello-world`.
   *
   * @param options Can cancel the call or limit its time.
   * @returns Both credentials are accepted.
   * @throws {ApiError}
   * 400 `unknownField`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`
   * 405 `methodNotAllowed`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const confirmation = await client.auth.hello();
   * ```
   */
  hello(options?: CallOptions): ApiPromise<contract.Confirmation> {
    return this.#caller.call('helloWorld', 'get', ['/hello-world'], options);
  }
}

/** `client.customers` */
export class Customers {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * List all customers.
   *
   * Every customer the user may access, as a plain array in the order of *Search customers*
   * (name, then `id`). Not paginated: the answer is streamed, however long it is.
   *
   * `listCustomers`: `GET /customers`, scope `customers:read`.
   *
   * @param options Can cancel the call or limit its time.
   * @returns The customers.
   * @throws {ApiError}
   * 400 `unknownField`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 405 `methodNotAllowed`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const customers = await client.customers.list();
   * ```
   */
  list(options?: CallOptions): ApiPromise<contract.Customer[]> {
    return this.#caller.call('listCustomers', 'get', ['/customers'], options);
  }

  /**
   * Search customers.
   *
   * Searches the customers the user may access, one page at a time, sorted by name
   * (case-insensitive), then `id`. Filters are combined: a customer must match all of them.
   *
   * `searchCustomers`: `POST /customers`, scope `customers:read`.
   *
   * @param body Filters and page; all filters must match.
   * @param options Can cancel the call or limit its time.
   * @returns One page of customers.
   * @throws {ApiError}
   * 400 `unknownField`, `validationFailed`, `invalidJson`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 405 `methodNotAllowed`
   * 413 `payloadTooLarge`
   * 415 `unsupportedMediaType`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * for await (const customer of client.customers.search({ search: 'bakkerij' })) {
   *   console.log(customer);
   * }
   * ```
   */
  search(body: contract.SearchCustomersRequest = {}, options?: CallOptions): Page<contract.Customer> {
    return this.#caller.page('searchCustomers', ['/customers'], body, options);
  }

  /**
   * Create customer.
   *
   * Registers a customer with its contact and, optionally, its bank accounts and payroll
   * providers. A mandate is created for each of them, and one signature request is sent to the
   * contact.
   *
   * An enterprise number can be registered once in the whole service. When another accounting
   * firm has registered it, the answer is `403 belongsToAnotherTenant`: a transfer requires the
   * agreement of the end customer; contact support.
   *
   * A customer created by a user who sees only assigned customers is assigned to that user.
   *
   * `createCustomer`: `POST /customers/create`, scope `customers:write`.
   *
   * @param body A new customer.
   * @param options Can cancel the call or limit its time. `headers`: `Idempotency-Key`: Makes
   *   the call safe to repeat: a new key for each call, such as a UUID, and the same key again
   *   when the outcome is unknown. A repetition gets the first answer again and does nothing.
   * @returns The customer.
   * @throws {ApiError}
   * 400 `unknownField`, `validationFailed`, `invalidJson`, `invalidEnterpriseNumber`,
   *     `invalidIban`, `unknownPayrollProvider`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`, `belongsToAnotherTenant`
   * 405 `methodNotAllowed`
   * 409 `customerExists`, `ibanInUse`, `tooManyUnsignedLinks`, `idempotencyKeyInUse`
   * 413 `payloadTooLarge`
   * 415 `unsupportedMediaType`
   * 422 `idempotencyKeyReused`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const customer = await client.customers.create({
   *   enterpriseNumber: '0765.432.146',
   *   name: 'Bakkerij De Gouden Korst',
   *   accountingRef: 'K-0042',
   *   address: {
   *     street: 'Veldstraat 12',
   *     street2: 'bus 3',
   *     zipCode: '9000',
   *     municipality: 'Gent',
   *     country: 'België',
   *   },
   *   contact: {
   *     name: 'Jan Vermeulen',
   *     function: 'Zaakvoerder',
   *     email: 'jan@goudenkorst.example',
   *     language: 'nl',
   *   },
   *   bankAccounts: [{ iban: 'BE71 0961 2345 6769' }],
   *   payrollProviders: [{ code: 'sdworx' }],
   * });
   * ```
   */
  create(body: contract.CreateCustomerRequest, options?: CallOptions & { headers?: contract.CreateCustomerHeaders }): ApiPromise<contract.Customer> {
    return this.#caller.call('createCustomer', 'post', ['/customers/create'], options, { body, headers: options?.headers, idempotencyKey: true });
  }

  /**
   * Get customer.
   *
   * One customer with its active bank accounts and payroll providers.
   *
   * `getCustomer`: `GET /customers/{customerId}`, scope `customers:read`.
   *
   * @param customerId The customer's `id`.
   * @param options Can cancel the call or limit its time.
   * @returns The customer.
   * @throws {ApiError}
   * 400 `validationFailed`, `unknownField`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 404 `notFound`
   * 405 `methodNotAllowed`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const customer = await client.customers.get('673f0c2a9b1d4e8f7a6c5b4d');
   * ```
   */
  get(customerId: string, options?: CallOptions): ApiPromise<contract.Customer> {
    return this.#caller.call('getCustomer', 'get', ['/customers/', { customerId }], options);
  }

  /**
   * Update customer.
   *
   * Updates the fields that are sent, and only those; nested objects merge field by field.
   * An empty string clears an optional field. A body without a field to change only reads the
   * customer: an API key without `customers:read` gets `403 insufficientScope`.
   *
   * If the e-mail address of the contact changes, pending signature requests are sent to the new
   * address, once it has not changed for 30 seconds. For each request an address gets one message.
   *
   * `enterpriseNumber` cannot be changed. Bank accounts and payroll providers are changed by
   * their own operations only.
   *
   * `updateCustomer`: `PATCH /customers/{customerId}`, scope `customers:write`.
   *
   * @param customerId The customer's `id`.
   * @param body The fields to change; absent fields keep their value.
   * @param options Can cancel the call or limit its time.
   * @returns The updated customer.
   * @throws {ApiError}
   * 400 `unknownField`, `validationFailed`, `invalidJson`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 404 `notFound`
   * 405 `methodNotAllowed`
   * 413 `payloadTooLarge`
   * 415 `unsupportedMediaType`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const customer = await client.customers.update('673f0c2a9b1d4e8f7a6c5b4d', {
   *   name: 'Bakkerij De Gouden Korst BV',
   * });
   * ```
   */
  update(customerId: string, body: contract.UpdateCustomerRequest = {}, options?: CallOptions): ApiPromise<contract.Customer> {
    return this.#caller.call('updateCustomer', 'patch', ['/customers/', { customerId }], options, { body });
  }

  /**
   * Archive customer.
   *
   * Archives a customer: it is no longer listed or found, its bank accounts and payroll
   * providers are closed, and its enterprise number and IBANs are free again. Files that were
   * received stay stored.
   *
   * `archiveCustomer`: `DELETE /customers/{customerId}`, scope `customers:delete`.
   *
   * @param customerId The customer's `id`.
   * @param options Can cancel the call or limit its time.
   * @returns The customer is archived.
   * @throws {ApiError}
   * 400 `validationFailed`, `unknownField`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 404 `notFound`
   * 405 `methodNotAllowed`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const confirmation = await client.customers.archive('673f0c2a9b1d4e8f7a6c5b4d');
   * ```
   */
  archive(customerId: string, options?: CallOptions): ApiPromise<contract.Confirmation> {
    return this.#caller.call('archiveCustomer', 'delete', ['/customers/', { customerId }], options);
  }

  /**
   * Add bank account.
   *
   * Links a bank account to a customer, which creates its mandate and asks the contact to sign
   * it. Spaces in the IBAN are removed and letters uppercased. No body is sent. Adding an
   * account that the customer already has returns it.
   *
   * `addBankAccount`: `POST /customers/{customerId}/bank-accounts/{iban}`, scope
   * `customers:write`.
   *
   * @param customerId The customer's `id`.
   * @param iban The IBAN; spaces are removed and letters uppercased before use.
   * @param options Can cancel the call or limit its time.
   * @returns The bank account.
   * @throws {ApiError}
   * 400 `invalidIban`, `validationFailed`, `unknownField`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 404 `notFound`
   * 405 `methodNotAllowed`
   * 409 `ibanInUse`, `tooManyUnsignedLinks`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const bankAccount = await client.customers.addBankAccount('673f0c2a9b1d4e8f7a6c5b4d', 'BE71096123456769');
   * ```
   */
  addBankAccount(customerId: string, iban: string, options?: CallOptions): ApiPromise<contract.BankAccount> {
    return this.#caller.call('addBankAccount', 'post', ['/customers/', { customerId }, '/bank-accounts/', { iban }], options, { idempotent: true });
  }

  /**
   * Disable bank account.
   *
   * Disables a bank account: it disappears from the customer's `bankAccounts`, its mandate is
   * closed, and the IBAN is free again.
   *
   * `disableBankAccount`: `DELETE /customers/{customerId}/bank-accounts/{iban}`, scope
   * `customers:delete`.
   *
   * @param customerId The customer's `id`.
   * @param iban The IBAN; spaces are removed and letters uppercased before use.
   * @param options Can cancel the call or limit its time.
   * @returns The bank account is disabled.
   * @throws {ApiError}
   * 400 `invalidIban`, `validationFailed`, `unknownField`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 404 `notFound`
   * 405 `methodNotAllowed`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const confirmation = await client.customers.disableBankAccount('673f0c2a9b1d4e8f7a6c5b4d', 'BE71096123456769');
   * ```
   */
  disableBankAccount(customerId: string, iban: string, options?: CallOptions): ApiPromise<contract.Confirmation> {
    return this.#caller.call('disableBankAccount', 'delete', ['/customers/', { customerId }, '/bank-accounts/', { iban }], options);
  }

  /**
   * Add payroll provider.
   *
   * Links a payroll provider to a customer, which creates its mandate and asks the contact to
   * sign it. `code` is a code of *List payroll providers*. No body is sent. Adding a provider
   * that the customer already has returns it.
   *
   * `addPayrollProvider`: `POST /customers/{customerId}/payroll-providers/{code}`, scope
   * `customers:write`.
   *
   * @param customerId The customer's `id`.
   * @param code The payroll provider's `code`, from *List payroll providers*.
   * @param options Can cancel the call or limit its time.
   * @returns The payroll provider.
   * @throws {ApiError}
   * 400 `unknownPayrollProvider`, `validationFailed`, `unknownField`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 404 `notFound`
   * 405 `methodNotAllowed`
   * 409 `tooManyUnsignedLinks`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const payrollProvider = await client.customers.addPayrollProvider('673f0c2a9b1d4e8f7a6c5b4d', 'sdworx');
   * ```
   */
  addPayrollProvider(customerId: string, code: string, options?: CallOptions): ApiPromise<contract.PayrollProvider> {
    return this.#caller.call('addPayrollProvider', 'post', ['/customers/', { customerId }, '/payroll-providers/', { code }], options, { idempotent: true });
  }

  /**
   * Remove payroll provider.
   *
   * Removes a payroll provider from a customer: it disappears from `payrollProviders` and its
   * mandate is closed.
   *
   * `removePayrollProvider`: `DELETE /customers/{customerId}/payroll-providers/{code}`, scope
   * `customers:delete`.
   *
   * @param customerId The customer's `id`.
   * @param code The payroll provider's `code`, from *List payroll providers*.
   * @param options Can cancel the call or limit its time.
   * @returns The payroll provider is removed.
   * @throws {ApiError}
   * 400 `validationFailed`, `unknownField`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 404 `notFound`
   * 405 `methodNotAllowed`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const confirmation = await client.customers.removePayrollProvider('673f0c2a9b1d4e8f7a6c5b4d', 'sdworx');
   * ```
   */
  removePayrollProvider(customerId: string, code: string, options?: CallOptions): ApiPromise<contract.Confirmation> {
    return this.#caller.call('removePayrollProvider', 'delete', ['/customers/', { customerId }, '/payroll-providers/', { code }], options);
  }
}

/** `client.payrollProviders` */
export class PayrollProviders {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * List payroll providers.
   *
   * The payroll providers (social secretariats) that a customer can be linked to, sorted by
   * code. The code `***other***` stands for a provider that the service does not handle.
   *
   * `listPayrollProviders`: `POST /payroll-providers`, scope `customers:read`.
   *
   * @param body The page.
   * @param options Can cancel the call or limit its time.
   * @returns One page of payroll providers.
   * @throws {ApiError}
   * 400 `unknownField`, `validationFailed`, `invalidJson`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 405 `methodNotAllowed`
   * 413 `payloadTooLarge`
   * 415 `unsupportedMediaType`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * for await (const payrollProvider of client.payrollProviders.list()) {
   *   console.log(payrollProvider);
   * }
   * ```
   */
  list(body: contract.ListPayrollProvidersRequest = {}, options?: CallOptions): Page<contract.PayrollProvider> {
    return this.#caller.page('listPayrollProviders', ['/payroll-providers'], body, options);
  }
}

/** `client.banks` */
export class Banks {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * List banks.
   *
   * Belgian banks, sorted by name. `codaSupported` tells whether a CODA mandate can be requested
   * at the bank.
   *
   * `listBanks`: `POST /banks`, scope `customers:read`.
   *
   * @param body The page.
   * @param options Can cancel the call or limit its time.
   * @returns One page of banks.
   * @throws {ApiError}
   * 400 `unknownField`, `validationFailed`, `invalidJson`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 405 `methodNotAllowed`
   * 413 `payloadTooLarge`
   * 415 `unsupportedMediaType`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * for await (const bank of client.banks.list()) {
   *   console.log(bank);
   * }
   * ```
   */
  list(body: contract.ListBanksRequest = {}, options?: CallOptions): Page<contract.Bank> {
    return this.#caller.page('listBanks', ['/banks'], body, options);
  }
}

/** `client.mandates` */
export class Mandates {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Search mandates.
   *
   * Searches the mandates of the customers the user may access, one page at a time. Mandates with
   * status `finished` are left out unless `includeFinished` is true, also where `status` names
   * `finished`; `@adx/client` then sends it by itself. Those whose account or provider is no longer
   * linked are never listed.
   *
   * Mandates with the same value are sorted by `id`, in the same direction. Those without a value,
   * such as CODB mandates sorted by `ibanNumber`, come last when ascending and first when descending.
   *
   * To poll for changes, send the greatest `updatedOn` seen so far as `updatedSince`, with
   * `includeFinished` true. Changes become visible in the order of `updatedOn`, so that none is
   * missed; the mandate it was taken from comes again.
   *
   * `searchMandates`: `POST /mandates`, scope `mandates:read`.
   *
   * @param body Filters, order and page; all filters must match.
   * @param options Can cancel the call or limit its time.
   * @returns One page of mandates.
   * @throws {ApiError}
   * 400 `unknownField`, `validationFailed`, `invalidJson`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 405 `methodNotAllowed`
   * 413 `payloadTooLarge`
   * 415 `unsupportedMediaType`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * for await (const mandate of client.mandates.search({
   *   updatedSince: '2026-03-02T08:00:00+01:00',
   *   includeFinished: true,
   *   sort: 'updatedOn',
   *   sortDirection: 'asc',
   * })) {
   *   console.log(mandate);
   * }
   * ```
   */
  search(body: contract.SearchMandatesRequest = {}, options?: CallOptions): Page<contract.Mandate> {
    return this.#caller.page('searchMandates', ['/mandates'], body, options);
  }

  /**
   * Get mandate.
   *
   * One mandate: where it stands, what it is for, and why it is in `error`. When its bank account or
   * payroll provider is no longer linked to the customer, the answer is `404`.
   *
   * `getMandate`: `GET /mandates/{mandateId}`, scope `mandates:read`.
   *
   * @param mandateId The mandate's `id`.
   * @param options Can cancel the call or limit its time.
   * @returns The mandate.
   * @throws {ApiError}
   * 400 `validationFailed`, `unknownField`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 404 `notFound`
   * 405 `methodNotAllowed`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const mandate = await client.mandates.get('6740a1f2c3d4e5f6a7b8c9d0');
   * ```
   */
  get(mandateId: string, options?: CallOptions): ApiPromise<contract.Mandate> {
    return this.#caller.call('getMandate', 'get', ['/mandates/', { mandateId }], options);
  }

  /**
   * Request mandate.
   *
   * Asks the contact to sign again, when the mandate is `expired`, `rejectedBySigner`,
   * `renewalRequired` or in `error`: it is `created` again, and a new message goes to the contact's
   * present address. A consent whose `renewal` is `declined` or `undeliverable` stays `finished`, and
   * its `renewal` is `offered` again. In every other status the answer is `409 mandateNotRequestable`, also when
   * another call has just requested it. No body is sent.
   *
   * `requestMandate`: `POST /mandates/{mandateId}/request`, scope `mandates:write`.
   *
   * @param mandateId The mandate's `id`.
   * @param options Can cancel the call or limit its time. `headers`: `Idempotency-Key`: Makes
   *   the call safe to repeat: a new key for each call, such as a UUID, and the same key again
   *   when the outcome is unknown. A repetition gets the first answer again and does nothing.
   * @returns The mandate, requested again.
   * @throws {ApiError}
   * 400 `validationFailed`, `unknownField`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 404 `notFound`
   * 405 `methodNotAllowed`
   * 409 `mandateNotRequestable`, `idempotencyKeyInUse`
   * 422 `idempotencyKeyReused`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const mandate = await client.mandates.request('6740a1f2c3d4e5f6a7b8c9d0');
   * ```
   */
  request(mandateId: string, options?: CallOptions & { headers?: contract.RequestMandateHeaders }): ApiPromise<contract.Mandate> {
    return this.#caller.call('requestMandate', 'post', ['/mandates/', { mandateId }, '/request'], options, { headers: options?.headers, idempotencyKey: true });
  }
}

/** `client.codaFiles` */
export class CodaFiles {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * List CODA files.
   *
   * The bank statements of the customers the user may access, grouped by customer, then by IBAN,
   * currency and statement year. Files already acknowledged with this API key and user are hidden
   * unless `redownload` is true. Not paginated: the answer is streamed.
   *
   * The files of a customer that was transferred to another firm stay listed for the firm that
   * received them, although that firm does not find the customer any more.
   *
   * `listCodaFiles`: `POST /coda-files`, scope `files:read`.
   *
   * @param body Filters; all must match.
   * @param options Can cancel the call or limit its time.
   * @returns The files, grouped by customer.
   * @throws {ApiError}
   * 400 `unknownField`, `validationFailed`, `invalidJson`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 405 `methodNotAllowed`
   * 413 `payloadTooLarge`
   * 415 `unsupportedMediaType`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const codaCustomerGroups = await client.codaFiles.list({
   *   iban: 'BE71 0961 2345 6769',
   *   statementDate: { from: '2026-03-01', to: '2026-03-31' },
   *   redownload: true,
   *   includePdf: true,
   * });
   * ```
   */
  list(body: contract.ListCodaFilesRequest = {}, options?: CallOptions): ApiPromise<contract.CodaCustomerGroup[]> {
    return this.#caller.call('listCodaFiles', 'post', ['/coda-files'], options, { body, fileName: /^[A-Za-z0-9][A-Za-z0-9_-]{4,}[.][a-z]+$/u, idempotent: true });
  }

  /**
   * Acknowledge CODA file.
   *
   * Confirms that the file was received: it is no longer listed for the same API key and user
   * unless `redownload` is true. Acknowledging twice is fine. The file is not deleted.
   *
   * `acknowledgeCodaFile`: `DELETE /coda-files/{fileId}`, scope `files:read`.
   *
   * @param fileId The file's `id` from the listing.
   * @param options Can cancel the call or limit its time.
   * @returns The file is acknowledged.
   * @throws {ApiError}
   * 400 `validationFailed`, `unknownField`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 404 `notFound`
   * 405 `methodNotAllowed`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const confirmation = await client.codaFiles.acknowledge('6741b2c3d4e5f6a7b8c9d0e1');
   * ```
   */
  acknowledge(fileId: string, options?: CallOptions): ApiPromise<contract.Confirmation> {
    return this.#caller.call('acknowledgeCodaFile', 'delete', ['/coda-files/', { fileId }], options);
  }

  /**
   * Acknowledge CODA files.
   *
   * Confirms that up to 500 files were received, as *Acknowledge CODA file* does for one. Files
   * that do not exist, or that the user may not see, are returned in `notFound`, and the others are
   * acknowledged nevertheless.
   *
   * `acknowledgeCodaFiles`: `POST /coda-files/acknowledgements`, scope `files:read`.
   *
   * @param body The files to acknowledge.
   * @param options Can cancel the call or limit its time.
   * @returns The files that exist are acknowledged.
   * @throws {ApiError}
   * 400 `unknownField`, `validationFailed`, `invalidJson`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 405 `methodNotAllowed`
   * 413 `payloadTooLarge`
   * 415 `unsupportedMediaType`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const acknowledgedFiles = await client.codaFiles.acknowledgeMany({
   *   fileIds: ['6741b2c3d4e5f6a7b8c9d0e1', '6741b2c3d4e5f6a7b8c9d0e3'],
   * });
   * ```
   */
  acknowledgeMany(body: contract.AcknowledgeFilesRequest, options?: CallOptions): ApiPromise<contract.AcknowledgedFiles> {
    return this.#caller.call('acknowledgeCodaFiles', 'post', ['/coda-files/acknowledgements'], options, { body, idempotent: true });
  }

  /**
   * List missing statements.
   *
   * The statements that are missing among the listed CODA files of the customers the user may access, one page at a
   * time, the most recently detected first. The service follows the numbers, balances and dates of
   * each account. A record is listed until the statements that it stands for arrive.
   *
   * `listMissingStatements`: `POST /coda-files/missing`, scope `files:read`.
   *
   * @param body Filters and page; all filters must match.
   * @param options Can cancel the call or limit its time.
   * @returns One page of what is missing.
   * @throws {ApiError}
   * 400 `unknownField`, `validationFailed`, `invalidJson`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 405 `methodNotAllowed`
   * 413 `payloadTooLarge`
   * 415 `unsupportedMediaType`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * for await (const missingStatements of client.codaFiles.missing()) {
   *   console.log(missingStatements);
   * }
   * ```
   */
  missing(body: contract.ListMissingStatementsRequest = {}, options?: CallOptions): Page<contract.MissingStatements> {
    return this.#caller.page('listMissingStatements', ['/coda-files/missing'], body, options);
  }

  /**
   * Get CODA upload credentials.
   *
   * Temporary S3 credentials that allow putting CODA files under `<bucketName>/<prefix>/`, and
   * nothing else. *List uploads* shows what became of a file. No body is sent.
   *
   * `getCodaUploadCredentials`: `POST /coda-files/upload-credentials`, scope `files:write`.
   *
   * @param options Can cancel the call or limit its time.
   * @returns The credentials.
   * @throws {ApiError}
   * 400 `unknownField`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 405 `methodNotAllowed`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const uploadCredentials = await client.codaFiles.uploadCredentials();
   * ```
   */
  uploadCredentials(options?: CallOptions): ApiPromise<contract.UploadCredentials> {
    return this.#caller.call('getCodaUploadCredentials', 'post', ['/coda-files/upload-credentials'], options, { idempotent: true });
  }
}

/** `client.codbFiles` */
export class CodbFiles {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * List CODB files.
   *
   * The payroll files of the customers the user may access, grouped by customer, then by payroll
   * provider and year. Files already acknowledged with this API key and user are hidden unless
   * `redownload` is true. Not paginated: the answer is streamed. Files arrive in the morning.
   *
   * The files of a customer that was transferred to another firm stay listed for the firm that
   * received them, although that firm does not find the customer any more.
   *
   * `listCodbFiles`: `POST /codb-files`, scope `files:read`.
   *
   * @param body Filters; all must match.
   * @param options Can cancel the call or limit its time.
   * @returns The files, grouped by customer.
   * @throws {ApiError}
   * 400 `unknownField`, `validationFailed`, `invalidJson`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 405 `methodNotAllowed`
   * 413 `payloadTooLarge`
   * 415 `unsupportedMediaType`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const codbCustomerGroups = await client.codbFiles.list({
   *   accountPeriod: 202602,
   *   payrollProvider: 'SD Worx',
   * });
   * ```
   */
  list(body: contract.ListCodbFilesRequest = {}, options?: CallOptions): ApiPromise<contract.CodbCustomerGroup[]> {
    return this.#caller.call('listCodbFiles', 'post', ['/codb-files'], options, { body, fileName: /^[A-Za-z0-9][A-Za-z0-9_-]{4,}[.][a-z]+$/u, idempotent: true });
  }

  /**
   * Acknowledge CODB file.
   *
   * Confirms that the file was received: it is no longer listed for the same API key and user
   * unless `redownload` is true. Acknowledging twice is fine. The file is not deleted.
   *
   * `acknowledgeCodbFile`: `DELETE /codb-files/{fileId}`, scope `files:read`.
   *
   * @param fileId The file's `id` from the listing.
   * @param options Can cancel the call or limit its time.
   * @returns The file is acknowledged.
   * @throws {ApiError}
   * 400 `validationFailed`, `unknownField`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 404 `notFound`
   * 405 `methodNotAllowed`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const confirmation = await client.codbFiles.acknowledge('6741b2c3d4e5f6a7b8c9d0e1');
   * ```
   */
  acknowledge(fileId: string, options?: CallOptions): ApiPromise<contract.Confirmation> {
    return this.#caller.call('acknowledgeCodbFile', 'delete', ['/codb-files/', { fileId }], options);
  }

  /**
   * Acknowledge CODB files.
   *
   * Confirms that up to 500 files were received, as *Acknowledge CODB file* does for one. Files
   * that do not exist, or that the user may not see, are returned in `notFound`, and the others are
   * acknowledged nevertheless.
   *
   * `acknowledgeCodbFiles`: `POST /codb-files/acknowledgements`, scope `files:read`.
   *
   * @param body The files to acknowledge.
   * @param options Can cancel the call or limit its time.
   * @returns The files that exist are acknowledged.
   * @throws {ApiError}
   * 400 `unknownField`, `validationFailed`, `invalidJson`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 405 `methodNotAllowed`
   * 413 `payloadTooLarge`
   * 415 `unsupportedMediaType`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const acknowledgedFiles = await client.codbFiles.acknowledgeMany({
   *   fileIds: ['6741b2c3d4e5f6a7b8c9d0e2', '6741b2c3d4e5f6a7b8c9d0e4'],
   * });
   * ```
   */
  acknowledgeMany(body: contract.AcknowledgeFilesRequest, options?: CallOptions): ApiPromise<contract.AcknowledgedFiles> {
    return this.#caller.call('acknowledgeCodbFiles', 'post', ['/codb-files/acknowledgements'], options, { body, idempotent: true });
  }

  /**
   * Get CODB upload credentials.
   *
   * Temporary S3 credentials that allow putting CODB files under `<bucketName>/<prefix>/`, and
   * nothing else. Uploading must be enabled for the firm, otherwise the answer is
   * `403 upload_not_allowed`. *List uploads* shows what became of a file. No body is sent.
   *
   * `getCodbUploadCredentials`: `POST /codb-files/upload-credentials`, scope `files:write`.
   *
   * @param options Can cancel the call or limit its time.
   * @returns The credentials.
   * @throws {ApiError}
   * 400 `unknownField`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`, `upload_not_allowed`
   * 405 `methodNotAllowed`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const uploadCredentials = await client.codbFiles.uploadCredentials();
   * ```
   */
  uploadCredentials(options?: CallOptions): ApiPromise<contract.UploadCredentials> {
    return this.#caller.call('getCodbUploadCredentials', 'post', ['/codb-files/upload-credentials'], options, { idempotent: true });
  }
}

/** `client.uploads` */
export class Uploads {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * List uploads.
   *
   * The uploads that the user may see, the latest first, each with its outcome. Filters are combined:
   * an upload must match all of them. Of the files and findings of an upload, the first 10 are shown;
   * *Get upload* shows more.
   *
   * To wait for the outcome of several uploads, poll this list rather than each upload, with
   * `receivedSince` and growing pauses.
   *
   * `listUploads`: `POST /uploads`, scope `files:write`.
   *
   * @param body Filters and page; all filters must match.
   * @param options Can cancel the call or limit its time.
   * @returns One page of uploads.
   * @throws {ApiError}
   * 400 `unknownField`, `validationFailed`, `invalidJson`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 405 `methodNotAllowed`
   * 413 `payloadTooLarge`
   * 415 `unsupportedMediaType`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * for await (const uploadRecord of client.uploads.list({
   *   status: ['rejected'],
   *   receivedSince: '2026-03-02T08:00:00+01:00',
   * })) {
   *   console.log(uploadRecord);
   * }
   * ```
   */
  list(body: contract.ListUploadsRequest = {}, options?: CallOptions): Page<contract.UploadRecord> {
    return this.#caller.page('listUploads', ['/uploads'], body, options, { fileName: /^[A-Za-z0-9][A-Za-z0-9_-]{4,}[.][a-z]+$/u });
  }

  /**
   * Get upload.
   *
   * One upload with its outcome, up to 1000 of its files and its findings.
   *
   * `getUpload`: `GET /uploads/{uploadId}`, scope `files:write`.
   *
   * @param uploadId The upload's `id` from the listing.
   * @param options Can cancel the call or limit its time.
   * @returns The upload.
   * @throws {ApiError}
   * 400 `validationFailed`, `unknownField`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 404 `notFound`
   * 405 `methodNotAllowed`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * const uploadRecord = await client.uploads.get('674052e5b8e3d2a9f1c47b10');
   * ```
   */
  get(uploadId: string, options?: CallOptions): ApiPromise<contract.UploadRecord> {
    return this.#caller.call('getUpload', 'get', ['/uploads/', { uploadId }], options, { fileName: /^[A-Za-z0-9][A-Za-z0-9_-]{4,}[.][a-z]+$/u });
  }
}

/** `client.auditEntries` */
export class AuditEntries {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * List audit entries.
   *
   * The entries of the audit trail that the user may see, the latest first. Filters are combined: an
   * entry must match all of them. A change has its entry at once, a read within a second.
   *
   * A call that lists all customers has one entry, without a customer. So whoever may see a customer has
   * also read it with each such call.
   *
   * `listAuditEntries`: `POST /audit-entries`, scope `audit:read`.
   *
   * @param body Filters and page; all filters must match.
   * @param options Can cancel the call or limit its time.
   * @returns One page of entries.
   * @throws {ApiError}
   * 400 `unknownField`, `validationFailed`, `invalidJson`
   * 401 `unauthorized`, `tokenExpired`, `portalOnly`
   * 403 `invalidApiKey`, `insufficientScope`
   * 405 `methodNotAllowed`
   * 413 `payloadTooLarge`
   * 415 `unsupportedMediaType`
   * 429 `tooManyRequests`
   * 500 `internalError`
   * 503 `unavailable`
   * @example
   * ```ts
   * for await (const auditEntry of client.auditEntries.list({
   *   customerId: '673f0c2a9b1d4e8f7a6c5b4d',
   *   occurredSince: '2026-03-01T00:00:00+01:00',
   *   occurredBefore: '2026-04-01T00:00:00+02:00',
   * })) {
   *   console.log(auditEntry);
   * }
   * ```
   */
  list(body: contract.ListAuditEntriesRequest = {}, options?: CallOptions): Page<contract.AuditEntry> {
    return this.#caller.page('listAuditEntries', ['/audit-entries'], body, options);
  }
}
