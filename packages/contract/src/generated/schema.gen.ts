// Generated from openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
  "/token": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Get or refresh token
     * @description Signs a user in, or refreshes the ID token. Only the API key is required.
     *
     *     With `username` and `password` the answer holds an `idToken` (1 hour) and a `refreshToken`
     *     (30 days). With `refreshToken` alone it holds a new `idToken` only; the refresh token stays
     *     in use. The password is sent encoded in Base64 (of its UTF-8 bytes); a plain-text password
     *     fails. A failed sign-in answers `500` with the identity provider's reason.
     */
    post: operations["getToken"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/hello-world": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Hello world
     * @description A connectivity check: answers when both the API key and the ID token are accepted.
     *     No scope is needed.
     */
    get: operations["helloWorld"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/customers": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List all customers
     * @description Every customer the user may access, as a plain array in the order of *Search customers*
     *     (name, then `id`). Not paginated: the answer is streamed, however long it is.
     */
    get: operations["listCustomers"];
    put?: never;
    /**
     * Search customers
     * @description Searches the customers the user may access, one page at a time, sorted by name
     *     (case-insensitive), then `id`. Filters are combined: a customer must match all of them.
     */
    post: operations["searchCustomers"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/customers/create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create customer
     * @description Registers a customer with its contact and, optionally, its bank accounts and payroll
     *     providers. A mandate is created for each of them, and one signature request is sent to the
     *     contact.
     *
     *     An enterprise number can be registered once in the whole service. When another accounting
     *     firm has registered it, the answer is `403 belongsToAnotherTenant`: a transfer requires the
     *     agreement of the end customer; contact support.
     *
     *     A customer created by a user who sees only assigned customers is assigned to that user.
     */
    post: operations["createCustomer"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/customers/{customerId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get customer
     * @description One customer with its active bank accounts and payroll providers.
     */
    get: operations["getCustomer"];
    put?: never;
    post?: never;
    /**
     * Archive customer
     * @description Archives a customer: it is no longer listed or found, its bank accounts and payroll
     *     providers are closed, and its enterprise number and IBANs are free again. Files that were
     *     received stay stored.
     */
    delete: operations["archiveCustomer"];
    options?: never;
    head?: never;
    /**
     * Update customer
     * @description Updates the fields that are sent, and only those; nested objects merge field by field.
     *     An empty string clears an optional field. A body without a field to change only reads the
     *     customer: an API key without `customers:read` gets `403 insufficientScope`.
     *
     *     If the e-mail address of the contact changes, pending signature requests are sent to the new
     *     address, once it has not changed for 30 seconds. For each request an address gets one message.
     *
     *     `enterpriseNumber` cannot be changed. Bank accounts and payroll providers are changed by
     *     their own operations only.
     */
    patch: operations["updateCustomer"];
    trace?: never;
  };
  "/customers/{customerId}/bank-accounts/{iban}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Add bank account
     * @description Links a bank account to a customer, which creates its mandate and asks the contact to sign
     *     it. Spaces in the IBAN are removed and letters uppercased. No body is sent. Adding an
     *     account that the customer already has returns it.
     */
    post: operations["addBankAccount"];
    /**
     * Disable bank account
     * @description Disables a bank account: it disappears from the customer's `bankAccounts`, its mandate is
     *     closed, and the IBAN is free again.
     */
    delete: operations["disableBankAccount"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/customers/{customerId}/payroll-providers/{code}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Add payroll provider
     * @description Links a payroll provider to a customer, which creates its mandate and asks the contact to
     *     sign it. `code` is a code of *List payroll providers*. No body is sent. Adding a provider
     *     that the customer already has returns it.
     */
    post: operations["addPayrollProvider"];
    /**
     * Remove payroll provider
     * @description Removes a payroll provider from a customer: it disappears from `payrollProviders` and its
     *     mandate is closed.
     */
    delete: operations["removePayrollProvider"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/payroll-providers": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * List payroll providers
     * @description The payroll providers (social secretariats) that a customer can be linked to, sorted by
     *     code. The code `***other***` stands for a provider that the service does not handle.
     */
    post: operations["listPayrollProviders"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/banks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * List banks
     * @description Belgian banks, sorted by name. `codaSupported` tells whether a CODA mandate can be requested
     *     at the bank.
     */
    post: operations["listBanks"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/mandates": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search mandates
     * @description Searches the mandates of the customers the user may access, one page at a time. Mandates with
     *     status `finished` are left out unless `includeFinished` is true, also where `status` names
     *     `finished`; `@adx/client` then sends it by itself. Those whose account or provider is no longer
     *     linked are never listed.
     *
     *     Mandates with the same value are sorted by `id`, in the same direction. Those without a value,
     *     such as CODB mandates sorted by `ibanNumber`, come last when ascending and first when descending.
     *
     *     To poll for changes, send the greatest `updatedOn` seen so far as `updatedSince`, with
     *     `includeFinished` true. Changes become visible in the order of `updatedOn`, so that none is
     *     missed; the mandate it was taken from comes again.
     */
    post: operations["searchMandates"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/mandates/{mandateId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get mandate
     * @description One mandate: where it stands, what it is for, and why it is in `error`. When its bank account or
     *     payroll provider is no longer linked to the customer, the answer is `404`.
     */
    get: operations["getMandate"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/mandates/{mandateId}/request": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Request mandate
     * @description Asks the contact to sign again, when the mandate is `expired`, `rejectedBySigner`,
     *     `renewalRequired` or in `error`: it is `created` again, and a new message goes to the contact's
     *     present address. A consent whose `renewal` is `declined` or `undeliverable` stays `finished`, and
     *     its `renewal` is `offered` again. In every other status the answer is `409 mandateNotRequestable`, also when
     *     another call has just requested it. No body is sent.
     */
    post: operations["requestMandate"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/coda-files": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * List CODA files
     * @description The bank statements of the customers the user may access, grouped by customer, then by IBAN,
     *     currency and statement year. Files already acknowledged with this API key and user are hidden
     *     unless `redownload` is true. Not paginated: the answer is streamed.
     *
     *     The files of a customer that was transferred to another firm stay listed for the firm that
     *     received them, although that firm does not find the customer any more.
     */
    post: operations["listCodaFiles"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/coda-files/{fileId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Acknowledge CODA file
     * @description Confirms that the file was received: it is no longer listed for the same API key and user
     *     unless `redownload` is true. Acknowledging twice is fine. The file is not deleted.
     */
    delete: operations["acknowledgeCodaFile"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/coda-files/acknowledgements": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Acknowledge CODA files
     * @description Confirms that up to 500 files were received, as *Acknowledge CODA file* does for one. Files
     *     that do not exist, or that the user may not see, are returned in `notFound`, and the others are
     *     acknowledged nevertheless.
     */
    post: operations["acknowledgeCodaFiles"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/coda-files/missing": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * List missing statements
     * @description The statements that are missing among the listed CODA files of the customers the user may access, one page at a
     *     time, the most recently detected first. The service follows the numbers, balances and dates of
     *     each account. A record is listed until the statements that it stands for arrive.
     */
    post: operations["listMissingStatements"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/coda-files/upload-credentials": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Get CODA upload credentials
     * @description Temporary S3 credentials that allow putting CODA files under `<bucketName>/<prefix>/`, and
     *     nothing else. *List uploads* shows what became of a file. No body is sent.
     */
    post: operations["getCodaUploadCredentials"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/codb-files": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * List CODB files
     * @description The payroll files of the customers the user may access, grouped by customer, then by payroll
     *     provider and year. Files already acknowledged with this API key and user are hidden unless
     *     `redownload` is true. Not paginated: the answer is streamed. Files arrive in the morning.
     *
     *     The files of a customer that was transferred to another firm stay listed for the firm that
     *     received them, although that firm does not find the customer any more.
     */
    post: operations["listCodbFiles"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/codb-files/{fileId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Acknowledge CODB file
     * @description Confirms that the file was received: it is no longer listed for the same API key and user
     *     unless `redownload` is true. Acknowledging twice is fine. The file is not deleted.
     */
    delete: operations["acknowledgeCodbFile"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/codb-files/acknowledgements": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Acknowledge CODB files
     * @description Confirms that up to 500 files were received, as *Acknowledge CODB file* does for one. Files
     *     that do not exist, or that the user may not see, are returned in `notFound`, and the others are
     *     acknowledged nevertheless.
     */
    post: operations["acknowledgeCodbFiles"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/codb-files/upload-credentials": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Get CODB upload credentials
     * @description Temporary S3 credentials that allow putting CODB files under `<bucketName>/<prefix>/`, and
     *     nothing else. Uploading must be enabled for the firm, otherwise the answer is
     *     `403 upload_not_allowed`. *List uploads* shows what became of a file. No body is sent.
     */
    post: operations["getCodbUploadCredentials"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/uploads": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * List uploads
     * @description The uploads that the user may see, the latest first, each with its outcome. Filters are combined:
     *     an upload must match all of them. Of the files and findings of an upload, the first 10 are shown;
     *     *Get upload* shows more.
     *
     *     To wait for the outcome of several uploads, poll this list rather than each upload, with
     *     `receivedSince` and growing pauses.
     */
    post: operations["listUploads"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/uploads/{uploadId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get upload
     * @description One upload with its outcome, up to 1000 of its files and its findings.
     */
    get: operations["getUpload"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/audit-entries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * List audit entries
     * @description The entries of the audit trail that the user may see, the latest first. Filters are combined: an
     *     entry must match all of them. A change has its entry at once, a read within a second.
     *
     *     A call that lists all customers has one entry, without a customer. So whoever may see a customer has
     *     also read it with each such call.
     */
    post: operations["listAuditEntries"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    ErrorBody: ErrorBody;
    ErrorDetail: ErrorDetail;
    ErrorCode: ErrorCode;
    TokenFailure: TokenFailure;
    Confirmation: Confirmation;
    TokenRequest: TokenRequest;
    SignInRequest: SignInRequest;
    RefreshRequest: RefreshRequest;
    Tokens: Tokens;
    Customer: Customer;
    Address: Address;
    Contact: Contact;
    Language: Language;
    BankAccount: BankAccount;
    PayrollProvider: PayrollProvider;
    CreateCustomerRequest: CreateCustomerRequest;
    NewAddress: NewAddress;
    NewContact: NewContact;
    NewBankAccount: NewBankAccount;
    NewPayrollProvider: NewPayrollProvider;
    UpdateCustomerRequest: UpdateCustomerRequest;
    AddressChange: AddressChange;
    ContactChange: ContactChange;
    CustomerPage: CustomerPage;
    SearchCustomersRequest: SearchCustomersRequest;
    PayrollProviderPage: PayrollProviderPage;
    ListPayrollProvidersRequest: ListPayrollProvidersRequest;
    BankPage: BankPage;
    ListBanksRequest: ListBanksRequest;
    Bank: Bank;
    MandatePage: MandatePage;
    Mandate: Mandate;
    CodaMandate: CodaMandate;
    CodbMandate: CodbMandate;
    MandateError: MandateError;
    MandateStatus: MandateStatus;
    Product: Product;
    SearchMandatesRequest: SearchMandatesRequest;
    DateRange: DateRange;
    NumberRange: NumberRange;
    ListCodaFilesRequest: ListCodaFilesRequest;
    ListCodbFilesRequest: ListCodbFilesRequest;
    CodaCustomerGroup: CodaCustomerGroup;
    CodaIbanGroup: CodaIbanGroup;
    ListMissingStatementsRequest: ListMissingStatementsRequest;
    MissingStatementsKind: MissingStatementsKind;
    MissingStatementsPage: MissingStatementsPage;
    MissingStatements: MissingStatements;
    CodaFile: CodaFile;
    AcknowledgeFilesRequest: AcknowledgeFilesRequest;
    AcknowledgedFiles: AcknowledgedFiles;
    CodaFileUrls: CodaFileUrls;
    CodbCustomerGroup: CodbCustomerGroup;
    CodbProviderGroup: CodbProviderGroup;
    CodbFile: CodbFile;
    CodbFileUrls: CodbFileUrls;
    UploadCredentials: UploadCredentials;
    ListAuditEntriesRequest: ListAuditEntriesRequest;
    AuditEntryPage: AuditEntryPage;
    AuditEntry: AuditEntry;
    ListUploadsRequest: ListUploadsRequest;
    UploadPage: UploadPage;
    UploadRecord: UploadRecord;
    UploadStatus: UploadStatus;
    ListedUploadFile: ListedUploadFile;
    UploadFinding: UploadFinding;
    UploadFindingCode: UploadFindingCode;
  };
  responses: {
    /** The request was refused; nothing was done. */
    BadRequest: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** A parameter is malformed, or the query string has one that is unknown. */
    BadPath: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** The query string is not empty. */
    UnknownQuery: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** The request was refused, or neither form of credentials is complete. */
    TokenBadRequest: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** The request was refused; nothing was stored. */
    CreateCustomerBadRequest: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** The IBAN or the customer identifier is malformed, or the query string is not empty. */
    IbanBadRequest: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** The code is unknown, a path parameter is malformed, or the query string is not empty. */
    PayrollProviderBadRequest: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** The ID token is missing, not valid or expired, or its user may not use the interface. */
    Unauthorized: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** The API key is missing or not valid. */
    ApiKeyRefused: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** The API key is missing or not valid, or lacks the scope of the operation. */
    Forbidden: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** The API key is refused, or another firm has registered the enterprise number. */
    CreateCustomerForbidden: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** The API key is refused, or uploading is not enabled for the firm. */
    UploadForbidden: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** There is no such resource among those that the user may see. */
    NotFound: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** Another method was used on this path; the `Allow` header names those it has. */
    MethodNotAllowed: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        Allow: components["headers"]["Allow"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /**
     * The firm has the customer already, or an IBAN is in use, or nobody signed too many links of the
     *     firm; or a call with the same `Idempotency-Key` is not finished.
     */
    CreateCustomerConflict: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        "Retry-After": components["headers"]["RetryOfKey"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** The IBAN is an active bank account of another customer, or nobody signed too many links of the firm. */
    IbanInUse: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** The firm has too many bank accounts and payroll providers, or customers, without a signature. */
    TooManyUnsignedLinks: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /**
     * The status of the mandate does not allow a new request; or a call with the same `Idempotency-Key`
     *     is not finished.
     */
    MandateNotRequestable: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        "Retry-After": components["headers"]["RetryOfKey"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** The body is larger than 64 KiB. */
    PayloadTooLarge: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** The body is not JSON in UTF-8, or its `Content-Encoding` is none of `gzip`, `deflate` and `identity`. */
    UnsupportedMediaType: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** The `Idempotency-Key` was sent with another call before; nothing was done. */
    IdempotencyKeyReused: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** A limit is reached, which `RateLimit` names with `r=0`; nothing was done. */
    TooManyRequests: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** A failure of the server; the `requestId` finds it in the logs. */
    InternalError: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
    /** The sign-in failed: wrong credentials, an invalid refresh token, or a password that is not Base64-encoded. `error` holds the identity provider's reason; it is not a failure of the server. */
    TokenFailed: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        [name: string]: unknown;
      };
      content: {
        "application/json": TokenFailure;
      };
    };
    /** The database, the storage or the identity provider cannot be reached right now. */
    Unavailable: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ErrorBody;
      };
    };
  };
  parameters: {
    /**
     * The customer's `id`.
     * @example 673f0c2a9b1d4e8f7a6c5b4d
     */
    customerId: string;
    /**
     * The IBAN; spaces are removed and letters uppercased before use.
     * @example BE71096123456769
     */
    iban: string;
    /**
     * The payroll provider's `code`, from *List payroll providers*.
     * @example sdworx
     */
    payrollProviderCode: string;
    /**
     * The mandate's `id`.
     * @example 6740a1f2c3d4e5f6a7b8c9d0
     */
    mandateId: string;
    /**
     * The file's `id` from the listing.
     * @example 6741b2c3d4e5f6a7b8c9d0e1
     */
    fileId: string;
    /**
     * The upload's `id` from the listing.
     * @example 674052e5b8e3d2a9f1c47b10
     */
    uploadId: string;
    /**
     * Makes the call safe to repeat: a new key for each call, such as a UUID, and the same key again when
     *     the outcome is unknown. A repetition gets the first answer again and does nothing.
     * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
     */
    idempotencyKey: string;
  };
  requestBodies: never;
  headers: {
    /**
     * Identifies the request; the same value is the `requestId` of an error.
     * @example 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
     */
    "X-Request-Id": string;
    /**
     * Seconds to wait before the next try.
     * @example 12
     */
    "Retry-After": number;
    /**
     * Seconds to wait before the call is repeated. Present with `idempotencyKeyInUse` only.
     * @example 1
     */
    RetryOfKey: number;
    /**
     * For each limit of `RateLimit-Policy`, the calls that are left (`r`) and the seconds until it is
     *     renewed (`t`). Fewer calls may be left, because others are made at the same time. Absent if the
     *     API key was refused, and in some failures of the server.
     */
    RateLimit: string;
    /**
     * The limits that this call counts for: `q` calls in `w` seconds. `default` is for the calls of
     *     the API key for the firm of the user, `apiKey` for its sign-ins, and `refused` for its calls
     *     that are refused before their user is known. A refusal by another limit names that one too:
     *     `failedSignIns`, `conflicts`, or `concurrent`, whose `q` is a number of calls at the same time.
     *     Absent if `RateLimit` is.
     */
    "RateLimit-Policy": string;
    /**
     * The instant when the secret that was sent as `x-api-key` ends, ISO 8601 in UTC. Present if the operator
     *     gave the API key a new secret: put it in the place of this one before.
     * @example 2026-03-09T08:00:00.000Z
     */
    "X-Api-Key-Expires": string;
    /**
     * The scheme that is asked for; with `error="invalid_token"` where an ID token was sent.
     * @example Bearer error="invalid_token"
     */
    "WWW-Authenticate": string;
    /**
     * The methods that this path has.
     * @example GET, POST
     */
    Allow: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": TokenRequest;
      };
    };
    responses: {
      /** The tokens. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Tokens;
        };
      };
      400: components["responses"]["TokenBadRequest"];
      403: components["responses"]["ApiKeyRefused"];
      405: components["responses"]["MethodNotAllowed"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["TokenFailed"];
      503: components["responses"]["Unavailable"];
    };
  };
  helloWorld: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Both credentials are accepted. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Confirmation;
        };
      };
      400: components["responses"]["UnknownQuery"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["ApiKeyRefused"];
      405: components["responses"]["MethodNotAllowed"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  listCustomers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The customers. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Customer[];
        };
      };
      400: components["responses"]["UnknownQuery"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      405: components["responses"]["MethodNotAllowed"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  searchCustomers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": SearchCustomersRequest;
      };
    };
    responses: {
      /** One page of customers. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": CustomerPage;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      405: components["responses"]["MethodNotAllowed"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  createCustomer: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Makes the call safe to repeat: a new key for each call, such as a UUID, and the same key again when
         *     the outcome is unknown. A repetition gets the first answer again and does nothing.
         * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
         */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": CreateCustomerRequest;
      };
    };
    responses: {
      /** The customer. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Customer;
        };
      };
      400: components["responses"]["CreateCustomerBadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["CreateCustomerForbidden"];
      405: components["responses"]["MethodNotAllowed"];
      409: components["responses"]["CreateCustomerConflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      422: components["responses"]["IdempotencyKeyReused"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  getCustomer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * The customer's `id`.
         * @example 673f0c2a9b1d4e8f7a6c5b4d
         */
        customerId: components["parameters"]["customerId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The customer. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Customer;
        };
      };
      400: components["responses"]["BadPath"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      405: components["responses"]["MethodNotAllowed"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  archiveCustomer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * The customer's `id`.
         * @example 673f0c2a9b1d4e8f7a6c5b4d
         */
        customerId: components["parameters"]["customerId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The customer is archived. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Confirmation;
        };
      };
      400: components["responses"]["BadPath"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      405: components["responses"]["MethodNotAllowed"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  updateCustomer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * The customer's `id`.
         * @example 673f0c2a9b1d4e8f7a6c5b4d
         */
        customerId: components["parameters"]["customerId"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": UpdateCustomerRequest;
      };
    };
    responses: {
      /** The updated customer. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Customer;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      405: components["responses"]["MethodNotAllowed"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  addBankAccount: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * The customer's `id`.
         * @example 673f0c2a9b1d4e8f7a6c5b4d
         */
        customerId: components["parameters"]["customerId"];
        /**
         * The IBAN; spaces are removed and letters uppercased before use.
         * @example BE71096123456769
         */
        iban: components["parameters"]["iban"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The bank account. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": BankAccount;
        };
      };
      400: components["responses"]["IbanBadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      405: components["responses"]["MethodNotAllowed"];
      409: components["responses"]["IbanInUse"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  disableBankAccount: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * The customer's `id`.
         * @example 673f0c2a9b1d4e8f7a6c5b4d
         */
        customerId: components["parameters"]["customerId"];
        /**
         * The IBAN; spaces are removed and letters uppercased before use.
         * @example BE71096123456769
         */
        iban: components["parameters"]["iban"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The bank account is disabled. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Confirmation;
        };
      };
      400: components["responses"]["IbanBadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      405: components["responses"]["MethodNotAllowed"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  addPayrollProvider: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * The customer's `id`.
         * @example 673f0c2a9b1d4e8f7a6c5b4d
         */
        customerId: components["parameters"]["customerId"];
        /**
         * The payroll provider's `code`, from *List payroll providers*.
         * @example sdworx
         */
        code: components["parameters"]["payrollProviderCode"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The payroll provider. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": PayrollProvider;
        };
      };
      400: components["responses"]["PayrollProviderBadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      405: components["responses"]["MethodNotAllowed"];
      409: components["responses"]["TooManyUnsignedLinks"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  removePayrollProvider: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * The customer's `id`.
         * @example 673f0c2a9b1d4e8f7a6c5b4d
         */
        customerId: components["parameters"]["customerId"];
        /**
         * The payroll provider's `code`, from *List payroll providers*.
         * @example sdworx
         */
        code: components["parameters"]["payrollProviderCode"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The payroll provider is removed. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Confirmation;
        };
      };
      400: components["responses"]["BadPath"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      405: components["responses"]["MethodNotAllowed"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  listPayrollProviders: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": ListPayrollProvidersRequest;
      };
    };
    responses: {
      /** One page of payroll providers. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": PayrollProviderPage;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      405: components["responses"]["MethodNotAllowed"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  listBanks: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": ListBanksRequest;
      };
    };
    responses: {
      /** One page of banks. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": BankPage;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      405: components["responses"]["MethodNotAllowed"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  searchMandates: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": SearchMandatesRequest;
      };
    };
    responses: {
      /** One page of mandates. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": MandatePage;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      405: components["responses"]["MethodNotAllowed"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  getMandate: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * The mandate's `id`.
         * @example 6740a1f2c3d4e5f6a7b8c9d0
         */
        mandateId: components["parameters"]["mandateId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The mandate. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Mandate;
        };
      };
      400: components["responses"]["BadPath"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      405: components["responses"]["MethodNotAllowed"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  requestMandate: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Makes the call safe to repeat: a new key for each call, such as a UUID, and the same key again when
         *     the outcome is unknown. A repetition gets the first answer again and does nothing.
         * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
         */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path: {
        /**
         * The mandate's `id`.
         * @example 6740a1f2c3d4e5f6a7b8c9d0
         */
        mandateId: components["parameters"]["mandateId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The mandate, requested again. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Mandate;
        };
      };
      400: components["responses"]["BadPath"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      405: components["responses"]["MethodNotAllowed"];
      409: components["responses"]["MandateNotRequestable"];
      422: components["responses"]["IdempotencyKeyReused"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  listCodaFiles: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": ListCodaFilesRequest;
      };
    };
    responses: {
      /** The files, grouped by customer. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": CodaCustomerGroup[];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      405: components["responses"]["MethodNotAllowed"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  acknowledgeCodaFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * The file's `id` from the listing.
         * @example 6741b2c3d4e5f6a7b8c9d0e1
         */
        fileId: components["parameters"]["fileId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The file is acknowledged. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Confirmation;
        };
      };
      400: components["responses"]["BadPath"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      405: components["responses"]["MethodNotAllowed"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  acknowledgeCodaFiles: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": AcknowledgeFilesRequest;
      };
    };
    responses: {
      /** The files that exist are acknowledged. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": AcknowledgedFiles;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      405: components["responses"]["MethodNotAllowed"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  listMissingStatements: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": ListMissingStatementsRequest;
      };
    };
    responses: {
      /** One page of what is missing. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": MissingStatementsPage;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      405: components["responses"]["MethodNotAllowed"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  getCodaUploadCredentials: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The credentials. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": UploadCredentials;
        };
      };
      400: components["responses"]["UnknownQuery"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      405: components["responses"]["MethodNotAllowed"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  listCodbFiles: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": ListCodbFilesRequest;
      };
    };
    responses: {
      /** The files, grouped by customer. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": CodbCustomerGroup[];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      405: components["responses"]["MethodNotAllowed"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  acknowledgeCodbFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * The file's `id` from the listing.
         * @example 6741b2c3d4e5f6a7b8c9d0e1
         */
        fileId: components["parameters"]["fileId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The file is acknowledged. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Confirmation;
        };
      };
      400: components["responses"]["BadPath"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      405: components["responses"]["MethodNotAllowed"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  acknowledgeCodbFiles: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": AcknowledgeFilesRequest;
      };
    };
    responses: {
      /** The files that exist are acknowledged. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": AcknowledgedFiles;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      405: components["responses"]["MethodNotAllowed"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  getCodbUploadCredentials: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The credentials. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": UploadCredentials;
        };
      };
      400: components["responses"]["UnknownQuery"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["UploadForbidden"];
      405: components["responses"]["MethodNotAllowed"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  listUploads: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": ListUploadsRequest;
      };
    };
    responses: {
      /** One page of uploads. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": UploadPage;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      405: components["responses"]["MethodNotAllowed"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  getUpload: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * The upload's `id` from the listing.
         * @example 674052e5b8e3d2a9f1c47b10
         */
        uploadId: components["parameters"]["uploadId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The upload. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": UploadRecord;
        };
      };
      400: components["responses"]["BadPath"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      405: components["responses"]["MethodNotAllowed"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
  listAuditEntries: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": ListAuditEntriesRequest;
      };
    };
    responses: {
      /** One page of entries. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          "X-Api-Key-Expires": components["headers"]["X-Api-Key-Expires"];
          [name: string]: unknown;
        };
        content: {
          "application/json": AuditEntryPage;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      405: components["responses"]["MethodNotAllowed"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["InternalError"];
      503: components["responses"]["Unavailable"];
    };
  };
}
/** The body of every error. */
export type ErrorBody = {
  error: ErrorCode;
  /**
   * One sentence in English, for people. It may change; program against `error`.
   * @example The request holds fields that this operation does not know.
   */
  message: string;
  /**
   * Format: uuid. Identifies the request; quote it to support.
   * @example 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
   */
  requestId: string;
  /**
   * With `unknownField`, every unknown field, up to 100; nested ones dotted.
   * @example [
   *       "address.foo"
   *     ]
   */
  fields?: string[];
  /** With errors about values, what is wrong where, up to 100 findings. */
  details?: ErrorDetail[];
  /**
   * With `customerExists`, the customer of your firm, if the user may see it.
   * @example 673f0c2a9b1d4e8f7a6c5b4d
   */
  customerId?: string;
};
/** One finding about a value. */
export type ErrorDetail = {
  /**
   * The field, nested ones dotted, or the parameter; empty for the whole body.
   * @example contact.email
   */
  path: string;
  /**
   * The reason why it is refused.
   * @example must match format "email"
   */
  message: string;
};
/**
 * Stable codes of errors. Codes can be added; handle an unknown one by its status.
 * @example unknownField
 */
export type ErrorCode = "unknownField" | "validationFailed" | "invalidJson" | "missingCredentials" | "invalidEnterpriseNumber" | "invalidIban" | "unknownPayrollProvider" | "unauthorized" | "tokenExpired" | "portalOnly" | "invalidApiKey" | "insufficientScope" | "belongsToAnotherTenant" | "upload_not_allowed" | "notFound" | "methodNotAllowed" | "customerExists" | "ibanInUse" | "tooManyUnsignedLinks" | "mandateNotRequestable" | "idempotencyKeyInUse" | "payloadTooLarge" | "unsupportedMediaType" | "idempotencyKeyReused" | "tooManyRequests" | "internalError" | "unavailable";
/** A failed sign-in; `error` is the identity provider's reason. */
export type TokenFailure = {
  /**
   * The reason, in the words of the identity provider. That of the service says `Authentication failed` or `Invalid refresh token`; others have other words. `internalError` when the server itself failed.
   * @example Authentication failed
   * @example Account disabled
   */
  error: string;
  /**
   * One sentence in English, for people.
   * @example The username or password is wrong, or the password is not encoded in Base64.
   */
  message: string;
  /**
   * Format: uuid. Identifies the request; quote it to support.
   * @example 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
   */
  requestId: string;
};
/** Returned by actions that return no resource. */
export type Confirmation = {
  /**
   * The change that was made, in English.
   * @example The customer is archived.
   */
  message: string;
};
/** One of two forms. */
export type TokenRequest = SignInRequest | RefreshRequest;
/** Sign in with username and password. */
export type SignInRequest = {
  /**
   * The user's login.
   * @example els.maes@kantoor-maes.example
   */
  username: string;
  /**
   * Format: password. The user's password, encoded in Base64 (of its UTF-8 bytes); a plain-text password fails.
   * @example emVlci1nZWhlaW0tMjAyNg==
   */
  password: string;
};
/** Refresh the ID token. */
export type RefreshRequest = {
  /**
   * The refresh token of a previous sign-in.
   * @example adx_refresh_w1m4n5Zc0bq7uH2yq9r8tF3kVx6LdPsA
   */
  refreshToken: string;
};
/** The answer of the identity provider. */
export type Tokens = {
  /**
   * The ID token; send it as `Authorization: Bearer <ID_TOKEN>`. Valid for 1 hour.
   * @example eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiI2NzNmMGMyYSJ9.c2lnbmF0dXJl
   */
  idToken: string;
  /**
   * Only after a sign-in. Valid for 30 days; it stays in use when the ID token is refreshed.
   * @example adx_refresh_w1m4n5Zc0bq7uH2yq9r8tF3kVx6LdPsA
   */
  refreshToken?: string;
};
/** A client company of the accounting firm. Fields without a value are omitted; arrays are always present. */
export type Customer = {
  /**
   * Identifier of the customer.
   * @example 673f0c2a9b1d4e8f7a6c5b4d
   */
  id: string;
  /**
   * Belgian enterprise number without the country prefix; unique in the whole service.
   * @example 0765.432.146
   */
  enterpriseNumber: string;
  /**
   * Name of the company.
   * @example Bakkerij De Gouden Korst
   */
  name: string;
  /**
   * The partner's internal reference for the customer.
   * @example K-0042
   */
  accountingRef?: string;
  address: Address;
  contact: Contact;
  /**
   * Confidential customers are visible only to users with the Administrator access level.
   * @example false
   */
  isConfidential: boolean;
  /** Active bank accounts, in the order they were added. */
  bankAccounts: BankAccount[];
  /** Active payroll providers, in the order they were added. */
  payrollProviders: PayrollProvider[];
  /**
   * Format: date-time. When the customer was created, UTC.
   * @example 2026-03-02T08:15:30.120Z
   */
  createdOn: string;
  /**
   * Format: date-time. When the customer last changed, its bank accounts and payroll providers included, UTC.
   * @example 2026-03-02T08:15:30.120Z
   */
  updatedOn: string;
};
/** Address of a customer. */
export type Address = {
  /**
   * Street and number.
   * @example Veldstraat 12
   */
  street: string;
  /**
   * Second line of the address.
   * @example bus 3
   */
  street2?: string;
  /**
   * Postal code.
   * @example 9000
   */
  zipCode: string;
  /**
   * Municipality.
   * @example Gent
   */
  municipality: string;
  /**
   * Country.
   * @example België
   */
  country: string;
};
/** The person to whom mandate signature requests are sent. */
export type Contact = {
  /**
   * Name of the person.
   * @example Jan Vermeulen
   */
  name: string;
  /**
   * Function of the person in the company.
   * @example Zaakvoerder
   */
  function: string;
  /**
   * Format: email. E-mail address; signature requests are sent to it.
   * @example jan@goudenkorst.example
   */
  email: string;
  language: Language;
};
/**
 * Language of the mails and the signing page.
 * @example nl
 */
export type Language = "fr" | "nl" | "de" | "en";
/** An active bank account of a customer. */
export type BankAccount = {
  /**
   * The IBAN, without spaces, in capitals.
   * @example BE71096123456769
   */
  iban: string;
  /**
   * Currency of the account, ISO 4217.
   * @example EUR
   */
  currency: string;
  /**
   * BIC derived from the IBAN, in groups; omitted when the bank is not known.
   * @example GKCC BE BB
   */
  bic?: string;
  /**
   * Name of the bank derived from the IBAN; omitted when the bank is not known.
   * @example BELFIUS BANK
   */
  bankName?: string;
  /**
   * Present only when the account is served through a light connector.
   * @example 3
   */
  connectorId?: number;
};
/** A payroll provider (social secretariat). */
export type PayrollProvider = {
  /**
   * Code of the provider; `***other***` means a provider that the service does not handle.
   * @example sdworx
   */
  code: string;
  /**
   * French name.
   * @example SD Worx Secrétariat Social
   */
  nameFr: string;
  /**
   * Dutch name.
   * @example SD Worx Sociaal Secretariaat
   */
  nameNl: string;
};
/** A new customer. */
export type CreateCustomerRequest = {
  /**
   * Belgian enterprise number without the country prefix; its check digits are validated.
   * @example 0765.432.146
   */
  enterpriseNumber: string;
  /**
   * Name of the company; not blank.
   * @example Bakkerij De Gouden Korst
   */
  name: string;
  /**
   * The partner's internal reference for the customer; an empty string when there is none.
   * @example K-0042
   */
  accountingRef: string;
  address: NewAddress;
  contact: NewContact;
  /** Bank accounts to link; naming one twice links it once. */
  bankAccounts?: NewBankAccount[];
  /** Payroll providers to link; naming one twice links it once. */
  payrollProviders?: NewPayrollProvider[];
};
/** Address of a new customer. */
export type NewAddress = {
  /**
   * Street and number.
   * @example Veldstraat 12
   */
  street: string;
  /**
   * Second line of the address.
   * @example bus 3
   */
  street2?: string;
  /**
   * Postal code.
   * @example 9000
   */
  zipCode: string;
  /**
   * Municipality.
   * @example Gent
   */
  municipality: string;
  /**
   * Country.
   * @example België
   */
  country: string;
};
/** Contact of a new customer; all fields are required. */
export type NewContact = {
  /**
   * Name of the person.
   * @example Jan Vermeulen
   */
  name: string;
  /**
   * Function of the person in the company.
   * @example Zaakvoerder
   */
  function: string;
  /**
   * Format: email. E-mail address; signature requests are sent to it.
   * @example jan@goudenkorst.example
   */
  email: string;
  language: Language;
};
/** A bank account to link. */
export type NewBankAccount = {
  /**
   * The IBAN; spaces are removed and letters uppercased before use.
   * @example BE71 0961 2345 6769
   */
  iban: string;
};
/** A payroll provider to link. */
export type NewPayrollProvider = {
  /**
   * A code of *List payroll providers*.
   * @example sdworx
   */
  code: string;
};
/** The fields to change; absent fields keep their value. */
export type UpdateCustomerRequest = {
  /**
   * Name of the company; not blank.
   * @example Bakkerij De Gouden Korst BV
   */
  name?: string;
  /**
   * The partner's internal reference for the customer; an empty string clears it.
   * @example K-0042
   */
  accountingRef?: string;
  address?: AddressChange;
  contact?: ContactChange;
};
/** The fields of the address to change. */
export type AddressChange = {
  /**
   * Street and number.
   * @example Veldstraat 12
   */
  street?: string;
  /**
   * Second line of the address. An empty string clears it.
   * @example bus 3
   */
  street2?: string;
  /**
   * Postal code.
   * @example 9000
   */
  zipCode?: string;
  /**
   * Municipality.
   * @example Gent
   */
  municipality?: string;
  /**
   * Country.
   * @example België
   */
  country?: string;
};
/** The fields of the contact to change. */
export type ContactChange = {
  /**
   * Name of the person.
   * @example Jan Vermeulen
   */
  name?: string;
  /**
   * Function of the person in the company.
   * @example Zaakvoerder
   */
  function?: string;
  /**
   * Format: email. E-mail address; signature requests are sent to it.
   * @example jan@goudenkorst.example
   */
  email?: string;
  language?: Language;
};
/** One page of customers. */
export type CustomerPage = {
  /** This page. */
  records: Customer[];
  /**
   * Records visible to the user, before filters.
   * @example 40
   */
  recordsTotal: number;
  /**
   * Records that match the filters.
   * @example 1
   */
  recordsFiltered: number;
};
/** Filters and page; all filters must match. */
export type SearchCustomersRequest = {
  /**
   * Text in the name, the enterprise number (with or without dots) or the accounting reference; upper and lower case are alike, `%` and `_` mean themselves.
   * @example bakkerij
   */
  search?: string;
  /**
   * Exact enterprise number.
   * @example 0765.432.146
   */
  enterpriseNumber?: string;
  /**
   * Exact accounting reference.
   * @example K-0042
   */
  accountingRef?: string;
  /**
   * Exact IBAN of an active bank account; spaces and case are ignored.
   * @example BE71 0961 2345 6769
   */
  iban?: string;
  /**
   * Length of a page; more than 200 counts as 200.
   * @default 50
   * @example 50
   */
  limit?: number;
  /**
   * How many records to skip; past the end the page is empty.
   * @default 0
   * @example 0
   */
  offset?: number;
};
/** One page of payroll providers. */
export type PayrollProviderPage = {
  /** This page. */
  records: PayrollProvider[];
  /**
   * Records visible to the user, before filters.
   * @example 40
   */
  recordsTotal: number;
  /**
   * Records that match the filters.
   * @example 1
   */
  recordsFiltered: number;
};
/** The page. */
export type ListPayrollProvidersRequest = {
  /**
   * Length of a page; more than 200 counts as 200.
   * @default 50
   * @example 50
   */
  limit?: number;
  /**
   * How many records to skip; past the end the page is empty.
   * @default 0
   * @example 0
   */
  offset?: number;
};
/** One page of banks. */
export type BankPage = {
  /** This page. */
  records: Bank[];
  /**
   * Records visible to the user, before filters.
   * @example 40
   */
  recordsTotal: number;
  /**
   * Records that match the filters.
   * @example 1
   */
  recordsFiltered: number;
};
/** The page. */
export type ListBanksRequest = {
  /**
   * Length of a page; more than 200 counts as 200.
   * @default 50
   * @example 50
   */
  limit?: number;
  /**
   * How many records to skip; past the end the page is empty.
   * @default 0
   * @example 0
   */
  offset?: number;
};
/** A Belgian bank. */
export type Bank = {
  /**
   * The BIC, in groups.
   * @example GKCC BE BB
   */
  bic: string;
  /**
   * Name of the bank.
   * @example BELFIUS BANK
   */
  name: string;
  /**
   * True if a CODA mandate can be requested at this bank.
   * @example true
   */
  codaSupported: boolean;
  /**
   * Present only when the bank is served through a light connector.
   * @example 3
   */
  connectorId?: number;
};
/** One page of mandates. */
export type MandatePage = {
  /** This page. */
  records: Mandate[];
  /**
   * Records visible to the user, before filters.
   * @example 40
   */
  recordsTotal: number;
  /**
   * Records that match the filters.
   * @example 1
   */
  recordsFiltered: number;
};
/** A CODA or a CODB mandate; `product` tells which. */
export type Mandate = CodaMandate | CodbMandate;
/** A mandate for the statements of one bank account. */
export type CodaMandate = {
  /**
   * Identifier of the mandate.
   * @example 6740a1f2c3d4e5f6a7b8c9d0
   */
  id: string;
  /**
   * The product.
   * @example CODA
   */
  product: "CODA";
  /**
   * Where the mandate stands; `finished` means active (signed, and files are being received).
   * @example waitingForSigner
   */
  status: "created" | "waitingForSigner" | "expired" | "rejectedBySigner" | "waitingForBank" | "confirmedByBank" | "rejectedByBank" | "unsupportedBank" | "finished" | "renewalRequired" | "error";
  /**
   * Identifier of the customer.
   * @example 673f0c2a9b1d4e8f7a6c5b4d
   */
  customerId: string;
  /**
   * Name of the customer.
   * @example Bakkerij De Gouden Korst
   */
  customerName: string;
  /**
   * Enterprise number of the customer.
   * @example 0765.432.146
   */
  enterpriseNumber: string;
  /**
   * The bank account.
   * @example BE71096123456769
   */
  iban: string;
  /**
   * BIC of the bank, in groups; omitted when it is not known.
   * @example GKCC BE BB
   */
  bic?: string;
  /**
   * Name of the bank; omitted when it is not known.
   * @example BELFIUS BANK
   */
  bankName?: string;
  /**
   * Present only for consents of a light connector.
   * @example 3
   */
  connectorId?: number;
  /**
   * Format: date. End of a light-connector consent; after it the status becomes `renewalRequired`.
   * @example 2026-08-29
   */
  validUntil?: string;
  /**
   * Present only while a light-connector consent is `finished` and its renewal was offered, from 14 days before `validUntil`. `offered` means that the contact was asked and has not answered. After `declined`, and after `undeliverable` (the message could not be delivered), *Request mandate* asks again. A renewal that is signed in time moves `validUntil`, and files keep coming.
   * @example offered
   */
  renewal?: "offered" | "declined" | "undeliverable";
  error?: MandateError;
  /**
   * Format: date-time. When the mandate was created, UTC.
   * @example 2026-03-02T08:15:30.120Z
   */
  createdOn: string;
  /**
   * Format: date-time. When the mandate last changed, UTC.
   * @example 2026-03-02T08:15:30.120Z
   */
  updatedOn: string;
};
/** A mandate for the files of one payroll provider. */
export type CodbMandate = {
  /**
   * Identifier of the mandate.
   * @example 6740a1f2c3d4e5f6a7b8c9d0
   */
  id: string;
  /**
   * The product.
   * @example CODB
   */
  product: "CODB";
  /**
   * Where the mandate stands; `finished` means active (signed, and files are being received).
   * @example waitingForSigner
   */
  status: "created" | "waitingForSigner" | "expired" | "rejectedBySigner" | "waitingForPayrollProvider" | "rejectedByPayrollProvider" | "unsupportedPayrollProvider" | "finished" | "error";
  /**
   * Identifier of the customer.
   * @example 673f0c2a9b1d4e8f7a6c5b4d
   */
  customerId: string;
  /**
   * Name of the customer.
   * @example Bakkerij De Gouden Korst
   */
  customerName: string;
  /**
   * Enterprise number of the customer.
   * @example 0765.432.146
   */
  enterpriseNumber: string;
  /**
   * Code of the payroll provider.
   * @example sdworx
   */
  payrollProviderCode: string;
  /**
   * French name of the payroll provider.
   * @example SD Worx Secrétariat Social
   */
  payrollProviderNameFr: string;
  /**
   * Dutch name of the payroll provider.
   * @example SD Worx Sociaal Secretariaat
   */
  payrollProviderNameNl: string;
  error?: MandateError;
  /**
   * Format: date-time. When the mandate was created, UTC.
   * @example 2026-03-02T08:15:30.120Z
   */
  createdOn: string;
  /**
   * Format: date-time. When the mandate last changed, UTC.
   * @example 2026-03-02T08:15:30.120Z
   */
  updatedOn: string;
};
/** Why the mandate is in `error`; present only then. */
export type MandateError = {
  /**
   * `recipientRefused` when the contact's address is invalid or the mail server refused it: correct it
   *     before the mandate is requested again. `deliveryFailed` when the message could not be sent or was
   *     returned: the address may be wrong.
   * @example deliveryFailed
   */
  code: "deliveryFailed" | "recipientRefused";
  /**
   * One sentence in English.
   * @example The signature request could not be delivered to the contact.
   */
  message: string;
};
/**
 * A status of CODA or CODB mandates; `confirmedByBank` means confirmed but no file received yet, `renewalRequired` that a light-connector consent has expired.
 */
export type MandateStatus = "created" | "waitingForSigner" | "expired" | "rejectedBySigner" | "waitingForBank" | "confirmedByBank" | "rejectedByBank" | "unsupportedBank" | "finished" | "renewalRequired" | "error" | "waitingForPayrollProvider" | "rejectedByPayrollProvider" | "unsupportedPayrollProvider";
/**
 * `CODA`: bank statements. `CODB`: payroll files.
 * @example CODA
 */
export type Product = "CODA" | "CODB";
/** Filters, order and page; all filters must match. */
export type SearchMandatesRequest = {
  /**
   * Mandates of this customer.
   * @example 673f0c2a9b1d4e8f7a6c5b4d
   */
  customerId?: string;
  /**
   * Mandates of the customer with this enterprise number.
   * @example 0765.432.146
   */
  enterpriseNumber?: string;
  /**
   * Mandates of this bank account; spaces and case are ignored.
   * @example BE71 0961 2345 6769
   */
  iban?: string;
  /**
   * Mandates of this payroll provider.
   * @example sdworx
   */
  payrollProviderCode?: string;
  product?: Product;
  /**
   * Mandates with this status, or with one of these; `finished` ones only when `includeFinished` is true too, which `@adx/client` then sends by itself.
   * @example waitingForSigner
   */
  status?: MandateStatus | MandateStatus[];
  /**
   * Also list mandates with status `finished`, which are left out otherwise.
   * @default false
   * @example true
   */
  includeFinished?: boolean;
  /**
   * Format: date-time. Mandates created or updated at or after this instant, ISO 8601 with `Z` or an offset; what follows its milliseconds is ignored. Used to poll for changes.
   * @example 2026-03-02T08:00:00+01:00
   */
  updatedSince?: string;
  /**
   * The field to sort by.
   * @default createdOn
   * @example updatedOn
   */
  sort?: "createdOn" | "updatedOn" | "customerName" | "customerEnterpriseNumber" | "ibanNumber" | "status" | "bankName" | "payrollProviderCode";
  /**
   * `asc` or `desc`; any value other than `asc` sorts descending.
   * @default desc
   * @example asc
   */
  sortDirection?: string;
  /**
   * Length of a page; more than 200 counts as 200.
   * @default 50
   * @example 50
   */
  limit?: number;
  /**
   * How many records to skip; past the end the page is empty.
   * @default 0
   * @example 0
   */
  offset?: number;
};
/** Dates, both inclusive; `from` after `to` is refused. */
export type DateRange = {
  /**
   * Format: date. First date.
   * @example 2026-03-01
   */
  from?: string;
  /**
   * Format: date. Last date.
   * @example 2026-03-31
   */
  to?: string;
};
/** Numbers, both inclusive; `from` after `to` is refused. */
export type NumberRange = {
  /**
   * First number.
   * @example 1
   */
  from?: number;
  /**
   * Last number.
   * @example 50
   */
  to?: number;
};
/** Filters; all must match. */
export type ListCodaFilesRequest = {
  /**
   * Also list files already acknowledged with this API key and user.
   * @default false
   * @example true
   */
  redownload?: boolean;
  /**
   * Name of the customer, exact but for case.
   * @example Bakkerij De Gouden Korst
   */
  customer?: string;
  /**
   * Enterprise number of the customer.
   * @example 0765.432.146
   */
  enterpriseNumber?: string;
  /**
   * The bank account; spaces and case are ignored.
   * @example BE71 0961 2345 6769
   */
  iban?: string;
  /**
   * Currency of the account, ISO 4217.
   * @example EUR
   */
  currency?: string;
  /**
   * Date of the statement, both ends inclusive.
   * @example {
   *       "from": "2026-03-01",
   *       "to": "2026-03-31"
   *     }
   */
  statementDate?: DateRange;
  /**
   * Date on which the service processed the file, both ends inclusive.
   * @example {
   *       "from": "2026-03-02"
   *     }
   */
  processingDate?: DateRange;
  /**
   * Sequence number of the statement, both ends inclusive.
   * @example {
   *       "from": 40,
   *       "to": 45
   *     }
   */
  statementNumber?: NumberRange;
  /**
   * Also return a download URL of the PDF of each file.
   * @default false
   * @example true
   */
  includePdf?: boolean;
};
/** Filters; all must match. */
export type ListCodbFilesRequest = {
  /**
   * Also list files already acknowledged with this API key and user.
   * @default false
   * @example true
   */
  redownload?: boolean;
  /**
   * Name of the customer, exact but for case.
   * @example Bakkerij De Gouden Korst
   */
  customer?: string;
  /**
   * Enterprise number of the customer.
   * @example 0765.432.146
   */
  enterpriseNumber?: string;
  /**
   * Name of the payroll provider as the files write it.
   * @example SD Worx
   */
  payrollProvider?: string;
  /**
   * Exact booking period, `YYYYMM`.
   * @example 202602
   */
  accountPeriod?: number;
  /**
   * Date on which the provider generated the file, both ends inclusive.
   * @example {
   *       "from": "2026-03-01",
   *       "to": "2026-03-31"
   *     }
   */
  statementDate?: DateRange;
  /**
   * Date on which the service processed the file, both ends inclusive.
   * @example {
   *       "from": "2026-03-02"
   *     }
   */
  processingDate?: DateRange;
  /**
   * Sequence number of the file, both ends inclusive.
   * @example {
   *       "from": 40,
   *       "to": 45
   *     }
   */
  statementNumber?: NumberRange;
  /**
   * Also return a download URL of the PDF of each file.
   * @default false
   * @example true
   */
  includePdf?: boolean;
};
/** The CODA files of one customer. */
export type CodaCustomerGroup = {
  /**
   * Identifier of the customer.
   * @example 673f0c2a9b1d4e8f7a6c5b4d
   */
  id: string;
  /**
   * Name of the customer.
   * @example Bakkerij De Gouden Korst
   */
  name: string;
  /**
   * The partner's internal reference for the customer.
   * @example K-0042
   */
  accountingRef?: string;
  /**
   * Enterprise number of the customer.
   * @example 0765.432.146
   */
  enterpriseNumber: string;
  /**
   * True if the customer is confidential.
   * @example false
   */
  isConfidential: boolean;
  /** One entry per IBAN, currency and statement year. */
  ibans: CodaIbanGroup[];
};
/** The CODA files of one IBAN, currency and year. */
export type CodaIbanGroup = {
  /**
   * The bank account.
   * @example BE71096123456769
   */
  iban: string;
  /**
   * Currency of the account, ISO 4217.
   * @example EUR
   */
  currency: string;
  /**
   * Year of the statements.
   * @example 2026
   */
  year: number;
  /** The files, by statement number. */
  files: CodaFile[];
};
/** Filters and page; all filters must match. */
export type ListMissingStatementsRequest = {
  /**
   * Only records of this customer.
   * @example 673f0c2a9b1d4e8f7a6c5b4d
   */
  customerId?: string;
  /**
   * Only records of the customer with this enterprise number.
   * @example 0765.432.146
   */
  enterpriseNumber?: string;
  /**
   * Only records of this account; spaces and case are ignored.
   * @example BE71 0961 2345 6769
   */
  iban?: string;
  kind?: MissingStatementsKind;
  /**
   * Length of a page; more than 200 counts as 200.
   * @default 50
   * @example 50
   */
  limit?: number;
  /**
   * How many records to skip; past the end the page is empty.
   * @default 0
   * @example 0
   */
  offset?: number;
};
/**
 * How it is known: `gap`, statement numbers are missing; `balanceBreak`, the old balance of a
 *     statement is not the new balance of the one before; `overdue`, by the habit of the account a
 *     statement should have come.
 * @example gap
 */
export type MissingStatementsKind = "gap" | "balanceBreak" | "overdue";
/** One page of what is missing. */
export type MissingStatementsPage = {
  /** This page. */
  records: MissingStatements[];
  /**
   * Records visible to the user, before filters.
   * @example 3
   */
  recordsTotal: number;
  /**
   * Records that match the filters.
   * @example 1
   */
  recordsFiltered: number;
};
/** One or more statements of an account that are missing in a row. */
export type MissingStatements = {
  /**
   * Identifier of the customer.
   * @example 673f0c2a9b1d4e8f7a6c5b4d
   */
  customerId: string;
  /**
   * Name of the customer.
   * @example Bakkerij De Gouden Korst
   */
  customerName: string;
  /**
   * Enterprise number of the customer.
   * @example 0765.432.146
   */
  enterpriseNumber: string;
  /**
   * The account, without spaces.
   * @example BE71096123456769
   */
  iban: string;
  /**
   * Currency of the account, ISO 4217.
   * @example EUR
   */
  currency: string;
  kind: MissingStatementsKind;
  /**
   * For `gap`: the first number that is missing.
   * @example 43
   */
  fromNumber?: number;
  /**
   * For `gap`: the last number that is missing.
   * @example 44
   */
  toNumber?: number;
  /**
   * Format: date. Date of the last statement before what is missing.
   * @example 2026-03-02
   */
  after?: string;
  /**
   * Number of that statement; absent if it is not known.
   * @example 42
   */
  afterNumber?: number;
  /**
   * Format: date. Date of the first statement after it; absent for `overdue`.
   * @example 2026-03-05
   */
  before?: string;
  /**
   * Number of that statement; absent for `overdue`, and if it is not known.
   * @example 45
   */
  beforeNumber?: number;
  /**
   * Format: date-time. When it was detected, UTC.
   * @example 2026-03-06T05:12:44.310Z
   */
  detectedOn: string;
};
/** A CODA file. */
export type CodaFile = {
  /**
   * Identifier of the file; acknowledge it by this.
   * @example 6741b2c3d4e5f6a7b8c9d0e1
   */
  id: string;
  /**
   * Name of the file, unique among the files of the firm, whatever the case of its letters. It is a name on
   *     every system: letters without accents, digits, `_` and `-`, and an extension; too long to be a device of
   *     Windows, such as `NUL`. Refuse any other before you make a path of it.
   * @example BE71096123456769_EUR_2026_042.cod
   */
  fileName: string;
  /**
   * Format: date. Date of the statement.
   * @example 2026-03-02
   */
  statementDate: string;
  /**
   * Sequence number of the statement.
   * @example 42
   */
  statementNumber: number;
  /**
   * Format: date-time. When the service processed the file, UTC.
   * @example 2026-03-03T05:12:44.310Z
   */
  processedOn: string;
  /**
   * `bank`: the bank of the account delivered the file. `upload`: it was uploaded with the credentials of
   *     *Get CODA upload credentials*; the service does not know who made it. A statement that comes both ways
   *     has the one that was first.
   * @example bank
   */
  source?: "bank" | "upload";
  urls: CodaFileUrls;
};
/** The files to acknowledge. */
export type AcknowledgeFilesRequest = {
  /**
   * The `id` of each file, all different.
   * @example [
   *       "6741b2c3d4e5f6a7b8c9d0e1"
   *     ]
   */
  fileIds: string[];
};
/** The outcome for each file. */
export type AcknowledgedFiles = {
  /**
   * Files that are acknowledged, now or before.
   * @example [
   *       "6741b2c3d4e5f6a7b8c9d0e1"
   *     ]
   */
  acknowledged: string[];
  /**
   * Files that do not exist or that the user may not see.
   * @example []
   */
  notFound: string[];
};
/** Pre-signed download URLs, valid for 30 minutes. */
export type CodaFileUrls = {
  /**
   * Format: uri. Downloads the file.
   * @example https://files.example.org/6741b2c3?X-Amz-Expires=1800
   */
  coda: string;
  /**
   * Format: uri. Downloads the PDF; present when `includePdf` is true and the file can be printed.
   * @example https://files.example.org/6741b2c3.pdf?X-Amz-Expires=1800
   */
  pdf?: string;
};
/** The CODB files of one customer. */
export type CodbCustomerGroup = {
  /**
   * Identifier of the customer.
   * @example 673f0c2a9b1d4e8f7a6c5b4d
   */
  id: string;
  /**
   * Name of the customer.
   * @example Bakkerij De Gouden Korst
   */
  name: string;
  /**
   * The partner's internal reference for the customer.
   * @example K-0042
   */
  accountingRef?: string;
  /**
   * Enterprise number of the customer.
   * @example 0765.432.146
   */
  enterpriseNumber: string;
  /**
   * True if the customer is confidential.
   * @example false
   */
  isConfidential: boolean;
  /** One entry per payroll provider and year. */
  payrollProviders: CodbProviderGroup[];
};
/** The CODB files of one payroll provider and year. */
export type CodbProviderGroup = {
  /**
   * Name of the payroll provider as the files write it.
   * @example SD Worx
   */
  payrollProvider: string;
  /**
   * Year of the booking periods.
   * @example 2026
   */
  year: number;
  /** The files, by statement number. */
  files: CodbFile[];
};
/** A CODB file. */
export type CodbFile = {
  /**
   * Identifier of the file; acknowledge it by this.
   * @example 6741b2c3d4e5f6a7b8c9d0e1
   */
  id: string;
  /**
   * Name of the file, unique among the files of the firm, whatever the case of its letters. It is a name on
   *     every system: letters without accents, digits, `_` and `-`, and an extension; too long to be a device of
   *     Windows, such as `NUL`. Refuse any other before you make a path of it.
   * @example 0765432146_SD-Worx_202602_7.xml
   */
  fileName: string;
  /**
   * Format: date. Date of the statement.
   * @example 2026-02-28
   */
  statementDate: string;
  /**
   * Sequence number of the statement.
   * @example 7
   */
  statementNumber: number;
  /**
   * Booking period, `YYYYMM`.
   * @example 202602
   */
  accountPeriod: number;
  /**
   * Format: date-time. When the service processed the file, UTC.
   * @example 2026-03-03T05:12:44.310Z
   */
  processedOn: string;
  urls: CodbFileUrls;
};
/** Pre-signed download URLs, valid for 30 minutes. */
export type CodbFileUrls = {
  /**
   * Format: uri. Downloads the file.
   * @example https://files.example.org/6741b2c3?X-Amz-Expires=1800
   */
  codb: string;
  /**
   * Format: uri. Downloads the PDF; present when `includePdf` is true and the file can be printed.
   * @example https://files.example.org/6741b2c3.pdf?X-Amz-Expires=1800
   */
  pdf?: string;
};
/** Temporary S3 credentials for putting files under a prefix. */
export type UploadCredentials = {
  /**
   * Temporary object-storage key.
   * @example ASIAEXAMPLEKEY000001
   */
  accessKeyId: string;
  /**
   * Its secret.
   * @example c2VjcmV0LWFjY2Vzcy1rZXktZXhhbXBsZQ
   */
  secretAccessKey: string;
  /**
   * Its session token.
   * @example ZXhhbXBsZS1zZXNzaW9uLXRva2Vu
   */
  sessionToken: string;
  /**
   * The bucket to put files into; each product has its own.
   * @example adx-coda-uploads
   */
  bucketName: string;
  /**
   * Key prefix to upload under, of the form `uploads/<tenant>`. Each issue of credentials has a
   *     prefix of its own, so that files of the same name do not overwrite each other.
   * @example uploads/kantoor-maes-4f7a6c-674052e5b8e3d2a9f1c47b06
   */
  prefix: string;
  /**
   * Format: date-time. When the credentials expire, UTC.
   * @example 2026-03-03T06:12:44.000Z
   */
  expirationUtc: string;
  /**
   * The address of the object storage; absent if it is AWS. The bucket is the first segment of the
   *     path, or takes the place of `{bucket}` if the address contains that.
   * @example https://storage.example.org
   * @example https://{bucket}.storage.example.org
   */
  endpoint?: string;
  /**
   * The region of the object storage, for which requests are signed.
   * @example eu-central-1
   */
  region?: string;
};
/** Filters and page; all filters must match. */
export type ListAuditEntriesRequest = {
  /**
   * Entries of this customer.
   * @example 673f0c2a9b1d4e8f7a6c5b4d
   */
  customerId?: string;
  /**
   * Entries of this user.
   * @example 673f0b1d9b1d4e8f7a6c5b40
   */
  userId?: string;
  /**
   * Entries of this action.
   * @example updateCustomer
   */
  action?: string;
  /**
   * Format: date-time. Entries at or after this instant, ISO 8601 with `Z` or an offset; what follows its milliseconds is ignored.
   * @example 2026-03-01T00:00:00+01:00
   */
  occurredSince?: string;
  /**
   * Format: date-time. Entries before this instant, ISO 8601 with `Z` or an offset; what follows its milliseconds is ignored.
   * @example 2026-04-01T00:00:00+02:00
   */
  occurredBefore?: string;
  /**
   * Length of a page; more than 200 counts as 200.
   * @default 50
   * @example 50
   */
  limit?: number;
  /**
   * Number of records to skip.
   * @default 0
   * @example 0
   */
  offset?: number;
};
/** One page of entries. */
export type AuditEntryPage = {
  /** This page. */
  records: AuditEntry[];
  /**
   * Records visible to the user, before filters.
   * @example 8210
   */
  recordsTotal: number;
  /**
   * Records that match the filters.
   * @example 2
   */
  recordsFiltered: number;
};
/** An action or a read of one person or program. Members that do not apply are absent. */
export type AuditEntry = {
  /**
   * Number of the entry among those of all firms; later entries have higher ones.
   * @example 48190
   */
  number: number;
  /**
   * Format: date-time. When it happened, UTC.
   * @example 2026-03-09T08:02:44.310Z
   */
  occurredOn: string;
  /**
   * The kind of actor; `user`, a user of the firm; `operator`, the operator of the service; `signer`, a contact who was asked to sign; `visitor`, a person or a program, such as one that scans mail, that had the link; `service`, the service itself.
   * @example user
   */
  actor: "user" | "operator" | "signer" | "visitor" | "service";
  /**
   * Identifier of the user.
   * @example 673f0b1d9b1d4e8f7a6c5b40
   */
  userId?: string;
  /**
   * Identifier of the API key of the software through which the user called.
   * @example 673f0a4c9b1d4e8f7a6c5b31
   */
  apiKeyId?: string;
  /**
   * Name of the person who operates the service.
   * @example jan.peeters
   */
  operator?: string;
  /**
   * Identifier of the customer; absent if it concerns several or none.
   * @example 673f0c2a9b1d4e8f7a6c5b4d
   */
  customerId?: string;
  /**
   * Identifier of the mandate, file, upload or other object that it concerns.
   * @example 6740a1f2c3d4e5f6a7b8c9d0
   */
  objectId?: string;
  /**
   * For a user, the `operationId`; for the operator, a command; for a signer, `signature request signed` or `declined`; for a visitor, `signature request page fetched`; for the service, `link gave way`.
   * @example updateCustomer
   */
  action: string;
  /**
   * `done`; `repeated`, for a call that got the answer of an earlier one with its `Idempotency-Key`; for a refused call, the code of its error; for a command also `begun`, if it is not known how it ended, or `refused`.
   * @example done
   */
  outcome: string;
  /**
   * IP address of the caller.
   * @example 203.0.113.7
   */
  address?: string;
  /**
   * Format: uuid. The `X-Request-Id` of the call.
   * @example 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
   */
  requestId?: string;
};
/** Filters and page; all filters must match. */
export type ListUploadsRequest = {
  product?: Product;
  /**
   * Uploads with this status, or with one of these.
   * @example rejected
   */
  status?: UploadStatus | UploadStatus[];
  /**
   * Format: date-time. Uploads that the storage received at or after this instant, ISO 8601 with `Z` or an offset; what follows its milliseconds is ignored.
   * @example 2026-03-02T08:00:00+01:00
   */
  receivedSince?: string;
  /**
   * Uploads with the upload credentials that have this `prefix`.
   * @example uploads/kantoor-maes-4f7a6c-674052e5b8e3d2a9f1c47b06
   */
  prefix?: string;
  /**
   * Length of a page; more than 200 counts as 200.
   * @default 50
   * @example 50
   */
  limit?: number;
  /**
   * Number of records to skip.
   * @default 0
   * @example 0
   */
  offset?: number;
};
/** One page of uploads. */
export type UploadPage = {
  /** This page. */
  records: UploadRecord[];
  /**
   * Records visible to the user, before filters.
   * @example 40
   */
  recordsTotal: number;
  /**
   * Records that match the filters.
   * @example 1
   */
  recordsFiltered: number;
};
/** An uploaded file and its outcome. */
export type UploadRecord = {
  /**
   * Identifier of the upload.
   * @example 674052e5b8e3d2a9f1c47b10
   */
  id: string;
  /**
   * The product of its upload credentials. Products can be added.
   * @example CODA
   */
  product: string;
  status: UploadStatus;
  /**
   * The `prefix` of its upload credentials.
   * @example uploads/kantoor-maes-4f7a6c-674052e5b8e3d2a9f1c47b06
   */
  prefix: string;
  /**
   * The key of the object below the prefix, as the uploader named it. Control characters and marks
   *     that change the direction of text are replaced by U+FFFD.
   * @example 20260303T051240120Z-9f1c47b06a3e5d28-statement.cod
   */
  key: string;
  /**
   * The `ETag` that the storage returned for the object, without quotation marks. Together with
   *     `prefix` and `key` it identifies the content, if another was put under the same key before or
   *     after.
   * @example 9b2cf535f27731c974343645a3985328
   */
  etag: string;
  /**
   * Format: date-time. When the storage received the file, UTC.
   * @example 2026-03-03T05:12:41.000Z
   */
  receivedOn: string;
  /**
   * Format: date-time. When the upload was processed or rejected, UTC; absent while it is `received` or `failed`.
   * @example 2026-03-03T05:12:44.310Z
   */
  settledOn?: string;
  /**
   * Number of files that were listed from this upload, for customers that the user may see.
   * @example 1
   */
  fileCount: number;
  /** The first of these files. What was already listed before is not among them. */
  files: ListedUploadFile[];
  /**
   * Number of findings.
   * @example 0
   */
  findingCount: number;
  /** The first findings, errors before warnings if there are many. */
  findings: UploadFinding[];
};
/**
 * `received`: it waits to be read, or is being read. `processed`: all of its statements are listed,
 *     now or before. `rejected`: an error refuses at least one of them. `failed`: the service could not
 *     read it for days. The operator is told, and can have it read again; it is not necessary to upload
 *     it again.
 * @example processed
 */
export type UploadStatus = "received" | "processed" | "rejected" | "failed";
/** A file that was listed from an upload. */
export type ListedUploadFile = {
  /**
   * Identifier of the file, as in *List CODA files* and *List CODB files*.
   * @example 6741b2c3d4e5f6a7b8c9d0e1
   */
  id: string;
  /**
   * Name of the file, as in *List CODA files* and *List CODB files*.
   * @example BE71096123456769_EUR_2026_014.cod
   */
  fileName: string;
};
/** A finding on an upload. */
export type UploadFinding = {
  /**
   * An error refuses the statement or the whole file, a warning does not.
   * @example error
   */
  severity: "error" | "warning";
  code: UploadFindingCode;
  /**
   * One sentence in English, for people; it may change.
   * @example No customer has this account: BE54000000000097 (2026/14)
   */
  message: string;
  /**
   * The line of the file, from 1.
   * @example 1
   */
  record?: number;
  /**
   * The position in the line, from 1.
   * @example 6
   */
  position?: number;
  /**
   * The value in the file, as it is written there.
   * @example 1.000
   */
  found?: string;
  /**
   * The value that is expected.
   * @example 2.000
   */
  expected?: string;
  /**
   * The field or element.
   * @example Social/SeqNumber
   */
  field?: string;
};
/**
 * A stable code of a finding. Codes can be added.
 * @example unknownAccount
 */
export type UploadFindingCode = ("emptyFile" | "headerMissing" | "statementTooLarge" | "encodingUnsupported" | "lineLength" | "recordType" | "recordOrder" | "trailerMissing" | "newBalanceMissing" | "headerConstant" | "version1" | "version" | "digits" | "date" | "accountStructure" | "sign" | "communicationFlag" | "sequenceNumber" | "detailNumber" | "continuationKey" | "nextCode" | "linkCode" | "accountMismatch" | "currencyMismatch" | "balance" | "trailerCount" | "trailerDebitTotal" | "trailerCreditTotal" | "ibanCheckDigits" | "bbanCheckDigits" | "multipleFileCode" | "unknownTransactionCode" | "unknownCategory" | "unknownCommunicationType" | "communicationCheckDigits" | "communicationField" | "detailSum" | "informationReference" | "informationTransactionCode" | "statementNumberGap" | "oldBalanceGap" | "statementRepeated" | "duplicate" | "thirdDecimal" | "bicOfAnotherBank" | "counterpartyIban" | "rTransaction" | "reservedPositions" | "freeCommunicationNumber" | "blankLine" | "lineEnd" | "lineEndMissing" | "trailingBlanks" | "byteOrderMark" | "replacementCharacter" | "headerFieldBlank" | "lastThoughFollowed" | "trailerNotLast" | "trailerCut" | "accountStructureBlank" | "transactionCodeZero" | "paperNumberIsDayOfYear" | "entryDateZero" | "newBalanceDateZero" | "newBalanceAbsent" | "totalWithoutDetails" | "detailWithoutLevel" | "informationReferenceOfDetail" | "informationNumberRepeated" | "wrappedInformation" | "paperNumberRepeated" | "ibanAsOtherNumber" | "spacesInAccount" | "maskedCard" | "fileTooLarge" | "unknownEncoding" | "invalidEncoding" | "malformedXml" | "forbiddenDoctype" | "forbiddenEntity" | "nestedTooDeep" | "tooManyElements" | "tagTooLong" | "noBooking" | "tooManyBookings" | "repeatedBooking" | "missingElement" | "repeatedElement" | "textTooLong" | "enterpriseNumber" | "period" | "amount" | "debitAndCredit" | "encodingDeclaration" | "enterpriseNumberForm" | "unknownVersion" | "dateMissing" | "labelMissing" | "sideMissing" | "negativeAmount" | "amountDecimals" | "noLines" | "unknownElement" | "unknownAttribute" | "unexpectedText" | "tooLarge" | "unknownGrant" | "unprintableName" | "inaccessible" | "noIban" | "unknownAccount" | "noCurrency" | "unknownEnterprise" | "noLongerKept" | "sourceTooLong" | "uploadGone" | "alreadyListed" | "numberMissing" | "balanceDiffers" | "numberRepeated" | "furtherFindings") | (string & {});
