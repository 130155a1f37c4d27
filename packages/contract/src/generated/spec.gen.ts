// Generated from openapi.yaml by `npm run generate`. Do not edit.

import type { SpecDocument } from '../spec-document.js';

/** openapi.yaml as a value. All its references are within it. */
export const spec: SpecDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Accounting Data Exchange',
    version: '1.0',
    summary: 'Customers, mandates, bank statements and payroll files of Belgian accounting firms',
    license: { name: 'MIT', identifier: 'MIT' },
    description: `The Accounting Data Exchange lets partner software (accounting tools, practice management
software, sync agents) work for a Belgian **accounting firm**:

- manage the firm's **customers**, their **bank accounts** (IBANs) and **payroll providers**
  (social secretariats);
- follow the **mandates** that let statements and payroll files flow: CODA mandates, one per
  bank account, and CODB mandates, one per payroll provider;
- list, download and **acknowledge** CODA files (bank statements) and CODB files (payroll
  bookings), and upload such files;
- read **reference data**: banks and payroll providers.

The firm is always derived from the ID token. It is never sent as a parameter, and a user sees
only the data of the own firm, and of it only the customers the user may access.

## Authentication

Every call carries two credentials:

| Credential | Header | Identifies | Sent on |
|---|---|---|---|
| API key | \`x-api-key: <API_KEY>\` | the partner software; issued by the operator of the service | every call |
| ID token | \`Authorization: Bearer <ID_TOKEN>\` | the user and the accounting firm | every call except \`POST /token\` |

1. Sign in once with [\`POST /token\`](#operation/getToken): the user's login and the password
   **encoded in Base64**. The answer holds an \`idToken\`, valid for 1 hour, and a \`refreshToken\`,
   valid for 30 days.
2. When the ID token expires, calls answer \`401 tokenExpired\`. Send the \`refreshToken\` to
   \`POST /token\`: the answer holds a new \`idToken\` only, and the refresh token stays in use.
3. When the refresh token has expired too, sign in again.

What the API key may do is controlled by **scopes**, named at each operation. What the user may
see is controlled by the user's access level and assignments: users other than administrators
do not see confidential customers, some users see only the customers assigned to them, and users
with the *Portal only* access level cannot use the interface at all (\`401 portalOnly\`).

Checks happen in this order: API key, ID token, access level, scope, body, visibility.

Each path has one spelling: upper and lower case count, and it does not end in a slash, so that
\`/v1/Customers\` and \`/v1/customers/\` answer \`404 notFound\`. A request target with a fragment, or
in absolute form (\`GET https://…\`), answers \`400 validationFailed\` before all other checks.

## Paging

*Search customers*, *Search mandates*, *List banks* and *List payroll providers* are paginated.
They take \`limit\` (default 50, more than 200 counts as 200) and \`offset\` (default 0) in the body,
and answer an envelope:

| Field | Meaning |
|---|---|
| \`records\` | this page |
| \`recordsTotal\` | records visible to the user, before filters |
| \`recordsFiltered\` | records that match the filters |

To read everything, increase \`offset\` by the number of records received until it reaches
\`recordsFiltered\`. An \`offset\`
past the end gives an empty page. The other lists answer a plain array with every match.
A list that is a \`POST\` always needs a JSON body, at least \`{}\`.

## Errors

Every error has the same shape:

\`\`\`json
{
  "error": "unknownField",
  "message": "The request holds fields that this operation does not know.",
  "requestId": "0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10",
  "fields": ["address.foo"]
}
\`\`\`

| Field | Meaning |
|---|---|
| \`error\` | a stable code: program against it |
| \`message\` | one sentence in English, for people; it may change |
| \`requestId\` | also in the \`X-Request-Id\` header: quote it to support |
| \`fields\` | with \`unknownField\`: every unknown field, up to 100, nested ones dotted |
| \`details\` | with validation errors: \`path\` and \`message\` of each finding, up to 100 |

Unknown fields are refused everywhere, nested ones too, so that a misspelt optional field is
never silently lost. What a user may not see answers \`404 notFound\`, never \`403\`.
On \`POST /token\` a failed sign-in answers \`500\` with the identity provider's reason in \`error\`;
it is not a failure of the server.

## Limits

An API key may make a number of calls per minute, 1200 unless the operator set another. Beyond it,
and after ten failed sign-ins of one user within a quarter of an hour, the answer is
\`429 tooManyRequests\`; \`Retry-After\` says how many seconds to wait, and \`RateLimit\` which limit it
was. A body may have 64 KiB, otherwise the answer is \`413 payloadTooLarge\`.

## Acknowledging

A file is listed until it is acknowledged. Download it, store it safely, then acknowledge it: it
is no longer listed **for the same API key and user**, so several partners and users each receive
every file. Nothing is deleted: \`redownload: true\` lists acknowledged files again. Files arrive in
the morning; asking twice a day suffices. Download URLs are valid for 30 minutes.

## Versioning

The version is a segment of the path: the base URL ends in \`/v1\`. Within \`/v1\` changes are
additions only: new operations, new optional request fields, new response fields, new values of
the error code. Clients ignore response fields they do not know. Production and staging are
separate deployments with their own credentials.
`,
  },
  servers: [
    {
      url: 'https://{host}/v1',
      description: 'A deployment of the service; production and staging each have their own host.',
      variables: { host: { default: 'adx.example.org', description: 'Host of the deployment.' } },
    },
    {
      url: 'http://127.0.0.1:3000/v1',
      description: 'The service on your own machine, as npm start runs it.',
    },
  ],
  tags: [
    {
      name: 'Sign-in',
      description: 'Obtain ID tokens and check that both credentials are accepted.',
    },
    {
      name: 'Customers',
      description: `The firm's customers (client companies) with their bank accounts and payroll providers.
Linking a bank account or a payroll provider starts a mandate, and the customer's contact is
asked to sign it.
`,
    },
    {
      name: 'Reference data',
      description: 'Belgian banks and payroll providers (social secretariats).',
    },
    {
      name: 'Mandates',
      description: `The customer's consent that statements (CODA) or payroll files (CODB) are delivered to the firm.
Linking a bank account starts a CODA mandate, linking a payroll provider a CODB mandate, and one
message asks the customer's contact to sign all that were linked together. Unlinking closes the
mandate: it is no longer listed. The CODA mandate of an account that is served through a light
connector is a consent for 180 days.

| Status                       | Product | What leads to it |
| ---------------------------- | ------- | ---------------- |
| \`created\`                    | both    | The account or provider was linked, or the mandate was requested again. |
| \`unsupportedBank\`            | CODA    | The account was linked; its bank delivers no statements. |
| \`unsupportedPayrollProvider\` | CODB    | The provider was linked; it delivers no files. |
| \`waitingForSigner\`           | both    | From \`created\`: the signature request was sent to the contact. |
| \`error\`                      | both    | From \`created\`: the signature request could not be delivered. From \`waitingForSigner\`: its message came back. |
| \`rejectedBySigner\`           | both    | From \`waitingForSigner\`: the contact declined. |
| \`expired\`                    | both    | From \`waitingForSigner\`: the contact did not answer within 30 days. |
| \`waitingForBank\`             | CODA    | From \`waitingForSigner\`: the contact signed. |
| \`confirmedByBank\`            | CODA    | From \`waitingForBank\`: the bank confirmed; no file has come yet. |
| \`rejectedByBank\`             | CODA    | From \`waitingForBank\`: the bank refused. |
| \`waitingForPayrollProvider\`  | CODB    | From \`waitingForSigner\`: the contact signed. |
| \`rejectedByPayrollProvider\`  | CODB    | From \`waitingForPayrollProvider\`: the provider refused. |
| \`finished\`                   | both    | From \`waitingForBank\`, \`confirmedByBank\` or \`waitingForPayrollProvider\`: the first file came. From \`waitingForSigner\`, through a light connector: the contact signed. |
| \`renewalRequired\`            | CODA    | From \`finished\`, through a light connector: \`validUntil\` has passed. |

*Request mandate* leads back to \`created\` from \`expired\`, \`rejectedBySigner\`, \`renewalRequired\`
and \`error\`. Read changes by polling *Search mandates* with \`updatedSince\`.
`,
    },
    { name: 'CODA files', description: 'Bank statements, one file per statement.' },
    { name: 'CODB files', description: 'Payroll booking files of the payroll providers.' },
  ],
  paths: {
    '/token': {
      post: {
        operationId: 'getToken',
        'x-client-method': 'auth.token',
        'x-no-id-token': true,
        'x-no-scope': true,
        'x-idempotent': true,
        tags: ['Sign-in'],
        summary: 'Get or refresh token',
        description: `Signs a user in, or refreshes the ID token. Only the API key is required.

With \`username\` and \`password\` the answer holds an \`idToken\` (1 hour) and a \`refreshToken\`
(30 days). With \`refreshToken\` alone it holds a new \`idToken\` only; the refresh token stays
in use. The password is sent encoded in Base64 (of its UTF-8 bytes); a plain-text password
fails. A failed sign-in answers \`500\` with the identity provider's reason.
`,
        security: [{ apiKey: [] }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/TokenRequest' },
              examples: {
                signIn: {
                  summary: 'Sign in with username and password',
                  value: {
                    username: 'els.maes@kantoor-maes.example',
                    password: 'emVlci1nZWhlaW0tMjAyNg==',
                  },
                },
                refresh: {
                  summary: 'Refresh the ID token',
                  value: { refreshToken: 'adx_refresh_w1m4n5Zc0bq7uH2yq9r8tF3kVx6LdPsA' },
                },
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'The tokens.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Tokens' },
                examples: {
                  signIn: {
                    summary: 'After a sign-in',
                    value: {
                      idToken: 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiI2NzNmMGMyYSJ9.c2lnbmF0dXJl',
                      refreshToken: 'adx_refresh_w1m4n5Zc0bq7uH2yq9r8tF3kVx6LdPsA',
                    },
                  },
                  refresh: {
                    summary: 'After a refresh',
                    value: {
                      idToken: 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiI2NzNmMGMyYSJ9.c2lnbmF0dXJl',
                    },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/TokenBadRequest' },
          '403': { $ref: '#/components/responses/ApiKeyRefused' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '413': { $ref: '#/components/responses/PayloadTooLarge' },
          '415': { $ref: '#/components/responses/UnsupportedMediaType' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/TokenFailed' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/hello-world': {
      get: {
        operationId: 'helloWorld',
        'x-client-method': 'auth.hello',
        'x-no-scope': true,
        'x-decision': 'D-01',
        tags: ['Sign-in'],
        summary: 'Hello world',
        description: `A connectivity check: answers when both the API key and the ID token are accepted.
No scope is needed.
`,
        security: [{ apiKey: [], idToken: [] }],
        responses: {
          '200': {
            description: 'Both credentials are accepted.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Confirmation' },
                examples: {
                  hello: {
                    summary: 'Accepted',
                    value: { message: 'Hello world. The API key and the ID token are accepted.' },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/UnknownQuery' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/ApiKeyRefused' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/customers': {
      get: {
        operationId: 'listCustomers',
        'x-client-method': 'customers.list',
        'x-decision': ['D-01', 'D-07'],
        tags: ['Customers'],
        summary: 'List all customers',
        description: `Every customer the user may access, as a plain array in the order of *Search customers*
(name, then \`id\`). Not paginated: the answer is streamed, however long it is.
`,
        security: [{ apiKey: ['customers:read'], idToken: [] }],
        responses: {
          '200': {
            description: 'The customers.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: {
                  type: 'array',
                  description: 'Every customer the user may access.',
                  items: { $ref: '#/components/schemas/Customer' },
                },
                examples: { customers: { $ref: '#/components/examples/CustomerList' } },
              },
            },
          },
          '400': { $ref: '#/components/responses/UnknownQuery' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
      post: {
        operationId: 'searchCustomers',
        'x-client-method': 'customers.search',
        'x-idempotent': true,
        'x-paginated': true,
        'x-decision': ['D-01', 'D-07'],
        tags: ['Customers'],
        summary: 'Search customers',
        description: `Searches the customers the user may access, one page at a time, sorted by name
(case-insensitive), then \`id\`. Filters are combined: a customer must match all of them.
`,
        security: [{ apiKey: ['customers:read'], idToken: [] }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/SearchCustomersRequest' },
              examples: {
                everything: { summary: 'The first page of all customers', value: {} },
                text: {
                  summary: 'By text, second page of 20',
                  value: { search: 'bakkerij', limit: 20, offset: 20 },
                },
                iban: {
                  summary: 'The customer of a bank account',
                  value: { iban: 'BE71 0961 2345 6769' },
                },
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'One page of customers.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/CustomerPage' },
                examples: { page: { $ref: '#/components/examples/CustomerPage' } },
              },
            },
          },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '413': { $ref: '#/components/responses/PayloadTooLarge' },
          '415': { $ref: '#/components/responses/UnsupportedMediaType' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/customers/create': {
      post: {
        operationId: 'createCustomer',
        'x-client-method': 'customers.create',
        'x-decision': ['D-01', 'D-16', 'D-21'],
        tags: ['Customers'],
        summary: 'Create customer',
        description: `Registers a customer with its contact and, optionally, its bank accounts and payroll
providers. A mandate is created for each of them, and one signature request is sent to the
contact.

An enterprise number can be registered once in the whole service. When another accounting
firm has registered it, the answer is \`403 belongsToAnotherTenant\`: a transfer requires the
agreement of the end customer; contact support.

A customer created by a user who sees only assigned customers is assigned to that user.
`,
        security: [{ apiKey: ['customers:write'], idToken: [] }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/CreateCustomerRequest' },
              examples: {
                complete: {
                  summary: 'With a bank account and a payroll provider',
                  value: {
                    enterpriseNumber: '0765.432.146',
                    name: 'Bakkerij De Gouden Korst',
                    accountingRef: 'K-0042',
                    address: {
                      street: 'Veldstraat 12',
                      street2: 'bus 3',
                      zipCode: '9000',
                      municipality: 'Gent',
                      country: 'België',
                    },
                    contact: {
                      name: 'Jan Vermeulen',
                      function: 'Zaakvoerder',
                      email: 'jan@goudenkorst.example',
                      language: 'nl',
                    },
                    bankAccounts: [{ iban: 'BE71 0961 2345 6769' }],
                    payrollProviders: [{ code: 'sdworx' }],
                  },
                },
                minimal: {
                  summary: 'Required fields only',
                  value: {
                    enterpriseNumber: '0812.345.603',
                    name: 'Garage Dubois',
                    accountingRef: 'K-0043',
                    address: {
                      street: 'Rue du Moulin 8',
                      zipCode: '5000',
                      municipality: 'Namur',
                      country: 'Belgique',
                    },
                    contact: {
                      name: 'Claire Dubois',
                      function: 'Gérante',
                      email: 'claire@garagedubois.example',
                      language: 'fr',
                    },
                  },
                },
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'The customer.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Customer' },
                examples: { customer: { $ref: '#/components/examples/Customer' } },
              },
            },
          },
          '400': { $ref: '#/components/responses/CreateCustomerBadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/CreateCustomerForbidden' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '409': { $ref: '#/components/responses/CreateCustomerConflict' },
          '413': { $ref: '#/components/responses/PayloadTooLarge' },
          '415': { $ref: '#/components/responses/UnsupportedMediaType' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/customers/{customerId}': {
      get: {
        operationId: 'getCustomer',
        'x-client-method': 'customers.get',
        'x-decision': 'D-01',
        tags: ['Customers'],
        summary: 'Get customer',
        description: `One customer with its active bank accounts and payroll providers.
`,
        security: [{ apiKey: ['customers:read'], idToken: [] }],
        parameters: [{ $ref: '#/components/parameters/customerId' }],
        responses: {
          '200': {
            description: 'The customer.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Customer' },
                examples: { customer: { $ref: '#/components/examples/Customer' } },
              },
            },
          },
          '400': { $ref: '#/components/responses/BadPath' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
      patch: {
        operationId: 'updateCustomer',
        'x-client-method': 'customers.update',
        'x-decision': ['D-01', 'D-14'],
        tags: ['Customers'],
        summary: 'Update customer',
        description: `Updates the fields that are sent, and only those; nested objects merge field by field.
An empty string clears an optional text field. An empty object changes nothing.

\`enterpriseNumber\` cannot be changed. Bank accounts and payroll providers are changed by
their own operations only.
`,
        security: [{ apiKey: ['customers:write'], idToken: [] }],
        parameters: [{ $ref: '#/components/parameters/customerId' }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/UpdateCustomerRequest' },
              examples: {
                rename: { summary: 'Another name', value: { name: 'Bakkerij De Gouden Korst BV' } },
                contact: {
                  summary: 'Another e-mail address, and no second address line',
                  value: {
                    address: { street2: '' },
                    contact: { email: 'info@goudenkorst.example' },
                  },
                },
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'The updated customer.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Customer' },
                examples: { customer: { $ref: '#/components/examples/Customer' } },
              },
            },
          },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '413': { $ref: '#/components/responses/PayloadTooLarge' },
          '415': { $ref: '#/components/responses/UnsupportedMediaType' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
      delete: {
        operationId: 'archiveCustomer',
        'x-client-method': 'customers.archive',
        'x-decision': ['D-01', 'D-16'],
        tags: ['Customers'],
        summary: 'Archive customer',
        description: `Archives a customer: it is no longer listed or found, its bank accounts and payroll
providers are closed, and its enterprise number and IBANs are free again. Files that were
received stay stored.
`,
        security: [{ apiKey: ['customers:delete'], idToken: [] }],
        parameters: [{ $ref: '#/components/parameters/customerId' }],
        responses: {
          '200': {
            description: 'The customer is archived.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Confirmation' },
                examples: {
                  archived: {
                    summary: 'Archived',
                    value: { message: 'The customer is archived.' },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/BadPath' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/customers/{customerId}/bank-accounts/{iban}': {
      post: {
        operationId: 'addBankAccount',
        'x-client-method': 'customers.addBankAccount',
        'x-idempotent': true,
        'x-decision': ['D-01', 'D-15'],
        tags: ['Customers'],
        summary: 'Add bank account',
        description: `Links a bank account to a customer, which creates its mandate and asks the contact to sign
it. Spaces in the IBAN are removed and letters uppercased. No body is sent. Adding an
account that the customer already has returns it.
`,
        security: [{ apiKey: ['customers:write'], idToken: [] }],
        parameters: [
          { $ref: '#/components/parameters/customerId' },
          { $ref: '#/components/parameters/iban' },
        ],
        responses: {
          '200': {
            description: 'The bank account.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/BankAccount' },
                examples: {
                  belfius: {
                    summary: 'An account at Belfius',
                    value: {
                      iban: 'BE71096123456769',
                      currency: 'EUR',
                      bic: 'GKCC BE BB',
                      bankName: 'BELFIUS BANK',
                    },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/IbanBadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '409': { $ref: '#/components/responses/IbanInUse' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
      delete: {
        operationId: 'disableBankAccount',
        'x-client-method': 'customers.disableBankAccount',
        'x-decision': ['D-01', 'D-15'],
        tags: ['Customers'],
        summary: 'Disable bank account',
        description: `Disables a bank account: it disappears from the customer's \`bankAccounts\`, its mandate is
closed, and the IBAN is free again.
`,
        security: [{ apiKey: ['customers:delete'], idToken: [] }],
        parameters: [
          { $ref: '#/components/parameters/customerId' },
          { $ref: '#/components/parameters/iban' },
        ],
        responses: {
          '200': {
            description: 'The bank account is disabled.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Confirmation' },
                examples: {
                  disabled: {
                    summary: 'Disabled',
                    value: { message: 'The bank account is disabled.' },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/IbanBadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/customers/{customerId}/payroll-providers/{code}': {
      post: {
        operationId: 'addPayrollProvider',
        'x-client-method': 'customers.addPayrollProvider',
        'x-idempotent': true,
        'x-decision': ['D-01', 'D-15'],
        tags: ['Customers'],
        summary: 'Add payroll provider',
        description: `Links a payroll provider to a customer, which creates its mandate and asks the contact to
sign it. \`code\` is a code of *List payroll providers*. No body is sent. Adding a provider
that the customer already has returns it.
`,
        security: [{ apiKey: ['customers:write'], idToken: [] }],
        parameters: [
          { $ref: '#/components/parameters/customerId' },
          { $ref: '#/components/parameters/payrollProviderCode' },
        ],
        responses: {
          '200': {
            description: 'The payroll provider.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/PayrollProvider' },
                examples: {
                  sdworx: {
                    summary: 'SD Worx',
                    value: {
                      code: 'sdworx',
                      nameFr: 'SD Worx Secrétariat Social',
                      nameNl: 'SD Worx Sociaal Secretariaat',
                    },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/PayrollProviderBadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
      delete: {
        operationId: 'removePayrollProvider',
        'x-client-method': 'customers.removePayrollProvider',
        'x-decision': ['D-01', 'D-15'],
        tags: ['Customers'],
        summary: 'Remove payroll provider',
        description: `Removes a payroll provider from a customer: it disappears from \`payrollProviders\` and its
mandate is closed.
`,
        security: [{ apiKey: ['customers:delete'], idToken: [] }],
        parameters: [
          { $ref: '#/components/parameters/customerId' },
          { $ref: '#/components/parameters/payrollProviderCode' },
        ],
        responses: {
          '200': {
            description: 'The payroll provider is removed.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Confirmation' },
                examples: {
                  removed: {
                    summary: 'Removed',
                    value: { message: 'The payroll provider is removed.' },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/BadPath' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/payroll-providers': {
      post: {
        operationId: 'listPayrollProviders',
        'x-client-method': 'payrollProviders.list',
        'x-idempotent': true,
        'x-paginated': true,
        'x-decision': ['D-01', 'D-11'],
        tags: ['Reference data'],
        summary: 'List payroll providers',
        description: `The payroll providers (social secretariats) that a customer can be linked to, sorted by
code. The code \`***other***\` stands for a provider that the service does not handle.
`,
        security: [{ apiKey: ['customers:read'], idToken: [] }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/ListPayrollProvidersRequest' },
              examples: {
                everything: { summary: 'The first page', value: {} },
                second: { summary: 'The second page of 20', value: { limit: 20, offset: 20 } },
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'One page of payroll providers.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/PayrollProviderPage' },
                examples: {
                  page: {
                    summary: 'The first two of 11',
                    value: {
                      records: [
                        { code: '***other***', nameFr: 'Autre', nameNl: 'Andere' },
                        {
                          code: 'acerta',
                          nameFr: 'Acerta Secrétariat Social',
                          nameNl: 'Acerta Sociaal Secretariaat',
                        },
                      ],
                      recordsTotal: 11,
                      recordsFiltered: 11,
                    },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '413': { $ref: '#/components/responses/PayloadTooLarge' },
          '415': { $ref: '#/components/responses/UnsupportedMediaType' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/banks': {
      post: {
        operationId: 'listBanks',
        'x-client-method': 'banks.list',
        'x-idempotent': true,
        'x-paginated': true,
        'x-decision': ['D-01', 'D-11'],
        tags: ['Reference data'],
        summary: 'List banks',
        description: `Belgian banks, sorted by name. \`codaSupported\` tells whether a CODA mandate can be requested
at the bank.
`,
        security: [{ apiKey: ['customers:read'], idToken: [] }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/ListBanksRequest' },
              examples: {
                everything: { summary: 'The first page', value: {} },
                second: { summary: 'The second page of 20', value: { limit: 20, offset: 20 } },
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'One page of banks.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/BankPage' },
                examples: {
                  page: {
                    summary: 'The first two of 98',
                    value: {
                      records: [
                        { bic: 'ABNA BE 2A', name: 'ABN AMRO Bank N.V.', codaSupported: true },
                        { bic: 'ABNA BE 2A IDJ', name: 'ABN AMRO Bank N.V.', codaSupported: true },
                      ],
                      recordsTotal: 98,
                      recordsFiltered: 98,
                    },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '413': { $ref: '#/components/responses/PayloadTooLarge' },
          '415': { $ref: '#/components/responses/UnsupportedMediaType' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/mandates': {
      post: {
        operationId: 'searchMandates',
        'x-client-method': 'mandates.search',
        'x-idempotent': true,
        'x-paginated': true,
        'x-changes': {
          method: 'changes',
          since: 'updatedSince',
          changedOn: 'updatedOn',
          with: { includeFinished: true, sort: 'updatedOn', sortDirection: 'asc' },
        },
        'x-decision': ['D-01', 'D-10'],
        tags: ['Mandates'],
        summary: 'Search mandates',
        description: `Searches the mandates of the customers the user may access, one page at a time. Mandates with
status \`finished\` are left out unless \`includeFinished\` is true, also where \`status\` names
\`finished\`. Those whose account or provider is no longer linked are never listed.

Mandates with the same value are sorted by \`id\`, in the same direction. Those without a value,
such as CODB mandates sorted by \`ibanNumber\`, come last when ascending and first when descending.

To poll for changes, send the greatest \`updatedOn\` seen so far as \`updatedSince\`, with
\`includeFinished\` true. Changes become visible in the order of \`updatedOn\`, so that none is
missed; the mandate it was taken from comes again.
`,
        security: [{ apiKey: ['mandates:read'], idToken: [] }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/SearchMandatesRequest' },
              examples: {
                changes: {
                  summary: 'What changed since the last poll',
                  value: {
                    updatedSince: '2026-03-02T08:00:00+01:00',
                    includeFinished: true,
                    sort: 'updatedOn',
                    sortDirection: 'asc',
                    limit: 200,
                  },
                },
                waiting: {
                  summary: 'Mandates that wait for someone',
                  value: { status: ['waitingForSigner', 'waitingForBank'] },
                },
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'One page of mandates.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/MandatePage' },
                examples: {
                  page: {
                    summary: 'A mandate that waits for its signer',
                    value: {
                      records: [
                        {
                          id: '6740a1f2c3d4e5f6a7b8c9d0',
                          product: 'CODA',
                          status: 'waitingForSigner',
                          customerId: '673f0c2a9b1d4e8f7a6c5b4d',
                          customerName: 'Bakkerij De Gouden Korst',
                          enterpriseNumber: '0765.432.146',
                          iban: 'BE71096123456769',
                          bic: 'GKCC BE BB',
                          bankName: 'BELFIUS BANK',
                          createdOn: '2026-03-02T08:15:30.120Z',
                          updatedOn: '2026-03-02T08:15:31.004Z',
                        },
                      ],
                      recordsTotal: 12,
                      recordsFiltered: 1,
                    },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '413': { $ref: '#/components/responses/PayloadTooLarge' },
          '415': { $ref: '#/components/responses/UnsupportedMediaType' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/mandates/{mandateId}': {
      get: {
        operationId: 'getMandate',
        'x-client-method': 'mandates.get',
        'x-decision': ['D-01', 'D-10'],
        tags: ['Mandates'],
        summary: 'Get mandate',
        description: `One mandate: where it stands, what it is for, and why it is in \`error\`. When its bank account or
payroll provider is no longer linked to the customer, the answer is \`404\`.
`,
        security: [{ apiKey: ['mandates:read'], idToken: [] }],
        parameters: [{ $ref: '#/components/parameters/mandateId' }],
        responses: {
          '200': {
            description: 'The mandate.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Mandate' },
                examples: {
                  coda: {
                    summary: 'A CODA mandate',
                    value: {
                      id: '6740a1f2c3d4e5f6a7b8c9d0',
                      product: 'CODA',
                      status: 'finished',
                      customerId: '673f0c2a9b1d4e8f7a6c5b4d',
                      customerName: 'Bakkerij De Gouden Korst',
                      enterpriseNumber: '0765.432.146',
                      iban: 'BE71096123456769',
                      bic: 'GKCC BE BB',
                      bankName: 'BELFIUS BANK',
                      createdOn: '2026-03-02T08:15:30.120Z',
                      updatedOn: '2026-03-09T05:02:11.480Z',
                    },
                  },
                  codb: {
                    summary: 'A CODB mandate in error',
                    value: {
                      id: '6740a1f2c3d4e5f6a7b8c9d1',
                      product: 'CODB',
                      status: 'error',
                      customerId: '673f0c2a9b1d4e8f7a6c5b4d',
                      customerName: 'Bakkerij De Gouden Korst',
                      enterpriseNumber: '0765.432.146',
                      payrollProviderCode: 'sdworx',
                      payrollProviderNameFr: 'SD Worx Secrétariat Social',
                      payrollProviderNameNl: 'SD Worx Sociaal Secretariaat',
                      error: {
                        code: 'deliveryFailed',
                        message: 'The signature request could not be delivered to the contact.',
                      },
                      createdOn: '2026-03-02T08:15:30.121Z',
                      updatedOn: '2026-03-03T08:16:02.377Z',
                    },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/BadPath' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/mandates/{mandateId}/request': {
      post: {
        operationId: 'requestMandate',
        'x-client-method': 'mandates.request',
        'x-decision': 'D-01',
        tags: ['Mandates'],
        summary: 'Request mandate',
        description: `Asks the contact to sign again, when the mandate is \`expired\`, \`rejectedBySigner\`,
\`renewalRequired\` or in \`error\`: it is \`created\` again, and a new message goes to the contact's
present address. In every other status the answer is \`409 mandateNotRequestable\`, also when
another call has just requested it. No body is sent.
`,
        security: [{ apiKey: ['mandates:write'], idToken: [] }],
        parameters: [{ $ref: '#/components/parameters/mandateId' }],
        responses: {
          '200': {
            description: 'The mandate, requested again.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Mandate' },
                examples: {
                  requested: {
                    summary: 'Requested again',
                    value: {
                      id: '6740a1f2c3d4e5f6a7b8c9d0',
                      product: 'CODA',
                      status: 'created',
                      customerId: '673f0c2a9b1d4e8f7a6c5b4d',
                      customerName: 'Bakkerij De Gouden Korst',
                      enterpriseNumber: '0765.432.146',
                      iban: 'BE71096123456769',
                      bic: 'GKCC BE BB',
                      bankName: 'BELFIUS BANK',
                      createdOn: '2026-03-02T08:15:30.120Z',
                      updatedOn: '2026-04-07T09:41:55.902Z',
                    },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/BadPath' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '409': { $ref: '#/components/responses/MandateNotRequestable' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/coda-files': {
      post: {
        operationId: 'listCodaFiles',
        'x-client-method': 'codaFiles.list',
        'x-idempotent': true,
        'x-download': { method: 'download', file: 'CodaFile', kind: 'coda' },
        'x-decision': ['D-01', 'D-09'],
        tags: ['CODA files'],
        summary: 'List CODA files',
        description: `The bank statements of the customers the user may access, grouped by customer, then by IBAN,
currency and statement year. Files already acknowledged with this API key and user are hidden
unless \`redownload\` is true. Not paginated: the answer is streamed.
`,
        security: [{ apiKey: ['files:read'], idToken: [] }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/ListCodaFilesRequest' },
              examples: {
                everything: { summary: 'Everything not yet acknowledged', value: {} },
                march: {
                  summary: 'The statements of March, again, with PDF',
                  value: {
                    iban: 'BE71 0961 2345 6769',
                    statementDate: { from: '2026-03-01', to: '2026-03-31' },
                    redownload: true,
                    includePdf: true,
                  },
                },
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'The files, grouped by customer.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: {
                  type: 'array',
                  description: 'One group per customer.',
                  items: { $ref: '#/components/schemas/CodaCustomerGroup' },
                },
                examples: {
                  files: {
                    summary: 'One statement',
                    value: [
                      {
                        id: '673f0c2a9b1d4e8f7a6c5b4d',
                        name: 'Bakkerij De Gouden Korst',
                        accountingRef: 'K-0042',
                        enterpriseNumber: '0765.432.146',
                        isConfidential: false,
                        ibans: [
                          {
                            iban: 'BE71096123456769',
                            currency: 'EUR',
                            year: 2026,
                            files: [
                              {
                                id: '6741b2c3d4e5f6a7b8c9d0e1',
                                fileName: 'BE71096123456769_EUR_2026_042.cod',
                                statementDate: '2026-03-02',
                                statementNumber: 42,
                                processedOn: '2026-03-03T05:12:44.310Z',
                                urls: {
                                  coda: 'https://files.example.org/statements/6741b2c3?X-Amz-Expires=1800',
                                },
                              },
                            ],
                          },
                        ],
                      },
                    ],
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '413': { $ref: '#/components/responses/PayloadTooLarge' },
          '415': { $ref: '#/components/responses/UnsupportedMediaType' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/coda-files/{fileId}': {
      delete: {
        operationId: 'acknowledgeCodaFile',
        'x-client-method': 'codaFiles.acknowledge',
        'x-decision': ['D-01', 'D-15'],
        tags: ['CODA files'],
        summary: 'Acknowledge CODA file',
        description: `Confirms that the file was received: it is no longer listed for the same API key and user
unless \`redownload\` is true. Acknowledging twice is fine. The file is not deleted.
`,
        security: [{ apiKey: ['files:read'], idToken: [] }],
        parameters: [{ $ref: '#/components/parameters/fileId' }],
        responses: {
          '200': {
            description: 'The file is acknowledged.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Confirmation' },
                examples: {
                  acknowledged: {
                    summary: 'Acknowledged',
                    value: { message: 'The file is acknowledged.' },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/BadPath' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/coda-files/upload-credentials': {
      post: {
        operationId: 'getCodaUploadCredentials',
        'x-client-method': 'codaFiles.uploadCredentials',
        'x-idempotent': true,
        'x-upload': { method: 'upload' },
        'x-decision': ['D-01', 'D-19', 'D-31'],
        tags: ['CODA files'],
        summary: 'Get CODA upload credentials',
        description: `Temporary S3 credentials that allow putting CODA files under \`<bucketName>/<prefix>/\`, and
nothing else. No body is sent.
`,
        security: [{ apiKey: ['files:write'], idToken: [] }],
        responses: {
          '200': {
            description: 'The credentials.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/UploadCredentials' },
                examples: {
                  credentials: {
                    summary: 'Credentials for one hour',
                    value: {
                      accessKeyId: 'ASIAEXAMPLEKEY000001',
                      secretAccessKey: 'c2VjcmV0LWFjY2Vzcy1rZXktZXhhbXBsZQ',
                      sessionToken: 'ZXhhbXBsZS1zZXNzaW9uLXRva2Vu',
                      bucketName: 'adx-coda-uploads',
                      prefix: 'uploads/kantoor-maes-4f7a6c-674052e5b8e3d2a9f1c47b06',
                      expirationUtc: '2026-03-03T06:12:44.000Z',
                    },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/UnknownQuery' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/codb-files': {
      post: {
        operationId: 'listCodbFiles',
        'x-client-method': 'codbFiles.list',
        'x-idempotent': true,
        'x-download': { method: 'download', file: 'CodbFile', kind: 'codb' },
        'x-decision': ['D-01', 'D-08'],
        tags: ['CODB files'],
        summary: 'List CODB files',
        description: `The payroll files of the customers the user may access, grouped by customer, then by payroll
provider and year. Files already acknowledged with this API key and user are hidden unless
\`redownload\` is true. Not paginated: the answer is streamed. Files arrive in the morning.
`,
        security: [{ apiKey: ['files:read'], idToken: [] }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/ListCodbFilesRequest' },
              examples: {
                everything: { summary: 'Everything not yet acknowledged', value: {} },
                february: {
                  summary: 'The bookings of February 2026',
                  value: { accountPeriod: 202602, payrollProvider: 'SD Worx' },
                },
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'The files, grouped by customer.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: {
                  type: 'array',
                  description: 'One group per customer.',
                  items: { $ref: '#/components/schemas/CodbCustomerGroup' },
                },
                examples: {
                  files: {
                    summary: 'One payroll file',
                    value: [
                      {
                        id: '673f0c2a9b1d4e8f7a6c5b4d',
                        name: 'Bakkerij De Gouden Korst',
                        accountingRef: 'K-0042',
                        enterpriseNumber: '0765.432.146',
                        isConfidential: false,
                        payrollProviders: [
                          {
                            payrollProvider: 'SD Worx',
                            year: 2026,
                            files: [
                              {
                                id: '6741b2c3d4e5f6a7b8c9d0e2',
                                fileName: '0765432146_SD-Worx_202602_7.xml',
                                statementDate: '2026-02-28',
                                statementNumber: 7,
                                accountPeriod: 202602,
                                processedOn: '2026-03-03T05:14:02.118Z',
                                urls: {
                                  codb: 'https://files.example.org/payroll/6741b2c3?X-Amz-Expires=1800',
                                },
                              },
                            ],
                          },
                        ],
                      },
                    ],
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '413': { $ref: '#/components/responses/PayloadTooLarge' },
          '415': { $ref: '#/components/responses/UnsupportedMediaType' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/codb-files/{fileId}': {
      delete: {
        operationId: 'acknowledgeCodbFile',
        'x-client-method': 'codbFiles.acknowledge',
        'x-decision': ['D-01', 'D-15'],
        tags: ['CODB files'],
        summary: 'Acknowledge CODB file',
        description: `Confirms that the file was received: it is no longer listed for the same API key and user
unless \`redownload\` is true. Acknowledging twice is fine. The file is not deleted.
`,
        security: [{ apiKey: ['files:read'], idToken: [] }],
        parameters: [{ $ref: '#/components/parameters/fileId' }],
        responses: {
          '200': {
            description: 'The file is acknowledged.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Confirmation' },
                examples: {
                  acknowledged: {
                    summary: 'Acknowledged',
                    value: { message: 'The file is acknowledged.' },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/BadPath' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
    '/codb-files/upload-credentials': {
      post: {
        operationId: 'getCodbUploadCredentials',
        'x-client-method': 'codbFiles.uploadCredentials',
        'x-idempotent': true,
        'x-upload': { method: 'upload' },
        'x-decision': ['D-01', 'D-19', 'D-31'],
        tags: ['CODB files'],
        summary: 'Get CODB upload credentials',
        description: `Temporary S3 credentials that allow putting CODB files under \`<bucketName>/<prefix>/\`, and
nothing else. Uploading must be enabled for the firm, otherwise the answer is
\`403 upload_not_allowed\`. No body is sent.
`,
        security: [{ apiKey: ['files:write'], idToken: [] }],
        responses: {
          '200': {
            description: 'The credentials.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/UploadCredentials' },
                examples: {
                  credentials: {
                    summary: 'Credentials for one hour',
                    value: {
                      accessKeyId: 'ASIAEXAMPLEKEY000001',
                      secretAccessKey: 'c2VjcmV0LWFjY2Vzcy1rZXktZXhhbXBsZQ',
                      sessionToken: 'ZXhhbXBsZS1zZXNzaW9uLXRva2Vu',
                      bucketName: 'adx-codb-uploads',
                      prefix: 'uploads/kantoor-maes-4f7a6c-674052e5b8e3d2a9f1c47b06',
                      expirationUtc: '2026-03-03T06:12:44.000Z',
                    },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/UnknownQuery' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/UploadForbidden' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/Unavailable' },
        },
      },
    },
  },
  components: {
    securitySchemes: {
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'x-api-key',
        description: 'The API key of the partner software, issued by the operator of the service.',
        'x-scopes': {
          'customers:read': 'Read customers and reference data.',
          'customers:write': 'Create and change customers, add bank accounts and payroll providers.',
          'customers:delete': 'Archive customers, disable bank accounts, remove payroll providers.',
          'mandates:read': 'Read mandates.',
          'mandates:write': 'Request mandates again.',
          'files:read': 'List, download and acknowledge CODA and CODB files.',
          'files:write': 'Obtain upload credentials.',
        },
      },
      idToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'The ID token of the user, obtained from `POST /token`; valid for 1 hour.',
      },
    },
    parameters: {
      customerId: {
        name: 'customerId',
        in: 'path',
        required: true,
        description: "The customer's `id`.",
        'x-decision': 'D-12',
        schema: { type: 'string', pattern: '^[0-9a-fA-F]{24}$' },
        example: '673f0c2a9b1d4e8f7a6c5b4d',
      },
      iban: {
        name: 'iban',
        in: 'path',
        required: true,
        description: 'The IBAN; spaces are removed and letters uppercased before use.',
        schema: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[^\\p{Cc}\\p{Cs}]*$' },
        example: 'BE71096123456769',
      },
      payrollProviderCode: {
        name: 'code',
        in: 'path',
        required: true,
        description: "The payroll provider's `code`, from *List payroll providers*.",
        schema: { type: 'string', minLength: 1, maxLength: 50, pattern: '^[^\\p{Cc}\\p{Cs}]*$' },
        example: 'sdworx',
      },
      mandateId: {
        name: 'mandateId',
        in: 'path',
        required: true,
        description: "The mandate's `id`.",
        'x-decision': 'D-12',
        schema: { type: 'string', pattern: '^[0-9a-fA-F]{24}$' },
        example: '6740a1f2c3d4e5f6a7b8c9d0',
      },
      fileId: {
        name: 'fileId',
        in: 'path',
        required: true,
        description: "The file's `id` from the listing.",
        'x-decision': 'D-12',
        schema: { type: 'string', pattern: '^[0-9a-fA-F]{24}$' },
        example: '6741b2c3d4e5f6a7b8c9d0e1',
      },
    },
    headers: {
      'X-Request-Id': {
        description: 'Identifies the request; the same value is the `requestId` of an error.',
        schema: { type: 'string' },
        example: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
      },
      'Retry-After': {
        description: 'Seconds to wait before the next try.',
        schema: { type: 'integer', minimum: 0 },
        example: 12,
      },
      RateLimit: {
        description: 'The limit that was hit, how many calls remain, and the seconds until it is renewed.',
        schema: { type: 'string' },
        example: 'limit=1200, remaining=0, reset=12',
      },
      'WWW-Authenticate': {
        description: 'The scheme that is asked for; with `error="invalid_token"` where an ID token was sent.',
        schema: { type: 'string' },
        example: 'Bearer error="invalid_token"',
      },
      Allow: {
        description: 'The methods that this path has.',
        schema: { type: 'string' },
        example: 'GET, POST',
      },
    },
    responses: {
      BadRequest: {
        description: 'The request was refused; nothing was done.',
        'x-decision': ['D-03', 'D-05'],
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: {
              unknownField: { $ref: '#/components/examples/listUnknownField' },
              validationFailed: { $ref: '#/components/examples/validationFailed' },
              invalidJson: { $ref: '#/components/examples/invalidJson' },
            },
          },
        },
      },
      BadPath: {
        description: 'A path parameter is malformed, or the query string is not empty.',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: {
              validationFailed: { $ref: '#/components/examples/pathValidationFailed' },
              unknownField: { $ref: '#/components/examples/queryUnknownField' },
            },
          },
        },
      },
      UnknownQuery: {
        description: 'The query string is not empty.',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: { unknownField: { $ref: '#/components/examples/queryUnknownField' } },
          },
        },
      },
      TokenBadRequest: {
        description: 'The request was refused, or neither form of credentials is complete.',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: {
              missingCredentials: { $ref: '#/components/examples/missingCredentials' },
              unknownField: { $ref: '#/components/examples/tokenUnknownField' },
              validationFailed: { $ref: '#/components/examples/tokenValidationFailed' },
              invalidJson: { $ref: '#/components/examples/invalidJson' },
            },
          },
        },
      },
      CreateCustomerBadRequest: {
        description: 'The request was refused; nothing was stored.',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: {
              unknownField: { $ref: '#/components/examples/unknownField' },
              validationFailed: { $ref: '#/components/examples/customerValidationFailed' },
              invalidJson: { $ref: '#/components/examples/invalidJson' },
              invalidEnterpriseNumber: { $ref: '#/components/examples/invalidEnterpriseNumber' },
              invalidIban: { $ref: '#/components/examples/customerInvalidIban' },
              unknownPayrollProvider: {
                $ref: '#/components/examples/customerUnknownPayrollProvider',
              },
            },
          },
        },
      },
      IbanBadRequest: {
        description: 'The IBAN or the customer identifier is malformed, or the query string is not empty.',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: {
              invalidIban: { $ref: '#/components/examples/invalidIban' },
              validationFailed: { $ref: '#/components/examples/pathValidationFailed' },
              unknownField: { $ref: '#/components/examples/queryUnknownField' },
            },
          },
        },
      },
      PayrollProviderBadRequest: {
        description: 'The code is unknown, a path parameter is malformed, or the query string is not empty.',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: {
              unknownPayrollProvider: { $ref: '#/components/examples/unknownPayrollProvider' },
              validationFailed: { $ref: '#/components/examples/pathValidationFailed' },
              unknownField: { $ref: '#/components/examples/queryUnknownField' },
            },
          },
        },
      },
      Unauthorized: {
        description: 'The ID token is missing, not valid or expired, or its user may not use the interface.',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
          'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: {
              unauthorized: { $ref: '#/components/examples/unauthorized' },
              tokenExpired: { $ref: '#/components/examples/tokenExpired' },
              portalOnly: { $ref: '#/components/examples/portalOnly' },
            },
          },
        },
      },
      ApiKeyRefused: {
        description: 'The API key is missing or not valid.',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: { invalidApiKey: { $ref: '#/components/examples/invalidApiKey' } },
          },
        },
      },
      Forbidden: {
        description: 'The API key is missing or not valid, or lacks the scope of the operation.',
        'x-decision': 'D-04',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: {
              invalidApiKey: { $ref: '#/components/examples/invalidApiKey' },
              insufficientScope: { $ref: '#/components/examples/insufficientScope' },
            },
          },
        },
      },
      CreateCustomerForbidden: {
        description: 'The API key is refused, or another firm has registered the enterprise number.',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: {
              invalidApiKey: { $ref: '#/components/examples/invalidApiKey' },
              insufficientScope: { $ref: '#/components/examples/insufficientScope' },
              belongsToAnotherTenant: { $ref: '#/components/examples/belongsToAnotherTenant' },
            },
          },
        },
      },
      UploadForbidden: {
        description: 'The API key is refused, or uploading is not enabled for the firm.',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: {
              invalidApiKey: { $ref: '#/components/examples/invalidApiKey' },
              insufficientScope: { $ref: '#/components/examples/insufficientScope' },
              upload_not_allowed: { $ref: '#/components/examples/upload_not_allowed' },
            },
          },
        },
      },
      NotFound: {
        description: 'There is no such resource among those that the user may see.',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: { notFound: { $ref: '#/components/examples/notFound' } },
          },
        },
      },
      MethodNotAllowed: {
        description: 'Another method was used on this path; the `Allow` header names those it has.',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
          Allow: { $ref: '#/components/headers/Allow' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: { methodNotAllowed: { $ref: '#/components/examples/methodNotAllowed' } },
          },
        },
      },
      CreateCustomerConflict: {
        description: 'The firm has the customer already, or an IBAN is in use.',
        'x-decision': 'D-16',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: {
              customerExists: { $ref: '#/components/examples/customerExists' },
              ibanInUse: { $ref: '#/components/examples/customerIbanInUse' },
            },
          },
        },
      },
      IbanInUse: {
        description: 'The IBAN is an active bank account of another customer.',
        'x-decision': 'D-16',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: { ibanInUse: { $ref: '#/components/examples/ibanInUse' } },
          },
        },
      },
      MandateNotRequestable: {
        description: 'The status of the mandate does not allow a new request.',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: {
              mandateNotRequestable: { $ref: '#/components/examples/mandateNotRequestable' },
            },
          },
        },
      },
      PayloadTooLarge: {
        description: 'The body is larger than 64 KiB.',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: { payloadTooLarge: { $ref: '#/components/examples/payloadTooLarge' } },
          },
        },
      },
      UnsupportedMediaType: {
        description: 'The body is not JSON in UTF-8.',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: {
              unsupportedMediaType: { $ref: '#/components/examples/unsupportedMediaType' },
            },
          },
        },
      },
      TooManyRequests: {
        description: 'The rate limit of the API key is used up, or on `POST /token` that of failed sign-ins.',
        'x-decision': 'D-23',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
          'Retry-After': { $ref: '#/components/headers/Retry-After' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: { tooManyRequests: { $ref: '#/components/examples/tooManyRequests' } },
          },
        },
      },
      InternalError: {
        description: 'A failure of the server; the `requestId` finds it in the logs.',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: { internalError: { $ref: '#/components/examples/internalError' } },
          },
        },
      },
      TokenFailed: {
        description: "The sign-in failed: wrong credentials, an invalid refresh token, or a password that is not Base64-encoded. `error` holds the identity provider's reason; it is not a failure of the server.",
        'x-decision': 'D-03',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/TokenFailure' },
            examples: {
              authenticationFailed: {
                summary: 'Wrong credentials, or a password not Base64-encoded',
                value: {
                  error: 'Authentication failed',
                  message: 'The identity provider refused the credentials.',
                  requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
                },
              },
              invalidRefreshToken: {
                summary: 'Unknown or expired refresh token',
                value: {
                  error: 'Invalid refresh token',
                  message: 'The identity provider refused the credentials.',
                  requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
                },
              },
              internalError: { $ref: '#/components/examples/internalError' },
            },
          },
        },
      },
      Unavailable: {
        description: 'The database or the storage cannot be reached right now.',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
          'Retry-After': { $ref: '#/components/headers/Retry-After' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: { unavailable: { $ref: '#/components/examples/unavailable' } },
          },
        },
      },
    },
    examples: {
      unknownField: {
        summary: 'Unknown fields',
        value: {
          error: 'unknownField',
          message: 'The request holds fields that this operation does not know.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
          fields: ['address.foo'],
        },
      },
      validationFailed: {
        summary: 'A value out of range',
        value: {
          error: 'validationFailed',
          message: 'The request does not match the specification of this operation.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
          details: [{ path: 'limit', message: 'must be >= 1' }],
        },
      },
      invalidJson: {
        summary: 'Broken JSON',
        value: {
          error: 'invalidJson',
          message: 'The body is not valid JSON.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      missingCredentials: {
        summary: 'Neither form is complete',
        value: {
          error: 'missingCredentials',
          message: 'Send either username and password, or refreshToken.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
          details: [{ path: 'password', message: "must have required property 'password'" }],
        },
      },
      invalidEnterpriseNumber: {
        summary: 'Wrong check digits',
        value: {
          error: 'invalidEnterpriseNumber',
          message: 'The check digits of the enterprise number are wrong.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
          details: [{ path: 'enterpriseNumber', message: 'has wrong check digits' }],
        },
      },
      invalidIban: {
        summary: 'Not an IBAN',
        value: {
          error: 'invalidIban',
          message: 'The IBAN is not valid.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
          details: [{ path: 'iban', message: 'is not a valid IBAN' }],
        },
      },
      unknownPayrollProvider: {
        summary: 'Unknown code',
        value: {
          error: 'unknownPayrollProvider',
          message: 'There is no payroll provider with this code.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
          details: [{ path: 'code', message: 'is not a known payroll provider' }],
        },
      },
      unauthorized: {
        summary: 'No valid ID token',
        value: {
          error: 'unauthorized',
          message: 'The ID token is missing or not valid.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      tokenExpired: {
        summary: 'Expired ID token',
        value: {
          error: 'tokenExpired',
          message: 'The ID token has expired; refresh it with POST /token.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      portalOnly: {
        summary: 'Portal only user',
        value: {
          error: 'portalOnly',
          message: 'Users with the Portal only access level cannot use this interface.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      invalidApiKey: {
        summary: 'No valid API key',
        value: {
          error: 'invalidApiKey',
          message: 'The API key is missing or not valid.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      insufficientScope: {
        summary: 'Scope missing',
        value: {
          error: 'insufficientScope',
          message: 'The API key lacks the scope of this operation.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      belongsToAnotherTenant: {
        summary: 'Registered by another firm',
        value: {
          error: 'belongsToAnotherTenant',
          message: 'This enterprise number is registered by another accounting firm. A transfer requires the agreement of the end customer; contact support.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      upload_not_allowed: {
        summary: 'Uploading not enabled',
        value: {
          error: 'upload_not_allowed',
          message: 'Uploading is not enabled for this accounting firm.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      notFound: {
        summary: 'Not found',
        value: {
          error: 'notFound',
          message: 'There is no such resource, or you may not see it.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      methodNotAllowed: {
        summary: 'Wrong method',
        value: {
          error: 'methodNotAllowed',
          message: 'This path does not have this method.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      customerExists: {
        summary: 'Already registered by your firm',
        value: {
          error: 'customerExists',
          message: 'Your firm has already registered a customer with this enterprise number.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      ibanInUse: {
        summary: 'IBAN taken',
        value: {
          error: 'ibanInUse',
          message: 'This IBAN is already an active bank account of a customer.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
          details: [{ path: 'iban', message: 'BE71096123456769 is already in use' }],
        },
      },
      mandateNotRequestable: {
        summary: 'Wrong status',
        value: {
          error: 'mandateNotRequestable',
          message: 'The mandate cannot be requested in its present status.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      payloadTooLarge: {
        summary: 'Body too large',
        value: {
          error: 'payloadTooLarge',
          message: 'The body is larger than 64 KiB.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      unsupportedMediaType: {
        summary: 'Not JSON',
        value: {
          error: 'unsupportedMediaType',
          message: 'Send the body as application/json in UTF-8.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      tooManyRequests: {
        summary: 'Slow down',
        value: {
          error: 'tooManyRequests',
          message: 'Too many calls; wait before the next one.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      internalError: {
        summary: 'A failure of the server',
        value: {
          error: 'internalError',
          message: 'Something went wrong on our side.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      unavailable: {
        summary: 'Try again later',
        value: {
          error: 'unavailable',
          message: 'The service cannot answer right now; try again later.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
        },
      },
      pathValidationFailed: {
        summary: 'A malformed identifier',
        value: {
          error: 'validationFailed',
          message: 'The request does not match the specification of this operation.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
          details: [{ path: 'customerId', message: 'must match pattern "^[0-9a-fA-F]{24}$"' }],
        },
      },
      tokenValidationFailed: {
        summary: 'An empty username',
        value: {
          error: 'validationFailed',
          message: 'The request does not match the specification of this operation.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
          details: [{ path: 'username', message: 'must NOT have fewer than 1 characters' }],
        },
      },
      customerValidationFailed: {
        summary: 'Not an e-mail address',
        value: {
          error: 'validationFailed',
          message: 'The request does not match the specification of this operation.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
          details: [{ path: 'contact.email', message: 'must match format "email"' }],
        },
      },
      queryUnknownField: {
        summary: 'A query string',
        value: {
          error: 'unknownField',
          message: 'The request holds fields that this operation does not know.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
          fields: ['limit'],
        },
      },
      tokenUnknownField: {
        summary: 'An unknown field',
        value: {
          error: 'unknownField',
          message: 'The request holds fields that this operation does not know.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
          fields: ['user'],
        },
      },
      listUnknownField: {
        summary: 'An unknown field',
        value: {
          error: 'unknownField',
          message: 'The request holds fields that this operation does not know.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
          fields: ['page'],
        },
      },
      customerInvalidIban: {
        summary: 'Not an IBAN',
        value: {
          error: 'invalidIban',
          message: 'The IBAN is not valid.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
          details: [{ path: 'bankAccounts.0.iban', message: 'is not a valid IBAN' }],
        },
      },
      customerUnknownPayrollProvider: {
        summary: 'Unknown code',
        value: {
          error: 'unknownPayrollProvider',
          message: 'There is no payroll provider with this code.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
          details: [
            { path: 'payrollProviders.0.code', message: 'is not a known payroll provider' },
          ],
        },
      },
      customerIbanInUse: {
        summary: 'IBAN taken',
        value: {
          error: 'ibanInUse',
          message: 'This IBAN is already an active bank account of a customer.',
          requestId: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
          details: [{ path: 'bankAccounts.0.iban', message: 'BE71096123456769 is already in use' }],
        },
      },
      Customer: {
        summary: 'A customer',
        value: {
          id: '673f0c2a9b1d4e8f7a6c5b4d',
          enterpriseNumber: '0765.432.146',
          name: 'Bakkerij De Gouden Korst',
          accountingRef: 'K-0042',
          address: {
            street: 'Veldstraat 12',
            street2: 'bus 3',
            zipCode: '9000',
            municipality: 'Gent',
            country: 'België',
          },
          contact: {
            name: 'Jan Vermeulen',
            function: 'Zaakvoerder',
            email: 'jan@goudenkorst.example',
            language: 'nl',
          },
          isConfidential: false,
          bankAccounts: [
            {
              iban: 'BE71096123456769',
              currency: 'EUR',
              bic: 'GKCC BE BB',
              bankName: 'BELFIUS BANK',
            },
          ],
          payrollProviders: [
            {
              code: 'sdworx',
              nameFr: 'SD Worx Secrétariat Social',
              nameNl: 'SD Worx Sociaal Secretariaat',
            },
          ],
          createdOn: '2026-03-02T08:15:30.120Z',
          updatedOn: '2026-03-02T08:15:30.120Z',
        },
      },
      CustomerList: {
        summary: 'One customer',
        value: [
          {
            id: '673f0c2a9b1d4e8f7a6c5b4d',
            enterpriseNumber: '0765.432.146',
            name: 'Bakkerij De Gouden Korst',
            accountingRef: 'K-0042',
            address: {
              street: 'Veldstraat 12',
              street2: 'bus 3',
              zipCode: '9000',
              municipality: 'Gent',
              country: 'België',
            },
            contact: {
              name: 'Jan Vermeulen',
              function: 'Zaakvoerder',
              email: 'jan@goudenkorst.example',
              language: 'nl',
            },
            isConfidential: false,
            bankAccounts: [
              {
                iban: 'BE71096123456769',
                currency: 'EUR',
                bic: 'GKCC BE BB',
                bankName: 'BELFIUS BANK',
              },
            ],
            payrollProviders: [
              {
                code: 'sdworx',
                nameFr: 'SD Worx Secrétariat Social',
                nameNl: 'SD Worx Sociaal Secretariaat',
              },
            ],
            createdOn: '2026-03-02T08:15:30.120Z',
            updatedOn: '2026-03-02T08:15:30.120Z',
          },
        ],
      },
      CustomerPage: {
        summary: 'One match',
        value: {
          records: [
            {
              id: '673f0c2a9b1d4e8f7a6c5b4d',
              enterpriseNumber: '0765.432.146',
              name: 'Bakkerij De Gouden Korst',
              accountingRef: 'K-0042',
              address: {
                street: 'Veldstraat 12',
                street2: 'bus 3',
                zipCode: '9000',
                municipality: 'Gent',
                country: 'België',
              },
              contact: {
                name: 'Jan Vermeulen',
                function: 'Zaakvoerder',
                email: 'jan@goudenkorst.example',
                language: 'nl',
              },
              isConfidential: false,
              bankAccounts: [
                {
                  iban: 'BE71096123456769',
                  currency: 'EUR',
                  bic: 'GKCC BE BB',
                  bankName: 'BELFIUS BANK',
                },
              ],
              payrollProviders: [
                {
                  code: 'sdworx',
                  nameFr: 'SD Worx Secrétariat Social',
                  nameNl: 'SD Worx Sociaal Secretariaat',
                },
              ],
              createdOn: '2026-03-02T08:15:30.120Z',
              updatedOn: '2026-03-02T08:15:30.120Z',
            },
          ],
          recordsTotal: 40,
          recordsFiltered: 1,
        },
      },
    },
    schemas: {
      Error: {
        type: 'object',
        description: 'The body of every error.',
        'x-decision': 'D-03',
        required: ['error', 'message', 'requestId'],
        properties: {
          error: { $ref: '#/components/schemas/ErrorCode' },
          message: {
            type: 'string',
            description: 'One sentence in English, for people. It may change; program against `error`.',
            examples: ['The request holds fields that this operation does not know.'],
          },
          requestId: {
            type: 'string',
            description: 'Identifies the request; quote it to support.',
            examples: ['0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10'],
          },
          fields: {
            type: 'array',
            description: 'With `unknownField`, every unknown field, up to 100; nested ones dotted.',
            maxItems: 100,
            items: { type: 'string' },
            examples: [['address.foo']],
          },
          details: {
            type: 'array',
            description: 'With errors about values, what is wrong where, up to 100 findings.',
            maxItems: 100,
            items: { $ref: '#/components/schemas/ErrorDetail' },
          },
        },
      },
      ErrorDetail: {
        type: 'object',
        description: 'One finding about a value.',
        required: ['path', 'message'],
        properties: {
          path: {
            type: 'string',
            description: 'The field, nested ones dotted, or the path parameter; empty for the whole body.',
            examples: ['contact.email'],
          },
          message: {
            type: 'string',
            description: 'What is wrong with it.',
            examples: ['must match format "email"'],
          },
        },
      },
      ErrorCode: {
        type: 'string',
        description: 'Stable codes of errors.',
        'x-decision': 'D-03',
        examples: ['unknownField'],
        enum: [
          'unknownField',
          'validationFailed',
          'invalidJson',
          'missingCredentials',
          'invalidEnterpriseNumber',
          'invalidIban',
          'unknownPayrollProvider',
          'unauthorized',
          'tokenExpired',
          'portalOnly',
          'invalidApiKey',
          'insufficientScope',
          'belongsToAnotherTenant',
          'upload_not_allowed',
          'notFound',
          'methodNotAllowed',
          'customerExists',
          'ibanInUse',
          'mandateNotRequestable',
          'payloadTooLarge',
          'unsupportedMediaType',
          'tooManyRequests',
          'internalError',
          'unavailable',
        ],
      },
      TokenFailure: {
        type: 'object',
        description: "A failed sign-in; `error` is the identity provider's reason.",
        'x-decision': 'D-03',
        required: ['error', 'message', 'requestId'],
        properties: {
          error: {
            type: 'string',
            description: 'The reason, `Authentication failed` or `Invalid refresh token`; `internalError` when the server itself failed.',
            examples: ['Authentication failed'],
          },
          message: {
            type: 'string',
            description: 'One sentence in English, for people.',
            examples: ['The identity provider refused the credentials.'],
          },
          requestId: {
            type: 'string',
            description: 'Identifies the request; quote it to support.',
            examples: ['0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10'],
          },
        },
      },
      Confirmation: {
        type: 'object',
        description: 'Returned by actions that return no resource.',
        required: ['message'],
        properties: {
          message: {
            type: 'string',
            description: 'What was done, in English.',
            examples: ['The customer is archived.'],
          },
        },
      },
      TokenRequest: {
        description: 'One of two forms.',
        oneOf: [
          { $ref: '#/components/schemas/SignInRequest' },
          { $ref: '#/components/schemas/RefreshRequest' },
        ],
      },
      SignInRequest: {
        type: 'object',
        description: 'Sign in with username and password.',
        additionalProperties: false,
        required: ['username', 'password'],
        properties: {
          username: {
            type: 'string',
            description: "The user's login.",
            minLength: 1,
            maxLength: 254,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['els.maes@kantoor-maes.example'],
          },
          password: {
            type: 'string',
            description: "The user's password, encoded in Base64 (of its UTF-8 bytes); a plain-text password fails.",
            maxLength: 1024,
            format: 'password',
            examples: ['emVlci1nZWhlaW0tMjAyNg=='],
          },
        },
      },
      RefreshRequest: {
        type: 'object',
        description: 'Refresh the ID token.',
        additionalProperties: false,
        required: ['refreshToken'],
        properties: {
          refreshToken: {
            type: 'string',
            description: 'The refresh token of a previous sign-in.',
            maxLength: 4096,
            examples: ['adx_refresh_w1m4n5Zc0bq7uH2yq9r8tF3kVx6LdPsA'],
          },
        },
      },
      Tokens: {
        type: 'object',
        description: 'The answer of the identity provider.',
        required: ['idToken'],
        properties: {
          idToken: {
            type: 'string',
            description: 'The ID token; send it as `Authorization: Bearer <ID_TOKEN>`. Valid for 1 hour.',
            examples: ['eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiI2NzNmMGMyYSJ9.c2lnbmF0dXJl'],
          },
          refreshToken: {
            type: 'string',
            description: 'Only after a sign-in. Valid for 30 days; it stays in use when the ID token is refreshed.',
            examples: ['adx_refresh_w1m4n5Zc0bq7uH2yq9r8tF3kVx6LdPsA'],
          },
        },
      },
      Customer: {
        type: 'object',
        description: 'A client company of the accounting firm. Fields without a value are omitted; arrays are always present.',
        required: [
          'id',
          'enterpriseNumber',
          'name',
          'address',
          'contact',
          'isConfidential',
          'bankAccounts',
          'payrollProviders',
          'createdOn',
          'updatedOn',
        ],
        properties: {
          id: {
            type: 'string',
            description: 'Identifier of the customer.',
            pattern: '^[0-9a-f]{24}$',
            'x-decision': 'D-12',
            examples: ['673f0c2a9b1d4e8f7a6c5b4d'],
          },
          enterpriseNumber: {
            type: 'string',
            description: 'Belgian enterprise number without the country prefix; unique in the whole service.',
            pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$',
            examples: ['0765.432.146'],
          },
          name: {
            type: 'string',
            description: 'Name of the company.',
            minLength: 1,
            maxLength: 200,
            pattern: '^(?!\\s*$)[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Bakkerij De Gouden Korst'],
          },
          accountingRef: {
            type: 'string',
            description: "The partner's internal reference for the customer.",
            minLength: 1,
            maxLength: 100,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['K-0042'],
          },
          address: { $ref: '#/components/schemas/Address' },
          contact: { $ref: '#/components/schemas/Contact' },
          isConfidential: {
            type: 'boolean',
            description: 'Confidential customers are visible only to users with the Administrator access level.',
            examples: [false],
          },
          bankAccounts: {
            type: 'array',
            description: 'Active bank accounts, in the order they were added.',
            items: { $ref: '#/components/schemas/BankAccount' },
          },
          payrollProviders: {
            type: 'array',
            description: 'Active payroll providers, in the order they were added.',
            items: { $ref: '#/components/schemas/PayrollProvider' },
          },
          createdOn: {
            type: 'string',
            format: 'date-time',
            'x-decision': 'D-12',
            description: 'When the customer was created, UTC.',
            examples: ['2026-03-02T08:15:30.120Z'],
          },
          updatedOn: {
            type: 'string',
            format: 'date-time',
            'x-decision': 'D-12',
            description: 'When the customer last changed, its bank accounts and payroll providers included, UTC.',
            examples: ['2026-03-02T08:15:30.120Z'],
          },
        },
      },
      Address: {
        type: 'object',
        description: 'Address of a customer.',
        required: ['street', 'zipCode', 'municipality', 'country'],
        properties: {
          street: {
            type: 'string',
            description: 'Street and number.',
            minLength: 1,
            maxLength: 200,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Veldstraat 12'],
          },
          street2: {
            type: 'string',
            description: 'Second line of the address.',
            minLength: 1,
            maxLength: 200,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['bus 3'],
          },
          zipCode: {
            type: 'string',
            description: 'Postal code.',
            minLength: 1,
            maxLength: 20,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['9000'],
          },
          municipality: {
            type: 'string',
            description: 'Municipality.',
            minLength: 1,
            maxLength: 100,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Gent'],
          },
          country: {
            type: 'string',
            description: 'Country.',
            minLength: 1,
            maxLength: 100,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['België'],
          },
        },
      },
      Contact: {
        type: 'object',
        description: 'The person to whom mandate signature requests are sent.',
        required: ['name', 'function', 'email', 'language'],
        properties: {
          name: {
            type: 'string',
            description: 'Name of the person.',
            minLength: 1,
            maxLength: 200,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Jan Vermeulen'],
          },
          function: {
            type: 'string',
            description: 'Function of the person in the company.',
            minLength: 1,
            maxLength: 200,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Zaakvoerder'],
          },
          email: {
            type: 'string',
            format: 'email',
            description: 'E-mail address; signature requests are sent to it.',
            maxLength: 254,
            examples: ['jan@goudenkorst.example'],
          },
          language: { $ref: '#/components/schemas/Language' },
        },
      },
      Language: {
        type: 'string',
        description: 'Language of the mails and the signing page.',
        'x-decision': 'D-13',
        enum: ['fr', 'nl', 'de', 'en'],
        examples: ['nl'],
      },
      BankAccount: {
        type: 'object',
        description: 'An active bank account of a customer.',
        'x-decision': 'D-17',
        required: ['iban', 'currency'],
        properties: {
          iban: {
            type: 'string',
            description: 'The IBAN, without spaces, in capitals.',
            examples: ['BE71096123456769'],
          },
          currency: {
            type: 'string',
            description: 'Currency of the account, ISO 4217.',
            examples: ['EUR'],
          },
          bic: {
            type: 'string',
            description: 'BIC derived from the IBAN, in groups; omitted when the bank is not known.',
            pattern: '^[A-Z0-9]{4} [A-Z]{2} [A-Z0-9]{2}( [A-Z0-9]{3})?$',
            examples: ['GKCC BE BB'],
          },
          bankName: {
            type: 'string',
            description: 'Name of the bank derived from the IBAN; omitted when the bank is not known.',
            examples: ['BELFIUS BANK'],
          },
          connectorId: {
            type: 'integer',
            description: 'Present only when the account is served through a light connector.',
            examples: [3],
          },
        },
      },
      PayrollProvider: {
        type: 'object',
        description: 'A payroll provider (social secretariat).',
        required: ['code', 'nameFr', 'nameNl'],
        properties: {
          code: {
            type: 'string',
            description: 'Code of the provider; `***other***` means a provider that the service does not handle.',
            examples: ['sdworx'],
          },
          nameFr: {
            type: 'string',
            description: 'French name.',
            examples: ['SD Worx Secrétariat Social'],
          },
          nameNl: {
            type: 'string',
            description: 'Dutch name.',
            examples: ['SD Worx Sociaal Secretariaat'],
          },
        },
      },
      CreateCustomerRequest: {
        type: 'object',
        description: 'A new customer.',
        additionalProperties: false,
        required: ['enterpriseNumber', 'name', 'accountingRef', 'address', 'contact'],
        properties: {
          enterpriseNumber: {
            type: 'string',
            description: 'Belgian enterprise number without the country prefix; its check digits are validated.',
            pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$',
            examples: ['0765.432.146'],
          },
          name: {
            type: 'string',
            description: 'Name of the company; not blank.',
            minLength: 1,
            maxLength: 200,
            pattern: '^(?!\\s*$)[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Bakkerij De Gouden Korst'],
          },
          accountingRef: {
            type: 'string',
            description: "The partner's internal reference for the customer; an empty string when there is none.",
            maxLength: 100,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['K-0042'],
          },
          address: { $ref: '#/components/schemas/NewAddress' },
          contact: { $ref: '#/components/schemas/NewContact' },
          bankAccounts: {
            type: 'array',
            description: 'Bank accounts to link; naming one twice links it once.',
            maxItems: 100,
            items: { $ref: '#/components/schemas/NewBankAccount' },
          },
          payrollProviders: {
            type: 'array',
            description: 'Payroll providers to link; naming one twice links it once.',
            maxItems: 100,
            items: { $ref: '#/components/schemas/NewPayrollProvider' },
          },
        },
      },
      NewAddress: {
        type: 'object',
        description: 'Address of a new customer.',
        additionalProperties: false,
        required: ['street', 'zipCode', 'municipality', 'country'],
        properties: {
          street: {
            type: 'string',
            description: 'Street and number.',
            minLength: 1,
            maxLength: 200,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Veldstraat 12'],
          },
          street2: {
            type: 'string',
            description: 'Second line of the address.',
            maxLength: 200,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['bus 3'],
          },
          zipCode: {
            type: 'string',
            description: 'Postal code.',
            minLength: 1,
            maxLength: 20,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['9000'],
          },
          municipality: {
            type: 'string',
            description: 'Municipality.',
            minLength: 1,
            maxLength: 100,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Gent'],
          },
          country: {
            type: 'string',
            description: 'Country.',
            minLength: 1,
            maxLength: 100,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['België'],
          },
        },
      },
      NewContact: {
        type: 'object',
        description: 'Contact of a new customer; all fields are required.',
        additionalProperties: false,
        required: ['name', 'function', 'email', 'language'],
        properties: {
          name: {
            type: 'string',
            description: 'Name of the person.',
            minLength: 1,
            maxLength: 200,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Jan Vermeulen'],
          },
          function: {
            type: 'string',
            description: 'Function of the person in the company.',
            minLength: 1,
            maxLength: 200,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Zaakvoerder'],
          },
          email: {
            type: 'string',
            format: 'email',
            description: 'E-mail address; signature requests are sent to it.',
            maxLength: 254,
            examples: ['jan@goudenkorst.example'],
          },
          language: { $ref: '#/components/schemas/Language' },
        },
      },
      NewBankAccount: {
        type: 'object',
        description: 'A bank account to link.',
        additionalProperties: false,
        required: ['iban'],
        properties: {
          iban: {
            type: 'string',
            description: 'The IBAN; spaces are removed and letters uppercased before use.',
            minLength: 1,
            maxLength: 64,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['BE71 0961 2345 6769'],
          },
        },
      },
      NewPayrollProvider: {
        type: 'object',
        description: 'A payroll provider to link.',
        additionalProperties: false,
        required: ['code'],
        properties: {
          code: {
            type: 'string',
            description: 'A code of *List payroll providers*.',
            minLength: 1,
            maxLength: 50,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['sdworx'],
          },
        },
      },
      UpdateCustomerRequest: {
        type: 'object',
        description: 'The fields to change; absent fields keep their value.',
        'x-decision': 'D-14',
        additionalProperties: false,
        properties: {
          name: {
            type: 'string',
            description: 'Name of the company; not blank.',
            minLength: 1,
            maxLength: 200,
            pattern: '^(?!\\s*$)[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Bakkerij De Gouden Korst BV'],
          },
          accountingRef: {
            type: 'string',
            description: "The partner's internal reference for the customer; an empty string clears it.",
            maxLength: 100,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['K-0042'],
          },
          address: { $ref: '#/components/schemas/AddressChange' },
          contact: { $ref: '#/components/schemas/ContactChange' },
        },
      },
      AddressChange: {
        type: 'object',
        description: 'The fields of the address to change.',
        additionalProperties: false,
        properties: {
          street: {
            type: 'string',
            description: 'Street and number.',
            minLength: 1,
            maxLength: 200,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Veldstraat 12'],
          },
          street2: {
            type: 'string',
            description: 'Second line of the address. An empty string clears it.',
            maxLength: 200,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['bus 3'],
          },
          zipCode: {
            type: 'string',
            description: 'Postal code.',
            minLength: 1,
            maxLength: 20,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['9000'],
          },
          municipality: {
            type: 'string',
            description: 'Municipality.',
            minLength: 1,
            maxLength: 100,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Gent'],
          },
          country: {
            type: 'string',
            description: 'Country.',
            minLength: 1,
            maxLength: 100,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['België'],
          },
        },
      },
      ContactChange: {
        type: 'object',
        description: 'The fields of the contact to change.',
        additionalProperties: false,
        properties: {
          name: {
            type: 'string',
            description: 'Name of the person.',
            minLength: 1,
            maxLength: 200,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Jan Vermeulen'],
          },
          function: {
            type: 'string',
            description: 'Function of the person in the company.',
            minLength: 1,
            maxLength: 200,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Zaakvoerder'],
          },
          email: {
            type: 'string',
            format: 'email',
            description: 'E-mail address; signature requests are sent to it.',
            maxLength: 254,
            examples: ['jan@goudenkorst.example'],
          },
          language: { $ref: '#/components/schemas/Language' },
        },
      },
      CustomerPage: {
        type: 'object',
        description: 'One page of customers.',
        required: ['records', 'recordsTotal', 'recordsFiltered'],
        properties: {
          records: {
            type: 'array',
            description: 'This page.',
            items: { $ref: '#/components/schemas/Customer' },
          },
          recordsTotal: {
            type: 'integer',
            minimum: 0,
            description: 'Records visible to the user, before filters.',
            examples: [40],
          },
          recordsFiltered: {
            type: 'integer',
            minimum: 0,
            description: 'Records that match the filters.',
            examples: [1],
          },
        },
      },
      SearchCustomersRequest: {
        type: 'object',
        description: 'Filters and page; all filters must match.',
        'x-decision': 'D-07',
        additionalProperties: false,
        properties: {
          search: {
            type: 'string',
            description: 'Text in the name, the enterprise number (with or without dots) or the accounting reference; upper and lower case are alike, `%` and `_` mean themselves.',
            maxLength: 200,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['bakkerij'],
          },
          enterpriseNumber: {
            type: 'string',
            description: 'Exact enterprise number.',
            pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$',
            examples: ['0765.432.146'],
          },
          accountingRef: {
            type: 'string',
            description: 'Exact accounting reference.',
            minLength: 1,
            maxLength: 100,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['K-0042'],
          },
          iban: {
            type: 'string',
            description: 'Exact IBAN of an active bank account; spaces and case are ignored.',
            minLength: 1,
            maxLength: 64,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['BE71 0961 2345 6769'],
          },
          limit: {
            type: 'integer',
            minimum: 1,
            default: 50,
            description: 'Length of a page; more than 200 counts as 200.',
            'x-decision': 'D-06',
            examples: [50],
          },
          offset: {
            type: 'integer',
            minimum: 0,
            maximum: 9007199254740991,
            default: 0,
            description: 'How many records to skip; past the end the page is empty.',
            'x-decision': 'D-06',
            examples: [0],
          },
        },
      },
      PayrollProviderPage: {
        type: 'object',
        description: 'One page of payroll providers.',
        required: ['records', 'recordsTotal', 'recordsFiltered'],
        properties: {
          records: {
            type: 'array',
            description: 'This page.',
            items: { $ref: '#/components/schemas/PayrollProvider' },
          },
          recordsTotal: {
            type: 'integer',
            minimum: 0,
            description: 'Records visible to the user, before filters.',
            examples: [40],
          },
          recordsFiltered: {
            type: 'integer',
            minimum: 0,
            description: 'Records that match the filters.',
            examples: [1],
          },
        },
      },
      ListPayrollProvidersRequest: {
        type: 'object',
        description: 'The page.',
        additionalProperties: false,
        properties: {
          limit: {
            type: 'integer',
            minimum: 1,
            default: 50,
            description: 'Length of a page; more than 200 counts as 200.',
            'x-decision': 'D-06',
            examples: [50],
          },
          offset: {
            type: 'integer',
            minimum: 0,
            maximum: 9007199254740991,
            default: 0,
            description: 'How many records to skip; past the end the page is empty.',
            'x-decision': 'D-06',
            examples: [0],
          },
        },
      },
      BankPage: {
        type: 'object',
        description: 'One page of banks.',
        required: ['records', 'recordsTotal', 'recordsFiltered'],
        properties: {
          records: {
            type: 'array',
            description: 'This page.',
            items: { $ref: '#/components/schemas/Bank' },
          },
          recordsTotal: {
            type: 'integer',
            minimum: 0,
            description: 'Records visible to the user, before filters.',
            examples: [40],
          },
          recordsFiltered: {
            type: 'integer',
            minimum: 0,
            description: 'Records that match the filters.',
            examples: [1],
          },
        },
      },
      ListBanksRequest: {
        type: 'object',
        description: 'The page.',
        additionalProperties: false,
        properties: {
          limit: {
            type: 'integer',
            minimum: 1,
            default: 50,
            description: 'Length of a page; more than 200 counts as 200.',
            'x-decision': 'D-06',
            examples: [50],
          },
          offset: {
            type: 'integer',
            minimum: 0,
            maximum: 9007199254740991,
            default: 0,
            description: 'How many records to skip; past the end the page is empty.',
            'x-decision': 'D-06',
            examples: [0],
          },
        },
      },
      Bank: {
        type: 'object',
        description: 'A Belgian bank.',
        'x-decision': 'D-11',
        required: ['bic', 'name', 'codaSupported'],
        properties: {
          bic: {
            type: 'string',
            description: 'The BIC, in groups.',
            pattern: '^[A-Z0-9]{4} [A-Z]{2} [A-Z0-9]{2}( [A-Z0-9]{3})?$',
            examples: ['GKCC BE BB'],
          },
          name: { type: 'string', description: 'Name of the bank.', examples: ['BELFIUS BANK'] },
          codaSupported: {
            type: 'boolean',
            description: 'Whether a CODA mandate can be requested at this bank.',
            examples: [true],
          },
          connectorId: {
            type: 'integer',
            description: 'Present only when the bank is served through a light connector.',
            examples: [3],
          },
        },
      },
      MandatePage: {
        type: 'object',
        description: 'One page of mandates.',
        required: ['records', 'recordsTotal', 'recordsFiltered'],
        properties: {
          records: {
            type: 'array',
            description: 'This page.',
            items: { $ref: '#/components/schemas/Mandate' },
          },
          recordsTotal: {
            type: 'integer',
            minimum: 0,
            description: 'Records visible to the user, before filters.',
            examples: [40],
          },
          recordsFiltered: {
            type: 'integer',
            minimum: 0,
            description: 'Records that match the filters.',
            examples: [1],
          },
        },
      },
      Mandate: {
        description: 'A CODA or a CODB mandate; `product` tells which.',
        'x-decision': 'D-10',
        oneOf: [
          { $ref: '#/components/schemas/CodaMandate' },
          { $ref: '#/components/schemas/CodbMandate' },
        ],
        discriminator: {
          propertyName: 'product',
          mapping: {
            CODA: '#/components/schemas/CodaMandate',
            CODB: '#/components/schemas/CodbMandate',
          },
        },
      },
      CodaMandate: {
        type: 'object',
        description: 'A mandate for the statements of one bank account.',
        'x-decision': 'D-10',
        required: [
          'id',
          'product',
          'status',
          'customerId',
          'customerName',
          'enterpriseNumber',
          'iban',
          'createdOn',
          'updatedOn',
        ],
        properties: {
          id: {
            type: 'string',
            description: 'Identifier of the mandate.',
            pattern: '^[0-9a-f]{24}$',
            'x-decision': 'D-12',
            examples: ['6740a1f2c3d4e5f6a7b8c9d0'],
          },
          product: {
            type: 'string',
            const: 'CODA',
            description: 'The product.',
            examples: ['CODA'],
          },
          status: {
            type: 'string',
            description: 'Where the mandate stands; `finished` means active (signed, and files are being received), `confirmedByBank` confirmed but no file received yet, `renewalRequired` an expired light-connector consent.',
            enum: [
              'created',
              'waitingForSigner',
              'expired',
              'rejectedBySigner',
              'waitingForBank',
              'confirmedByBank',
              'rejectedByBank',
              'unsupportedBank',
              'finished',
              'renewalRequired',
              'error',
            ],
            examples: ['waitingForSigner'],
          },
          customerId: {
            type: 'string',
            description: 'Identifier of the customer.',
            pattern: '^[0-9a-f]{24}$',
            'x-decision': 'D-12',
            examples: ['673f0c2a9b1d4e8f7a6c5b4d'],
          },
          customerName: {
            type: 'string',
            description: 'Name of the customer.',
            examples: ['Bakkerij De Gouden Korst'],
          },
          enterpriseNumber: {
            type: 'string',
            description: 'Enterprise number of the customer.',
            pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$',
            examples: ['0765.432.146'],
          },
          iban: {
            type: 'string',
            description: 'The bank account.',
            pattern: '^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$',
            examples: ['BE71096123456769'],
          },
          bic: {
            type: 'string',
            description: 'BIC of the bank, in groups; omitted when it is not known.',
            pattern: '^[A-Z0-9]{4} [A-Z]{2} [A-Z0-9]{2}( [A-Z0-9]{3})?$',
            examples: ['GKCC BE BB'],
          },
          bankName: {
            type: 'string',
            description: 'Name of the bank; omitted when it is not known.',
            examples: ['BELFIUS BANK'],
          },
          connectorId: {
            type: 'integer',
            description: 'Present only for consents of a light connector.',
            examples: [3],
          },
          validUntil: {
            type: 'string',
            format: 'date',
            description: 'End of a light-connector consent; after it the status becomes `renewalRequired`.',
            examples: ['2026-08-29'],
          },
          error: { $ref: '#/components/schemas/MandateError' },
          createdOn: {
            type: 'string',
            format: 'date-time',
            'x-decision': 'D-12',
            description: 'When the mandate was created, UTC.',
            examples: ['2026-03-02T08:15:30.120Z'],
          },
          updatedOn: {
            type: 'string',
            format: 'date-time',
            'x-decision': 'D-12',
            description: 'When the mandate last changed, UTC.',
            examples: ['2026-03-02T08:15:30.120Z'],
          },
        },
      },
      CodbMandate: {
        type: 'object',
        description: 'A mandate for the files of one payroll provider.',
        'x-decision': 'D-10',
        required: [
          'id',
          'product',
          'status',
          'customerId',
          'customerName',
          'enterpriseNumber',
          'payrollProviderCode',
          'payrollProviderNameFr',
          'payrollProviderNameNl',
          'createdOn',
          'updatedOn',
        ],
        properties: {
          id: {
            type: 'string',
            description: 'Identifier of the mandate.',
            pattern: '^[0-9a-f]{24}$',
            'x-decision': 'D-12',
            examples: ['6740a1f2c3d4e5f6a7b8c9d0'],
          },
          product: {
            type: 'string',
            const: 'CODB',
            description: 'The product.',
            examples: ['CODB'],
          },
          status: {
            type: 'string',
            description: 'Where the mandate stands; `finished` means active (signed, and files are being received).',
            enum: [
              'created',
              'waitingForSigner',
              'expired',
              'rejectedBySigner',
              'waitingForPayrollProvider',
              'rejectedByPayrollProvider',
              'unsupportedPayrollProvider',
              'finished',
              'error',
            ],
            examples: ['waitingForSigner'],
          },
          customerId: {
            type: 'string',
            description: 'Identifier of the customer.',
            pattern: '^[0-9a-f]{24}$',
            'x-decision': 'D-12',
            examples: ['673f0c2a9b1d4e8f7a6c5b4d'],
          },
          customerName: {
            type: 'string',
            description: 'Name of the customer.',
            examples: ['Bakkerij De Gouden Korst'],
          },
          enterpriseNumber: {
            type: 'string',
            description: 'Enterprise number of the customer.',
            pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$',
            examples: ['0765.432.146'],
          },
          payrollProviderCode: {
            type: 'string',
            description: 'Code of the payroll provider.',
            examples: ['sdworx'],
          },
          payrollProviderNameFr: {
            type: 'string',
            description: 'French name of the payroll provider.',
            examples: ['SD Worx Secrétariat Social'],
          },
          payrollProviderNameNl: {
            type: 'string',
            description: 'Dutch name of the payroll provider.',
            examples: ['SD Worx Sociaal Secretariaat'],
          },
          error: { $ref: '#/components/schemas/MandateError' },
          createdOn: {
            type: 'string',
            format: 'date-time',
            'x-decision': 'D-12',
            description: 'When the mandate was created, UTC.',
            examples: ['2026-03-02T08:15:30.120Z'],
          },
          updatedOn: {
            type: 'string',
            format: 'date-time',
            'x-decision': 'D-12',
            description: 'When the mandate last changed, UTC.',
            examples: ['2026-03-02T08:15:30.120Z'],
          },
        },
      },
      MandateError: {
        type: 'object',
        description: 'Why the mandate is in `error`; present only then.',
        'x-decision': 'D-10',
        required: ['code', 'message'],
        properties: {
          code: {
            type: 'string',
            description: "`recipientRefused` when the contact's address was refused, `deliveryFailed` otherwise.",
            enum: ['deliveryFailed', 'recipientRefused'],
            examples: ['deliveryFailed'],
          },
          message: {
            type: 'string',
            description: 'One sentence in English.',
            examples: ['The signature request could not be delivered to the contact.'],
          },
        },
      },
      MandateStatus: {
        type: 'string',
        'x-decision': 'D-24',
        description: 'A status of CODA or CODB mandates.',
        enum: [
          'created',
          'waitingForSigner',
          'expired',
          'rejectedBySigner',
          'waitingForBank',
          'confirmedByBank',
          'rejectedByBank',
          'unsupportedBank',
          'finished',
          'renewalRequired',
          'error',
          'waitingForPayrollProvider',
          'rejectedByPayrollProvider',
          'unsupportedPayrollProvider',
        ],
      },
      SearchMandatesRequest: {
        type: 'object',
        description: 'Filters, order and page; all filters must match.',
        additionalProperties: false,
        properties: {
          customerId: {
            type: 'string',
            description: 'Mandates of this customer.',
            pattern: '^[0-9a-fA-F]{24}$',
            examples: ['673f0c2a9b1d4e8f7a6c5b4d'],
          },
          enterpriseNumber: {
            type: 'string',
            description: 'Mandates of the customer with this enterprise number.',
            pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$',
            examples: ['0765.432.146'],
          },
          iban: {
            type: 'string',
            description: 'Mandates of this bank account; spaces and case are ignored.',
            minLength: 1,
            maxLength: 64,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['BE71 0961 2345 6769'],
          },
          payrollProviderCode: {
            type: 'string',
            description: 'Mandates of this payroll provider.',
            minLength: 1,
            maxLength: 50,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['sdworx'],
          },
          product: {
            type: 'string',
            description: 'Mandates of this product.',
            enum: ['CODA', 'CODB'],
            examples: ['CODA'],
          },
          status: {
            description: 'Mandates with this status, or with one of these; `finished` ones only when `includeFinished` is true too.',
            oneOf: [
              { $ref: '#/components/schemas/MandateStatus' },
              {
                type: 'array',
                description: 'Several statuses.',
                minItems: 1,
                maxItems: 20,
                items: { $ref: '#/components/schemas/MandateStatus' },
              },
            ],
            examples: ['waitingForSigner'],
          },
          includeFinished: {
            type: 'boolean',
            default: false,
            description: 'Also list mandates with status `finished`, which are left out otherwise.',
            examples: [true],
          },
          updatedSince: {
            type: 'string',
            format: 'date-time',
            'x-decision': 'D-26',
            description: 'Mandates created or updated at or after this instant, ISO 8601 with `Z` or an offset; what follows its milliseconds is ignored. Used to poll for changes.',
            examples: ['2026-03-02T08:00:00+01:00'],
          },
          sort: {
            type: 'string',
            default: 'createdOn',
            description: 'What to sort by.',
            enum: [
              'createdOn',
              'updatedOn',
              'customerName',
              'customerEnterpriseNumber',
              'ibanNumber',
              'status',
              'bankName',
              'payrollProviderCode',
            ],
            examples: ['updatedOn'],
          },
          sortDirection: {
            type: 'string',
            default: 'desc',
            description: '`asc` or `desc`; any value other than `asc` sorts descending.',
            examples: ['asc'],
          },
          limit: {
            type: 'integer',
            minimum: 1,
            default: 50,
            description: 'Length of a page; more than 200 counts as 200.',
            'x-decision': 'D-06',
            examples: [50],
          },
          offset: {
            type: 'integer',
            minimum: 0,
            maximum: 9007199254740991,
            default: 0,
            description: 'How many records to skip; past the end the page is empty.',
            'x-decision': 'D-06',
            examples: [0],
          },
        },
      },
      DateRange: {
        type: 'object',
        description: 'Dates, both inclusive; `from` after `to` is refused.',
        'x-decision': 'D-08',
        additionalProperties: false,
        properties: {
          from: {
            type: 'string',
            format: 'date',
            description: 'First date.',
            examples: ['2026-03-01'],
          },
          to: {
            type: 'string',
            format: 'date',
            description: 'Last date.',
            examples: ['2026-03-31'],
          },
        },
      },
      NumberRange: {
        type: 'object',
        description: 'Numbers, both inclusive; `from` after `to` is refused.',
        'x-decision': 'D-08',
        additionalProperties: false,
        properties: {
          from: {
            type: 'integer',
            minimum: 0,
            maximum: 9007199254740991,
            description: 'First number.',
            examples: [1],
          },
          to: {
            type: 'integer',
            minimum: 0,
            maximum: 9007199254740991,
            description: 'Last number.',
            examples: [50],
          },
        },
      },
      ListCodaFilesRequest: {
        type: 'object',
        description: 'Filters; all must match.',
        'x-decision': 'D-09',
        additionalProperties: false,
        properties: {
          redownload: {
            type: 'boolean',
            default: false,
            description: 'Also list files already acknowledged with this API key and user.',
            examples: [true],
          },
          customer: {
            type: 'string',
            description: 'Name of the customer, exact but for case.',
            minLength: 1,
            maxLength: 200,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Bakkerij De Gouden Korst'],
          },
          enterpriseNumber: {
            type: 'string',
            description: 'Enterprise number of the customer.',
            pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$',
            examples: ['0765.432.146'],
          },
          iban: {
            type: 'string',
            description: 'The bank account; spaces and case are ignored.',
            minLength: 1,
            maxLength: 64,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['BE71 0961 2345 6769'],
          },
          currency: {
            type: 'string',
            description: 'Currency of the account, ISO 4217.',
            pattern: '^[A-Z]{3}$',
            examples: ['EUR'],
          },
          statementDate: {
            $ref: '#/components/schemas/DateRange',
            description: 'Date of the statement, both ends inclusive.',
            examples: [{ from: '2026-03-01', to: '2026-03-31' }],
          },
          processingDate: {
            $ref: '#/components/schemas/DateRange',
            description: 'Date on which the service processed the file, both ends inclusive.',
            examples: [{ from: '2026-03-02' }],
          },
          statementNumber: {
            $ref: '#/components/schemas/NumberRange',
            description: 'Sequence number of the statement, both ends inclusive.',
            examples: [{ from: 40, to: 45 }],
          },
          includePdf: {
            type: 'boolean',
            default: false,
            description: 'Also return a download URL of the PDF of each file.',
            examples: [true],
          },
        },
      },
      ListCodbFilesRequest: {
        type: 'object',
        description: 'Filters; all must match.',
        additionalProperties: false,
        properties: {
          redownload: {
            type: 'boolean',
            default: false,
            description: 'Also list files already acknowledged with this API key and user.',
            examples: [true],
          },
          customer: {
            type: 'string',
            description: 'Name of the customer, exact but for case.',
            minLength: 1,
            maxLength: 200,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['Bakkerij De Gouden Korst'],
          },
          enterpriseNumber: {
            type: 'string',
            description: 'Enterprise number of the customer.',
            pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$',
            examples: ['0765.432.146'],
          },
          payrollProvider: {
            type: 'string',
            description: 'Name of the payroll provider as the files write it.',
            minLength: 1,
            maxLength: 200,
            pattern: '^[^\\p{Cc}\\p{Cs}]*$',
            examples: ['SD Worx'],
          },
          accountPeriod: {
            type: 'integer',
            description: 'Exact booking period, `YYYYMM`.',
            minimum: 100001,
            maximum: 999912,
            examples: [202602],
          },
          statementDate: {
            $ref: '#/components/schemas/DateRange',
            description: 'Date on which the provider generated the file, both ends inclusive.',
            examples: [{ from: '2026-03-01', to: '2026-03-31' }],
          },
          processingDate: {
            $ref: '#/components/schemas/DateRange',
            description: 'Date on which the service processed the file, both ends inclusive.',
            examples: [{ from: '2026-03-02' }],
          },
          statementNumber: {
            $ref: '#/components/schemas/NumberRange',
            description: 'Sequence number of the file, both ends inclusive.',
            examples: [{ from: 40, to: 45 }],
          },
          includePdf: {
            type: 'boolean',
            default: false,
            description: 'Also return a download URL of the PDF of each file.',
            examples: [true],
          },
        },
      },
      CodaCustomerGroup: {
        type: 'object',
        description: 'The CODA files of one customer.',
        'x-decision': 'D-09',
        required: ['id', 'name', 'enterpriseNumber', 'isConfidential', 'ibans'],
        properties: {
          id: {
            type: 'string',
            description: 'Identifier of the customer.',
            pattern: '^[0-9a-f]{24}$',
            'x-decision': 'D-12',
            examples: ['673f0c2a9b1d4e8f7a6c5b4d'],
          },
          name: {
            type: 'string',
            description: 'Name of the customer.',
            examples: ['Bakkerij De Gouden Korst'],
          },
          accountingRef: {
            type: 'string',
            description: "The partner's internal reference for the customer.",
            examples: ['K-0042'],
          },
          enterpriseNumber: {
            type: 'string',
            description: 'Enterprise number of the customer.',
            pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$',
            examples: ['0765.432.146'],
          },
          isConfidential: {
            type: 'boolean',
            description: 'Whether the customer is confidential.',
            examples: [false],
          },
          ibans: {
            type: 'array',
            description: 'One entry per IBAN, currency and statement year.',
            items: { $ref: '#/components/schemas/CodaIbanGroup' },
          },
        },
      },
      CodaIbanGroup: {
        type: 'object',
        description: 'The CODA files of one IBAN, currency and year.',
        'x-decision': 'D-09',
        required: ['iban', 'currency', 'year', 'files'],
        properties: {
          iban: {
            type: 'string',
            description: 'The bank account.',
            examples: ['BE71096123456769'],
          },
          currency: {
            type: 'string',
            description: 'Currency of the account, ISO 4217.',
            examples: ['EUR'],
          },
          year: { type: 'integer', description: 'Year of the statements.', examples: [2026] },
          files: {
            type: 'array',
            description: 'The files, by statement number.',
            items: { $ref: '#/components/schemas/CodaFile' },
          },
        },
      },
      CodaFile: {
        type: 'object',
        description: 'A CODA file.',
        required: ['id', 'fileName', 'statementDate', 'statementNumber', 'processedOn', 'urls'],
        properties: {
          id: {
            type: 'string',
            description: 'Identifier of the file; acknowledge it by this.',
            pattern: '^[0-9a-f]{24}$',
            'x-decision': 'D-12',
            examples: ['6741b2c3d4e5f6a7b8c9d0e1'],
          },
          fileName: {
            type: 'string',
            description: 'Name of the file.',
            examples: ['BE71096123456769_EUR_2026_042.cod'],
          },
          statementDate: {
            type: 'string',
            format: 'date',
            description: 'Date of the statement.',
            examples: ['2026-03-02'],
          },
          statementNumber: {
            type: 'integer',
            description: 'Sequence number of the statement.',
            examples: [42],
          },
          processedOn: {
            type: 'string',
            format: 'date-time',
            'x-decision': 'D-12',
            description: 'When the service processed the file, UTC.',
            examples: ['2026-03-03T05:12:44.310Z'],
          },
          urls: { $ref: '#/components/schemas/CodaFileUrls' },
        },
      },
      CodaFileUrls: {
        type: 'object',
        description: 'Pre-signed download URLs, valid for 30 minutes.',
        required: ['coda'],
        properties: {
          coda: {
            type: 'string',
            format: 'uri',
            description: 'Downloads the file.',
            examples: ['https://files.example.org/6741b2c3?X-Amz-Expires=1800'],
          },
          pdf: {
            type: 'string',
            format: 'uri',
            description: 'Downloads the PDF; present only when `includePdf` is true.',
            examples: ['https://files.example.org/6741b2c3.pdf?X-Amz-Expires=1800'],
          },
        },
      },
      CodbCustomerGroup: {
        type: 'object',
        description: 'The CODB files of one customer.',
        required: ['id', 'name', 'enterpriseNumber', 'isConfidential', 'payrollProviders'],
        properties: {
          id: {
            type: 'string',
            description: 'Identifier of the customer.',
            pattern: '^[0-9a-f]{24}$',
            'x-decision': 'D-12',
            examples: ['673f0c2a9b1d4e8f7a6c5b4d'],
          },
          name: {
            type: 'string',
            description: 'Name of the customer.',
            examples: ['Bakkerij De Gouden Korst'],
          },
          accountingRef: {
            type: 'string',
            description: "The partner's internal reference for the customer.",
            examples: ['K-0042'],
          },
          enterpriseNumber: {
            type: 'string',
            description: 'Enterprise number of the customer.',
            pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$',
            examples: ['0765.432.146'],
          },
          isConfidential: {
            type: 'boolean',
            description: 'Whether the customer is confidential.',
            examples: [false],
          },
          payrollProviders: {
            type: 'array',
            description: 'One entry per payroll provider and year.',
            items: { $ref: '#/components/schemas/CodbProviderGroup' },
          },
        },
      },
      CodbProviderGroup: {
        type: 'object',
        description: 'The CODB files of one payroll provider and year.',
        required: ['payrollProvider', 'year', 'files'],
        properties: {
          payrollProvider: {
            type: 'string',
            description: 'Name of the payroll provider as the files write it.',
            examples: ['SD Worx'],
          },
          year: { type: 'integer', description: 'Year of the booking periods.', examples: [2026] },
          files: {
            type: 'array',
            description: 'The files, by statement number.',
            items: { $ref: '#/components/schemas/CodbFile' },
          },
        },
      },
      CodbFile: {
        type: 'object',
        description: 'A CODB file.',
        required: [
          'id',
          'fileName',
          'statementDate',
          'statementNumber',
          'accountPeriod',
          'processedOn',
          'urls',
        ],
        properties: {
          id: {
            type: 'string',
            description: 'Identifier of the file; acknowledge it by this.',
            pattern: '^[0-9a-f]{24}$',
            'x-decision': 'D-12',
            examples: ['6741b2c3d4e5f6a7b8c9d0e1'],
          },
          fileName: {
            type: 'string',
            description: 'Name of the file.',
            examples: ['0765432146_SD-Worx_202602_7.xml'],
          },
          statementDate: {
            type: 'string',
            format: 'date',
            description: 'Date of the statement.',
            examples: ['2026-02-28'],
          },
          statementNumber: {
            type: 'integer',
            description: 'Sequence number of the statement.',
            examples: [7],
          },
          accountPeriod: {
            type: 'integer',
            description: 'Booking period, `YYYYMM`.',
            examples: [202602],
          },
          processedOn: {
            type: 'string',
            format: 'date-time',
            'x-decision': 'D-12',
            description: 'When the service processed the file, UTC.',
            examples: ['2026-03-03T05:12:44.310Z'],
          },
          urls: { $ref: '#/components/schemas/CodbFileUrls' },
        },
      },
      CodbFileUrls: {
        type: 'object',
        description: 'Pre-signed download URLs, valid for 30 minutes.',
        required: ['codb'],
        properties: {
          codb: {
            type: 'string',
            format: 'uri',
            description: 'Downloads the file.',
            examples: ['https://files.example.org/6741b2c3?X-Amz-Expires=1800'],
          },
          pdf: {
            type: 'string',
            format: 'uri',
            description: 'Downloads the PDF; present only when `includePdf` is true.',
            examples: ['https://files.example.org/6741b2c3.pdf?X-Amz-Expires=1800'],
          },
        },
      },
      UploadCredentials: {
        type: 'object',
        description: 'Temporary S3 credentials for putting files under a prefix.',
        'x-decision': ['D-19', 'D-31'],
        required: [
          'accessKeyId',
          'secretAccessKey',
          'sessionToken',
          'bucketName',
          'prefix',
          'expirationUtc',
        ],
        properties: {
          accessKeyId: {
            type: 'string',
            description: 'Temporary object-storage key.',
            examples: ['ASIAEXAMPLEKEY000001'],
          },
          secretAccessKey: {
            type: 'string',
            description: 'Its secret.',
            examples: ['c2VjcmV0LWFjY2Vzcy1rZXktZXhhbXBsZQ'],
          },
          sessionToken: {
            type: 'string',
            description: 'Its session token.',
            examples: ['ZXhhbXBsZS1zZXNzaW9uLXRva2Vu'],
          },
          bucketName: {
            type: 'string',
            description: 'The bucket to put files into; each product has its own.',
            examples: ['adx-coda-uploads'],
          },
          prefix: {
            type: 'string',
            description: `Key prefix to upload under, of the form \`uploads/<tenant>\`. Each issue of credentials has a
prefix of its own, so that files of the same name do not overwrite each other.
`,
            examples: ['uploads/kantoor-maes-4f7a6c-674052e5b8e3d2a9f1c47b06'],
          },
          expirationUtc: {
            type: 'string',
            format: 'date-time',
            description: 'When the credentials expire, UTC.',
            examples: ['2026-03-03T06:12:44.000Z'],
          },
        },
      },
    },
  },
};

/** openapi.yaml as it is written. */
export const specYaml = `openapi: 3.1.0
info:
  title: Accounting Data Exchange
  version: '1.0'
  summary: Customers, mandates, bank statements and payroll files of Belgian accounting firms
  license:
    name: MIT
    identifier: MIT
  description: |
    The Accounting Data Exchange lets partner software (accounting tools, practice management
    software, sync agents) work for a Belgian **accounting firm**:

    - manage the firm's **customers**, their **bank accounts** (IBANs) and **payroll providers**
      (social secretariats);
    - follow the **mandates** that let statements and payroll files flow: CODA mandates, one per
      bank account, and CODB mandates, one per payroll provider;
    - list, download and **acknowledge** CODA files (bank statements) and CODB files (payroll
      bookings), and upload such files;
    - read **reference data**: banks and payroll providers.

    The firm is always derived from the ID token. It is never sent as a parameter, and a user sees
    only the data of the own firm, and of it only the customers the user may access.

    ## Authentication

    Every call carries two credentials:

    | Credential | Header | Identifies | Sent on |
    |---|---|---|---|
    | API key | \`x-api-key: <API_KEY>\` | the partner software; issued by the operator of the service | every call |
    | ID token | \`Authorization: Bearer <ID_TOKEN>\` | the user and the accounting firm | every call except \`POST /token\` |

    1. Sign in once with [\`POST /token\`](#operation/getToken): the user's login and the password
       **encoded in Base64**. The answer holds an \`idToken\`, valid for 1 hour, and a \`refreshToken\`,
       valid for 30 days.
    2. When the ID token expires, calls answer \`401 tokenExpired\`. Send the \`refreshToken\` to
       \`POST /token\`: the answer holds a new \`idToken\` only, and the refresh token stays in use.
    3. When the refresh token has expired too, sign in again.

    What the API key may do is controlled by **scopes**, named at each operation. What the user may
    see is controlled by the user's access level and assignments: users other than administrators
    do not see confidential customers, some users see only the customers assigned to them, and users
    with the *Portal only* access level cannot use the interface at all (\`401 portalOnly\`).

    Checks happen in this order: API key, ID token, access level, scope, body, visibility.

    Each path has one spelling: upper and lower case count, and it does not end in a slash, so that
    \`/v1/Customers\` and \`/v1/customers/\` answer \`404 notFound\`. A request target with a fragment, or
    in absolute form (\`GET https://…\`), answers \`400 validationFailed\` before all other checks.

    ## Paging

    *Search customers*, *Search mandates*, *List banks* and *List payroll providers* are paginated.
    They take \`limit\` (default 50, more than 200 counts as 200) and \`offset\` (default 0) in the body,
    and answer an envelope:

    | Field | Meaning |
    |---|---|
    | \`records\` | this page |
    | \`recordsTotal\` | records visible to the user, before filters |
    | \`recordsFiltered\` | records that match the filters |

    To read everything, increase \`offset\` by the number of records received until it reaches
    \`recordsFiltered\`. An \`offset\`
    past the end gives an empty page. The other lists answer a plain array with every match.
    A list that is a \`POST\` always needs a JSON body, at least \`{}\`.

    ## Errors

    Every error has the same shape:

    \`\`\`json
    {
      "error": "unknownField",
      "message": "The request holds fields that this operation does not know.",
      "requestId": "0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10",
      "fields": ["address.foo"]
    }
    \`\`\`

    | Field | Meaning |
    |---|---|
    | \`error\` | a stable code: program against it |
    | \`message\` | one sentence in English, for people; it may change |
    | \`requestId\` | also in the \`X-Request-Id\` header: quote it to support |
    | \`fields\` | with \`unknownField\`: every unknown field, up to 100, nested ones dotted |
    | \`details\` | with validation errors: \`path\` and \`message\` of each finding, up to 100 |

    Unknown fields are refused everywhere, nested ones too, so that a misspelt optional field is
    never silently lost. What a user may not see answers \`404 notFound\`, never \`403\`.
    On \`POST /token\` a failed sign-in answers \`500\` with the identity provider's reason in \`error\`;
    it is not a failure of the server.

    ## Limits

    An API key may make a number of calls per minute, 1200 unless the operator set another. Beyond it,
    and after ten failed sign-ins of one user within a quarter of an hour, the answer is
    \`429 tooManyRequests\`; \`Retry-After\` says how many seconds to wait, and \`RateLimit\` which limit it
    was. A body may have 64 KiB, otherwise the answer is \`413 payloadTooLarge\`.

    ## Acknowledging

    A file is listed until it is acknowledged. Download it, store it safely, then acknowledge it: it
    is no longer listed **for the same API key and user**, so several partners and users each receive
    every file. Nothing is deleted: \`redownload: true\` lists acknowledged files again. Files arrive in
    the morning; asking twice a day suffices. Download URLs are valid for 30 minutes.

    ## Versioning

    The version is a segment of the path: the base URL ends in \`/v1\`. Within \`/v1\` changes are
    additions only: new operations, new optional request fields, new response fields, new values of
    the error code. Clients ignore response fields they do not know. Production and staging are
    separate deployments with their own credentials.
servers:
  - url: https://{host}/v1
    description: A deployment of the service; production and staging each have their own host.
    variables:
      host:
        default: adx.example.org
        description: Host of the deployment.
  - url: http://127.0.0.1:3000/v1
    description: The service on your own machine, as npm start runs it.
tags:
  - name: Sign-in
    description: Obtain ID tokens and check that both credentials are accepted.
  - name: Customers
    description: |
      The firm's customers (client companies) with their bank accounts and payroll providers.
      Linking a bank account or a payroll provider starts a mandate, and the customer's contact is
      asked to sign it.
  - name: Reference data
    description: Belgian banks and payroll providers (social secretariats).
  - name: Mandates
    description: |
      The customer's consent that statements (CODA) or payroll files (CODB) are delivered to the firm.
      Linking a bank account starts a CODA mandate, linking a payroll provider a CODB mandate, and one
      message asks the customer's contact to sign all that were linked together. Unlinking closes the
      mandate: it is no longer listed. The CODA mandate of an account that is served through a light
      connector is a consent for 180 days.

      | Status                       | Product | What leads to it |
      | ---------------------------- | ------- | ---------------- |
      | \`created\`                    | both    | The account or provider was linked, or the mandate was requested again. |
      | \`unsupportedBank\`            | CODA    | The account was linked; its bank delivers no statements. |
      | \`unsupportedPayrollProvider\` | CODB    | The provider was linked; it delivers no files. |
      | \`waitingForSigner\`           | both    | From \`created\`: the signature request was sent to the contact. |
      | \`error\`                      | both    | From \`created\`: the signature request could not be delivered. From \`waitingForSigner\`: its message came back. |
      | \`rejectedBySigner\`           | both    | From \`waitingForSigner\`: the contact declined. |
      | \`expired\`                    | both    | From \`waitingForSigner\`: the contact did not answer within 30 days. |
      | \`waitingForBank\`             | CODA    | From \`waitingForSigner\`: the contact signed. |
      | \`confirmedByBank\`            | CODA    | From \`waitingForBank\`: the bank confirmed; no file has come yet. |
      | \`rejectedByBank\`             | CODA    | From \`waitingForBank\`: the bank refused. |
      | \`waitingForPayrollProvider\`  | CODB    | From \`waitingForSigner\`: the contact signed. |
      | \`rejectedByPayrollProvider\`  | CODB    | From \`waitingForPayrollProvider\`: the provider refused. |
      | \`finished\`                   | both    | From \`waitingForBank\`, \`confirmedByBank\` or \`waitingForPayrollProvider\`: the first file came. From \`waitingForSigner\`, through a light connector: the contact signed. |
      | \`renewalRequired\`            | CODA    | From \`finished\`, through a light connector: \`validUntil\` has passed. |

      *Request mandate* leads back to \`created\` from \`expired\`, \`rejectedBySigner\`, \`renewalRequired\`
      and \`error\`. Read changes by polling *Search mandates* with \`updatedSince\`.
  - name: CODA files
    description: Bank statements, one file per statement.
  - name: CODB files
    description: Payroll booking files of the payroll providers.
paths:
  /token:
    post:
      operationId: getToken
      x-client-method: auth.token
      x-no-id-token: true
      x-no-scope: true
      x-idempotent: true
      tags: [Sign-in]
      summary: Get or refresh token
      description: |
        Signs a user in, or refreshes the ID token. Only the API key is required.

        With \`username\` and \`password\` the answer holds an \`idToken\` (1 hour) and a \`refreshToken\`
        (30 days). With \`refreshToken\` alone it holds a new \`idToken\` only; the refresh token stays
        in use. The password is sent encoded in Base64 (of its UTF-8 bytes); a plain-text password
        fails. A failed sign-in answers \`500\` with the identity provider's reason.
      security:
        - apiKey: []
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: '#/components/schemas/TokenRequest'
            examples:
              signIn:
                summary: Sign in with username and password
                value:
                  username: els.maes@kantoor-maes.example
                  password: emVlci1nZWhlaW0tMjAyNg==
              refresh:
                summary: Refresh the ID token
                value:
                  refreshToken: adx_refresh_w1m4n5Zc0bq7uH2yq9r8tF3kVx6LdPsA
      responses:
        '200':
          description: The tokens.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Tokens'
              examples:
                signIn:
                  summary: After a sign-in
                  value:
                    idToken: eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiI2NzNmMGMyYSJ9.c2lnbmF0dXJl
                    refreshToken: adx_refresh_w1m4n5Zc0bq7uH2yq9r8tF3kVx6LdPsA
                refresh:
                  summary: After a refresh
                  value:
                    idToken: eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiI2NzNmMGMyYSJ9.c2lnbmF0dXJl
        '400':
          $ref: '#/components/responses/TokenBadRequest'
        '403':
          $ref: '#/components/responses/ApiKeyRefused'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '413':
          $ref: '#/components/responses/PayloadTooLarge'
        '415':
          $ref: '#/components/responses/UnsupportedMediaType'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/TokenFailed'
        '503':
          $ref: '#/components/responses/Unavailable'
  /hello-world:
    get:
      operationId: helloWorld
      x-client-method: auth.hello
      x-no-scope: true
      x-decision: D-01
      tags: [Sign-in]
      summary: Hello world
      description: |
        A connectivity check: answers when both the API key and the ID token are accepted.
        No scope is needed.
      security:
        - apiKey: []
          idToken: []
      responses:
        '200':
          description: Both credentials are accepted.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Confirmation'
              examples:
                hello:
                  summary: Accepted
                  value:
                    message: Hello world. The API key and the ID token are accepted.
        '400':
          $ref: '#/components/responses/UnknownQuery'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/ApiKeyRefused'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
  /customers:
    get:
      operationId: listCustomers
      x-client-method: customers.list
      x-decision: [D-01, D-07]
      tags: [Customers]
      summary: List all customers
      description: |
        Every customer the user may access, as a plain array in the order of *Search customers*
        (name, then \`id\`). Not paginated: the answer is streamed, however long it is.
      security:
        - apiKey: ['customers:read']
          idToken: []
      responses:
        '200':
          description: The customers.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                type: array
                description: Every customer the user may access.
                items:
                  $ref: '#/components/schemas/Customer'
              examples:
                customers:
                  $ref: '#/components/examples/CustomerList'
        '400':
          $ref: '#/components/responses/UnknownQuery'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
    post:
      operationId: searchCustomers
      x-client-method: customers.search
      x-idempotent: true
      x-paginated: true
      x-decision: [D-01, D-07]
      tags: [Customers]
      summary: Search customers
      description: |
        Searches the customers the user may access, one page at a time, sorted by name
        (case-insensitive), then \`id\`. Filters are combined: a customer must match all of them.
      security:
        - apiKey: ['customers:read']
          idToken: []
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: '#/components/schemas/SearchCustomersRequest'
            examples:
              everything:
                summary: The first page of all customers
                value: {}
              text:
                summary: By text, second page of 20
                value:
                  search: bakkerij
                  limit: 20
                  offset: 20
              iban:
                summary: The customer of a bank account
                value:
                  iban: BE71 0961 2345 6769
      responses:
        '200':
          description: One page of customers.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/CustomerPage'
              examples:
                page:
                  $ref: '#/components/examples/CustomerPage'
        '400':
          $ref: '#/components/responses/BadRequest'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '413':
          $ref: '#/components/responses/PayloadTooLarge'
        '415':
          $ref: '#/components/responses/UnsupportedMediaType'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
  /customers/create:
    post:
      operationId: createCustomer
      x-client-method: customers.create
      x-decision: [D-01, D-16, D-21]
      tags: [Customers]
      summary: Create customer
      description: |
        Registers a customer with its contact and, optionally, its bank accounts and payroll
        providers. A mandate is created for each of them, and one signature request is sent to the
        contact.

        An enterprise number can be registered once in the whole service. When another accounting
        firm has registered it, the answer is \`403 belongsToAnotherTenant\`: a transfer requires the
        agreement of the end customer; contact support.

        A customer created by a user who sees only assigned customers is assigned to that user.
      security:
        - apiKey: ['customers:write']
          idToken: []
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: '#/components/schemas/CreateCustomerRequest'
            examples:
              complete:
                summary: With a bank account and a payroll provider
                value:
                  enterpriseNumber: 0765.432.146
                  name: Bakkerij De Gouden Korst
                  accountingRef: K-0042
                  address:
                    street: Veldstraat 12
                    street2: bus 3
                    zipCode: '9000'
                    municipality: Gent
                    country: België
                  contact:
                    name: Jan Vermeulen
                    function: Zaakvoerder
                    email: jan@goudenkorst.example
                    language: nl
                  bankAccounts:
                    - iban: BE71 0961 2345 6769
                  payrollProviders:
                    - code: sdworx
              minimal:
                summary: Required fields only
                value:
                  enterpriseNumber: 0812.345.603
                  name: Garage Dubois
                  accountingRef: K-0043
                  address:
                    street: Rue du Moulin 8
                    zipCode: '5000'
                    municipality: Namur
                    country: Belgique
                  contact:
                    name: Claire Dubois
                    function: Gérante
                    email: claire@garagedubois.example
                    language: fr
      responses:
        '200':
          description: The customer.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Customer'
              examples:
                customer:
                  $ref: '#/components/examples/Customer'
        '400':
          $ref: '#/components/responses/CreateCustomerBadRequest'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/CreateCustomerForbidden'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '409':
          $ref: '#/components/responses/CreateCustomerConflict'
        '413':
          $ref: '#/components/responses/PayloadTooLarge'
        '415':
          $ref: '#/components/responses/UnsupportedMediaType'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
  /customers/{customerId}:
    get:
      operationId: getCustomer
      x-client-method: customers.get
      x-decision: D-01
      tags: [Customers]
      summary: Get customer
      description: |
        One customer with its active bank accounts and payroll providers.
      security:
        - apiKey: ['customers:read']
          idToken: []
      parameters:
        - $ref: '#/components/parameters/customerId'
      responses:
        '200':
          description: The customer.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Customer'
              examples:
                customer:
                  $ref: '#/components/examples/Customer'
        '400':
          $ref: '#/components/responses/BadPath'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '404':
          $ref: '#/components/responses/NotFound'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
    patch:
      operationId: updateCustomer
      x-client-method: customers.update
      x-decision: [D-01, D-14]
      tags: [Customers]
      summary: Update customer
      description: |
        Updates the fields that are sent, and only those; nested objects merge field by field.
        An empty string clears an optional text field. An empty object changes nothing.

        \`enterpriseNumber\` cannot be changed. Bank accounts and payroll providers are changed by
        their own operations only.
      security:
        - apiKey: ['customers:write']
          idToken: []
      parameters:
        - $ref: '#/components/parameters/customerId'
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: '#/components/schemas/UpdateCustomerRequest'
            examples:
              rename:
                summary: Another name
                value:
                  name: Bakkerij De Gouden Korst BV
              contact:
                summary: Another e-mail address, and no second address line
                value:
                  address:
                    street2: ''
                  contact:
                    email: info@goudenkorst.example
      responses:
        '200':
          description: The updated customer.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Customer'
              examples:
                customer:
                  $ref: '#/components/examples/Customer'
        '400':
          $ref: '#/components/responses/BadRequest'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '404':
          $ref: '#/components/responses/NotFound'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '413':
          $ref: '#/components/responses/PayloadTooLarge'
        '415':
          $ref: '#/components/responses/UnsupportedMediaType'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
    delete:
      operationId: archiveCustomer
      x-client-method: customers.archive
      x-decision: [D-01, D-16]
      tags: [Customers]
      summary: Archive customer
      description: |
        Archives a customer: it is no longer listed or found, its bank accounts and payroll
        providers are closed, and its enterprise number and IBANs are free again. Files that were
        received stay stored.
      security:
        - apiKey: ['customers:delete']
          idToken: []
      parameters:
        - $ref: '#/components/parameters/customerId'
      responses:
        '200':
          description: The customer is archived.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Confirmation'
              examples:
                archived:
                  summary: Archived
                  value:
                    message: The customer is archived.
        '400':
          $ref: '#/components/responses/BadPath'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '404':
          $ref: '#/components/responses/NotFound'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
  /customers/{customerId}/bank-accounts/{iban}:
    post:
      operationId: addBankAccount
      x-client-method: customers.addBankAccount
      x-idempotent: true
      x-decision: [D-01, D-15]
      tags: [Customers]
      summary: Add bank account
      description: |
        Links a bank account to a customer, which creates its mandate and asks the contact to sign
        it. Spaces in the IBAN are removed and letters uppercased. No body is sent. Adding an
        account that the customer already has returns it.
      security:
        - apiKey: ['customers:write']
          idToken: []
      parameters:
        - $ref: '#/components/parameters/customerId'
        - $ref: '#/components/parameters/iban'
      responses:
        '200':
          description: The bank account.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/BankAccount'
              examples:
                belfius:
                  summary: An account at Belfius
                  value:
                    iban: BE71096123456769
                    currency: EUR
                    bic: GKCC BE BB
                    bankName: BELFIUS BANK
        '400':
          $ref: '#/components/responses/IbanBadRequest'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '404':
          $ref: '#/components/responses/NotFound'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '409':
          $ref: '#/components/responses/IbanInUse'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
    delete:
      operationId: disableBankAccount
      x-client-method: customers.disableBankAccount
      x-decision: [D-01, D-15]
      tags: [Customers]
      summary: Disable bank account
      description: |
        Disables a bank account: it disappears from the customer's \`bankAccounts\`, its mandate is
        closed, and the IBAN is free again.
      security:
        - apiKey: ['customers:delete']
          idToken: []
      parameters:
        - $ref: '#/components/parameters/customerId'
        - $ref: '#/components/parameters/iban'
      responses:
        '200':
          description: The bank account is disabled.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Confirmation'
              examples:
                disabled:
                  summary: Disabled
                  value:
                    message: The bank account is disabled.
        '400':
          $ref: '#/components/responses/IbanBadRequest'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '404':
          $ref: '#/components/responses/NotFound'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
  /customers/{customerId}/payroll-providers/{code}:
    post:
      operationId: addPayrollProvider
      x-client-method: customers.addPayrollProvider
      x-idempotent: true
      x-decision: [D-01, D-15]
      tags: [Customers]
      summary: Add payroll provider
      description: |
        Links a payroll provider to a customer, which creates its mandate and asks the contact to
        sign it. \`code\` is a code of *List payroll providers*. No body is sent. Adding a provider
        that the customer already has returns it.
      security:
        - apiKey: ['customers:write']
          idToken: []
      parameters:
        - $ref: '#/components/parameters/customerId'
        - $ref: '#/components/parameters/payrollProviderCode'
      responses:
        '200':
          description: The payroll provider.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/PayrollProvider'
              examples:
                sdworx:
                  summary: SD Worx
                  value:
                    code: sdworx
                    nameFr: SD Worx Secrétariat Social
                    nameNl: SD Worx Sociaal Secretariaat
        '400':
          $ref: '#/components/responses/PayrollProviderBadRequest'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '404':
          $ref: '#/components/responses/NotFound'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
    delete:
      operationId: removePayrollProvider
      x-client-method: customers.removePayrollProvider
      x-decision: [D-01, D-15]
      tags: [Customers]
      summary: Remove payroll provider
      description: |
        Removes a payroll provider from a customer: it disappears from \`payrollProviders\` and its
        mandate is closed.
      security:
        - apiKey: ['customers:delete']
          idToken: []
      parameters:
        - $ref: '#/components/parameters/customerId'
        - $ref: '#/components/parameters/payrollProviderCode'
      responses:
        '200':
          description: The payroll provider is removed.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Confirmation'
              examples:
                removed:
                  summary: Removed
                  value:
                    message: The payroll provider is removed.
        '400':
          $ref: '#/components/responses/BadPath'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '404':
          $ref: '#/components/responses/NotFound'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
  /payroll-providers:
    post:
      operationId: listPayrollProviders
      x-client-method: payrollProviders.list
      x-idempotent: true
      x-paginated: true
      x-decision: [D-01, D-11]
      tags: [Reference data]
      summary: List payroll providers
      description: |
        The payroll providers (social secretariats) that a customer can be linked to, sorted by
        code. The code \`***other***\` stands for a provider that the service does not handle.
      security:
        - apiKey: ['customers:read']
          idToken: []
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: '#/components/schemas/ListPayrollProvidersRequest'
            examples:
              everything:
                summary: The first page
                value: {}
              second:
                summary: The second page of 20
                value:
                  limit: 20
                  offset: 20
      responses:
        '200':
          description: One page of payroll providers.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/PayrollProviderPage'
              examples:
                page:
                  summary: The first two of 11
                  value:
                    records:
                      - code: '***other***'
                        nameFr: Autre
                        nameNl: Andere
                      - code: acerta
                        nameFr: Acerta Secrétariat Social
                        nameNl: Acerta Sociaal Secretariaat
                    recordsTotal: 11
                    recordsFiltered: 11
        '400':
          $ref: '#/components/responses/BadRequest'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '413':
          $ref: '#/components/responses/PayloadTooLarge'
        '415':
          $ref: '#/components/responses/UnsupportedMediaType'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
  /banks:
    post:
      operationId: listBanks
      x-client-method: banks.list
      x-idempotent: true
      x-paginated: true
      x-decision: [D-01, D-11]
      tags: [Reference data]
      summary: List banks
      description: |
        Belgian banks, sorted by name. \`codaSupported\` tells whether a CODA mandate can be requested
        at the bank.
      security:
        - apiKey: ['customers:read']
          idToken: []
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: '#/components/schemas/ListBanksRequest'
            examples:
              everything:
                summary: The first page
                value: {}
              second:
                summary: The second page of 20
                value:
                  limit: 20
                  offset: 20
      responses:
        '200':
          description: One page of banks.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/BankPage'
              examples:
                page:
                  summary: The first two of 98
                  value:
                    records:
                      - bic: ABNA BE 2A
                        name: ABN AMRO Bank N.V.
                        codaSupported: true
                      - bic: ABNA BE 2A IDJ
                        name: ABN AMRO Bank N.V.
                        codaSupported: true
                    recordsTotal: 98
                    recordsFiltered: 98
        '400':
          $ref: '#/components/responses/BadRequest'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '413':
          $ref: '#/components/responses/PayloadTooLarge'
        '415':
          $ref: '#/components/responses/UnsupportedMediaType'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
  /mandates:
    post:
      operationId: searchMandates
      x-client-method: mandates.search
      x-idempotent: true
      x-paginated: true
      x-changes:
        method: changes
        since: updatedSince
        changedOn: updatedOn
        with: { includeFinished: true, sort: updatedOn, sortDirection: asc }
      x-decision: [D-01, D-10]
      tags: [Mandates]
      summary: Search mandates
      description: |
        Searches the mandates of the customers the user may access, one page at a time. Mandates with
        status \`finished\` are left out unless \`includeFinished\` is true, also where \`status\` names
        \`finished\`. Those whose account or provider is no longer linked are never listed.

        Mandates with the same value are sorted by \`id\`, in the same direction. Those without a value,
        such as CODB mandates sorted by \`ibanNumber\`, come last when ascending and first when descending.

        To poll for changes, send the greatest \`updatedOn\` seen so far as \`updatedSince\`, with
        \`includeFinished\` true. Changes become visible in the order of \`updatedOn\`, so that none is
        missed; the mandate it was taken from comes again.
      security:
        - apiKey: ['mandates:read']
          idToken: []
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: '#/components/schemas/SearchMandatesRequest'
            examples:
              changes:
                summary: What changed since the last poll
                value:
                  updatedSince: '2026-03-02T08:00:00+01:00'
                  includeFinished: true
                  sort: updatedOn
                  sortDirection: asc
                  limit: 200
              waiting:
                summary: Mandates that wait for someone
                value:
                  status: [waitingForSigner, waitingForBank]
      responses:
        '200':
          description: One page of mandates.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/MandatePage'
              examples:
                page:
                  summary: A mandate that waits for its signer
                  value:
                    records:
                      - id: 6740a1f2c3d4e5f6a7b8c9d0
                        product: CODA
                        status: waitingForSigner
                        customerId: 673f0c2a9b1d4e8f7a6c5b4d
                        customerName: Bakkerij De Gouden Korst
                        enterpriseNumber: 0765.432.146
                        iban: BE71096123456769
                        bic: GKCC BE BB
                        bankName: BELFIUS BANK
                        createdOn: '2026-03-02T08:15:30.120Z'
                        updatedOn: '2026-03-02T08:15:31.004Z'
                    recordsTotal: 12
                    recordsFiltered: 1
        '400':
          $ref: '#/components/responses/BadRequest'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '413':
          $ref: '#/components/responses/PayloadTooLarge'
        '415':
          $ref: '#/components/responses/UnsupportedMediaType'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
  /mandates/{mandateId}:
    get:
      operationId: getMandate
      x-client-method: mandates.get
      x-decision: [D-01, D-10]
      tags: [Mandates]
      summary: Get mandate
      description: |
        One mandate: where it stands, what it is for, and why it is in \`error\`. When its bank account or
        payroll provider is no longer linked to the customer, the answer is \`404\`.
      security:
        - apiKey: ['mandates:read']
          idToken: []
      parameters:
        - $ref: '#/components/parameters/mandateId'
      responses:
        '200':
          description: The mandate.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Mandate'
              examples:
                coda:
                  summary: A CODA mandate
                  value:
                    id: 6740a1f2c3d4e5f6a7b8c9d0
                    product: CODA
                    status: finished
                    customerId: 673f0c2a9b1d4e8f7a6c5b4d
                    customerName: Bakkerij De Gouden Korst
                    enterpriseNumber: 0765.432.146
                    iban: BE71096123456769
                    bic: GKCC BE BB
                    bankName: BELFIUS BANK
                    createdOn: '2026-03-02T08:15:30.120Z'
                    updatedOn: '2026-03-09T05:02:11.480Z'
                codb:
                  summary: A CODB mandate in error
                  value:
                    id: 6740a1f2c3d4e5f6a7b8c9d1
                    product: CODB
                    status: error
                    customerId: 673f0c2a9b1d4e8f7a6c5b4d
                    customerName: Bakkerij De Gouden Korst
                    enterpriseNumber: 0765.432.146
                    payrollProviderCode: sdworx
                    payrollProviderNameFr: SD Worx Secrétariat Social
                    payrollProviderNameNl: SD Worx Sociaal Secretariaat
                    error:
                      code: deliveryFailed
                      message: The signature request could not be delivered to the contact.
                    createdOn: '2026-03-02T08:15:30.121Z'
                    updatedOn: '2026-03-03T08:16:02.377Z'
        '400':
          $ref: '#/components/responses/BadPath'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '404':
          $ref: '#/components/responses/NotFound'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
  /mandates/{mandateId}/request:
    post:
      operationId: requestMandate
      x-client-method: mandates.request
      x-decision: D-01
      tags: [Mandates]
      summary: Request mandate
      description: |
        Asks the contact to sign again, when the mandate is \`expired\`, \`rejectedBySigner\`,
        \`renewalRequired\` or in \`error\`: it is \`created\` again, and a new message goes to the contact's
        present address. In every other status the answer is \`409 mandateNotRequestable\`, also when
        another call has just requested it. No body is sent.
      security:
        - apiKey: ['mandates:write']
          idToken: []
      parameters:
        - $ref: '#/components/parameters/mandateId'
      responses:
        '200':
          description: The mandate, requested again.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Mandate'
              examples:
                requested:
                  summary: Requested again
                  value:
                    id: 6740a1f2c3d4e5f6a7b8c9d0
                    product: CODA
                    status: created
                    customerId: 673f0c2a9b1d4e8f7a6c5b4d
                    customerName: Bakkerij De Gouden Korst
                    enterpriseNumber: 0765.432.146
                    iban: BE71096123456769
                    bic: GKCC BE BB
                    bankName: BELFIUS BANK
                    createdOn: '2026-03-02T08:15:30.120Z'
                    updatedOn: '2026-04-07T09:41:55.902Z'
        '400':
          $ref: '#/components/responses/BadPath'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '404':
          $ref: '#/components/responses/NotFound'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '409':
          $ref: '#/components/responses/MandateNotRequestable'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
  /coda-files:
    post:
      operationId: listCodaFiles
      x-client-method: codaFiles.list
      x-idempotent: true
      x-download: { method: download, file: CodaFile, kind: coda }
      x-decision: [D-01, D-09]
      tags: [CODA files]
      summary: List CODA files
      description: |
        The bank statements of the customers the user may access, grouped by customer, then by IBAN,
        currency and statement year. Files already acknowledged with this API key and user are hidden
        unless \`redownload\` is true. Not paginated: the answer is streamed.
      security:
        - apiKey: ['files:read']
          idToken: []
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: '#/components/schemas/ListCodaFilesRequest'
            examples:
              everything:
                summary: Everything not yet acknowledged
                value: {}
              march:
                summary: The statements of March, again, with PDF
                value:
                  iban: BE71 0961 2345 6769
                  statementDate:
                    from: '2026-03-01'
                    to: '2026-03-31'
                  redownload: true
                  includePdf: true
      responses:
        '200':
          description: The files, grouped by customer.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                type: array
                description: One group per customer.
                items:
                  $ref: '#/components/schemas/CodaCustomerGroup'
              examples:
                files:
                  summary: One statement
                  value:
                    - id: 673f0c2a9b1d4e8f7a6c5b4d
                      name: Bakkerij De Gouden Korst
                      accountingRef: K-0042
                      enterpriseNumber: 0765.432.146
                      isConfidential: false
                      ibans:
                        - iban: BE71096123456769
                          currency: EUR
                          year: 2026
                          files:
                            - id: 6741b2c3d4e5f6a7b8c9d0e1
                              fileName: BE71096123456769_EUR_2026_042.cod
                              statementDate: '2026-03-02'
                              statementNumber: 42
                              processedOn: '2026-03-03T05:12:44.310Z'
                              urls:
                                coda: https://files.example.org/statements/6741b2c3?X-Amz-Expires=1800
        '400':
          $ref: '#/components/responses/BadRequest'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '413':
          $ref: '#/components/responses/PayloadTooLarge'
        '415':
          $ref: '#/components/responses/UnsupportedMediaType'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
  /coda-files/{fileId}:
    delete:
      operationId: acknowledgeCodaFile
      x-client-method: codaFiles.acknowledge
      x-decision: [D-01, D-15]
      tags: [CODA files]
      summary: Acknowledge CODA file
      description: |
        Confirms that the file was received: it is no longer listed for the same API key and user
        unless \`redownload\` is true. Acknowledging twice is fine. The file is not deleted.
      security:
        - apiKey: ['files:read']
          idToken: []
      parameters:
        - $ref: '#/components/parameters/fileId'
      responses:
        '200':
          description: The file is acknowledged.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Confirmation'
              examples:
                acknowledged:
                  summary: Acknowledged
                  value:
                    message: The file is acknowledged.
        '400':
          $ref: '#/components/responses/BadPath'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '404':
          $ref: '#/components/responses/NotFound'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
  /coda-files/upload-credentials:
    post:
      operationId: getCodaUploadCredentials
      x-client-method: codaFiles.uploadCredentials
      x-idempotent: true
      x-upload: { method: upload }
      x-decision: [D-01, D-19, D-31]
      tags: [CODA files]
      summary: Get CODA upload credentials
      description: |
        Temporary S3 credentials that allow putting CODA files under \`<bucketName>/<prefix>/\`, and
        nothing else. No body is sent.
      security:
        - apiKey: ['files:write']
          idToken: []
      responses:
        '200':
          description: The credentials.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/UploadCredentials'
              examples:
                credentials:
                  summary: Credentials for one hour
                  value:
                    accessKeyId: ASIAEXAMPLEKEY000001
                    secretAccessKey: c2VjcmV0LWFjY2Vzcy1rZXktZXhhbXBsZQ
                    sessionToken: ZXhhbXBsZS1zZXNzaW9uLXRva2Vu
                    bucketName: adx-coda-uploads
                    prefix: uploads/kantoor-maes-4f7a6c-674052e5b8e3d2a9f1c47b06
                    expirationUtc: '2026-03-03T06:12:44.000Z'
        '400':
          $ref: '#/components/responses/UnknownQuery'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
  /codb-files:
    post:
      operationId: listCodbFiles
      x-client-method: codbFiles.list
      x-idempotent: true
      x-download: { method: download, file: CodbFile, kind: codb }
      x-decision: [D-01, D-08]
      tags: [CODB files]
      summary: List CODB files
      description: |
        The payroll files of the customers the user may access, grouped by customer, then by payroll
        provider and year. Files already acknowledged with this API key and user are hidden unless
        \`redownload\` is true. Not paginated: the answer is streamed. Files arrive in the morning.
      security:
        - apiKey: ['files:read']
          idToken: []
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: '#/components/schemas/ListCodbFilesRequest'
            examples:
              everything:
                summary: Everything not yet acknowledged
                value: {}
              february:
                summary: The bookings of February 2026
                value:
                  accountPeriod: 202602
                  payrollProvider: SD Worx
      responses:
        '200':
          description: The files, grouped by customer.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                type: array
                description: One group per customer.
                items:
                  $ref: '#/components/schemas/CodbCustomerGroup'
              examples:
                files:
                  summary: One payroll file
                  value:
                    - id: 673f0c2a9b1d4e8f7a6c5b4d
                      name: Bakkerij De Gouden Korst
                      accountingRef: K-0042
                      enterpriseNumber: 0765.432.146
                      isConfidential: false
                      payrollProviders:
                        - payrollProvider: SD Worx
                          year: 2026
                          files:
                            - id: 6741b2c3d4e5f6a7b8c9d0e2
                              fileName: 0765432146_SD-Worx_202602_7.xml
                              statementDate: '2026-02-28'
                              statementNumber: 7
                              accountPeriod: 202602
                              processedOn: '2026-03-03T05:14:02.118Z'
                              urls:
                                codb: https://files.example.org/payroll/6741b2c3?X-Amz-Expires=1800
        '400':
          $ref: '#/components/responses/BadRequest'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '413':
          $ref: '#/components/responses/PayloadTooLarge'
        '415':
          $ref: '#/components/responses/UnsupportedMediaType'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
  /codb-files/{fileId}:
    delete:
      operationId: acknowledgeCodbFile
      x-client-method: codbFiles.acknowledge
      x-decision: [D-01, D-15]
      tags: [CODB files]
      summary: Acknowledge CODB file
      description: |
        Confirms that the file was received: it is no longer listed for the same API key and user
        unless \`redownload\` is true. Acknowledging twice is fine. The file is not deleted.
      security:
        - apiKey: ['files:read']
          idToken: []
      parameters:
        - $ref: '#/components/parameters/fileId'
      responses:
        '200':
          description: The file is acknowledged.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Confirmation'
              examples:
                acknowledged:
                  summary: Acknowledged
                  value:
                    message: The file is acknowledged.
        '400':
          $ref: '#/components/responses/BadPath'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/Forbidden'
        '404':
          $ref: '#/components/responses/NotFound'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
  /codb-files/upload-credentials:
    post:
      operationId: getCodbUploadCredentials
      x-client-method: codbFiles.uploadCredentials
      x-idempotent: true
      x-upload: { method: upload }
      x-decision: [D-01, D-19, D-31]
      tags: [CODB files]
      summary: Get CODB upload credentials
      description: |
        Temporary S3 credentials that allow putting CODB files under \`<bucketName>/<prefix>/\`, and
        nothing else. Uploading must be enabled for the firm, otherwise the answer is
        \`403 upload_not_allowed\`. No body is sent.
      security:
        - apiKey: ['files:write']
          idToken: []
      responses:
        '200':
          description: The credentials.
          headers:
            X-Request-Id:
              $ref: '#/components/headers/X-Request-Id'
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/UploadCredentials'
              examples:
                credentials:
                  summary: Credentials for one hour
                  value:
                    accessKeyId: ASIAEXAMPLEKEY000001
                    secretAccessKey: c2VjcmV0LWFjY2Vzcy1rZXktZXhhbXBsZQ
                    sessionToken: ZXhhbXBsZS1zZXNzaW9uLXRva2Vu
                    bucketName: adx-codb-uploads
                    prefix: uploads/kantoor-maes-4f7a6c-674052e5b8e3d2a9f1c47b06
                    expirationUtc: '2026-03-03T06:12:44.000Z'
        '400':
          $ref: '#/components/responses/UnknownQuery'
        '401':
          $ref: '#/components/responses/Unauthorized'
        '403':
          $ref: '#/components/responses/UploadForbidden'
        '405':
          $ref: '#/components/responses/MethodNotAllowed'
        '429':
          $ref: '#/components/responses/TooManyRequests'
        '500':
          $ref: '#/components/responses/InternalError'
        '503':
          $ref: '#/components/responses/Unavailable'
components:
  securitySchemes:
    apiKey:
      type: apiKey
      in: header
      name: x-api-key
      description: The API key of the partner software, issued by the operator of the service.
      x-scopes:
        'customers:read': Read customers and reference data.
        'customers:write': Create and change customers, add bank accounts and payroll providers.
        'customers:delete': Archive customers, disable bank accounts, remove payroll providers.
        'mandates:read': Read mandates.
        'mandates:write': Request mandates again.
        'files:read': List, download and acknowledge CODA and CODB files.
        'files:write': Obtain upload credentials.
    idToken:
      type: http
      scheme: bearer
      bearerFormat: JWT
      description: The ID token of the user, obtained from \`POST /token\`; valid for 1 hour.
  parameters:
    customerId:
      name: customerId
      in: path
      required: true
      description: The customer's \`id\`.
      x-decision: D-12
      schema:
        type: string
        pattern: '^[0-9a-fA-F]{24}$'
      example: 673f0c2a9b1d4e8f7a6c5b4d
    iban:
      name: iban
      in: path
      required: true
      description: The IBAN; spaces are removed and letters uppercased before use.
      schema:
        type: string
        minLength: 1
        maxLength: 64
        pattern: '^[^\\p{Cc}\\p{Cs}]*$'
      example: BE71096123456769
    payrollProviderCode:
      name: code
      in: path
      required: true
      description: The payroll provider's \`code\`, from *List payroll providers*.
      schema:
        type: string
        minLength: 1
        maxLength: 50
        pattern: '^[^\\p{Cc}\\p{Cs}]*$'
      example: sdworx
    mandateId:
      name: mandateId
      in: path
      required: true
      description: The mandate's \`id\`.
      x-decision: D-12
      schema:
        type: string
        pattern: '^[0-9a-fA-F]{24}$'
      example: 6740a1f2c3d4e5f6a7b8c9d0
    fileId:
      name: fileId
      in: path
      required: true
      description: The file's \`id\` from the listing.
      x-decision: D-12
      schema:
        type: string
        pattern: '^[0-9a-fA-F]{24}$'
      example: 6741b2c3d4e5f6a7b8c9d0e1
  headers:
    X-Request-Id:
      description: Identifies the request; the same value is the \`requestId\` of an error.
      schema:
        type: string
      example: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    Retry-After:
      description: Seconds to wait before the next try.
      schema:
        type: integer
        minimum: 0
      example: 12
    RateLimit:
      description: The limit that was hit, how many calls remain, and the seconds until it is renewed.
      schema:
        type: string
      example: limit=1200, remaining=0, reset=12
    WWW-Authenticate:
      description: 'The scheme that is asked for; with \`error="invalid_token"\` where an ID token was sent.'
      schema:
        type: string
      example: Bearer error="invalid_token"
    Allow:
      description: The methods that this path has.
      schema:
        type: string
      example: GET, POST
  responses:
    BadRequest:
      description: The request was refused; nothing was done.
      x-decision: [D-03, D-05]
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            unknownField:
              $ref: '#/components/examples/listUnknownField'
            validationFailed:
              $ref: '#/components/examples/validationFailed'
            invalidJson:
              $ref: '#/components/examples/invalidJson'
    BadPath:
      description: A path parameter is malformed, or the query string is not empty.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            validationFailed:
              $ref: '#/components/examples/pathValidationFailed'
            unknownField:
              $ref: '#/components/examples/queryUnknownField'
    UnknownQuery:
      description: The query string is not empty.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            unknownField:
              $ref: '#/components/examples/queryUnknownField'
    TokenBadRequest:
      description: The request was refused, or neither form of credentials is complete.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            missingCredentials:
              $ref: '#/components/examples/missingCredentials'
            unknownField:
              $ref: '#/components/examples/tokenUnknownField'
            validationFailed:
              $ref: '#/components/examples/tokenValidationFailed'
            invalidJson:
              $ref: '#/components/examples/invalidJson'
    CreateCustomerBadRequest:
      description: The request was refused; nothing was stored.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            unknownField:
              $ref: '#/components/examples/unknownField'
            validationFailed:
              $ref: '#/components/examples/customerValidationFailed'
            invalidJson:
              $ref: '#/components/examples/invalidJson'
            invalidEnterpriseNumber:
              $ref: '#/components/examples/invalidEnterpriseNumber'
            invalidIban:
              $ref: '#/components/examples/customerInvalidIban'
            unknownPayrollProvider:
              $ref: '#/components/examples/customerUnknownPayrollProvider'
    IbanBadRequest:
      description: The IBAN or the customer identifier is malformed, or the query string is not empty.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            invalidIban:
              $ref: '#/components/examples/invalidIban'
            validationFailed:
              $ref: '#/components/examples/pathValidationFailed'
            unknownField:
              $ref: '#/components/examples/queryUnknownField'
    PayrollProviderBadRequest:
      description: The code is unknown, a path parameter is malformed, or the query string is not empty.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            unknownPayrollProvider:
              $ref: '#/components/examples/unknownPayrollProvider'
            validationFailed:
              $ref: '#/components/examples/pathValidationFailed'
            unknownField:
              $ref: '#/components/examples/queryUnknownField'
    Unauthorized:
      description: The ID token is missing, not valid or expired, or its user may not use the interface.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
        WWW-Authenticate:
          $ref: '#/components/headers/WWW-Authenticate'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            unauthorized:
              $ref: '#/components/examples/unauthorized'
            tokenExpired:
              $ref: '#/components/examples/tokenExpired'
            portalOnly:
              $ref: '#/components/examples/portalOnly'
    ApiKeyRefused:
      description: The API key is missing or not valid.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            invalidApiKey:
              $ref: '#/components/examples/invalidApiKey'
    Forbidden:
      description: The API key is missing or not valid, or lacks the scope of the operation.
      x-decision: D-04
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            invalidApiKey:
              $ref: '#/components/examples/invalidApiKey'
            insufficientScope:
              $ref: '#/components/examples/insufficientScope'
    CreateCustomerForbidden:
      description: The API key is refused, or another firm has registered the enterprise number.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            invalidApiKey:
              $ref: '#/components/examples/invalidApiKey'
            insufficientScope:
              $ref: '#/components/examples/insufficientScope'
            belongsToAnotherTenant:
              $ref: '#/components/examples/belongsToAnotherTenant'
    UploadForbidden:
      description: The API key is refused, or uploading is not enabled for the firm.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            invalidApiKey:
              $ref: '#/components/examples/invalidApiKey'
            insufficientScope:
              $ref: '#/components/examples/insufficientScope'
            upload_not_allowed:
              $ref: '#/components/examples/upload_not_allowed'
    NotFound:
      description: There is no such resource among those that the user may see.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            notFound:
              $ref: '#/components/examples/notFound'
    MethodNotAllowed:
      description: Another method was used on this path; the \`Allow\` header names those it has.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
        Allow:
          $ref: '#/components/headers/Allow'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            methodNotAllowed:
              $ref: '#/components/examples/methodNotAllowed'
    CreateCustomerConflict:
      description: The firm has the customer already, or an IBAN is in use.
      x-decision: D-16
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            customerExists:
              $ref: '#/components/examples/customerExists'
            ibanInUse:
              $ref: '#/components/examples/customerIbanInUse'
    IbanInUse:
      description: The IBAN is an active bank account of another customer.
      x-decision: D-16
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            ibanInUse:
              $ref: '#/components/examples/ibanInUse'
    MandateNotRequestable:
      description: The status of the mandate does not allow a new request.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            mandateNotRequestable:
              $ref: '#/components/examples/mandateNotRequestable'
    PayloadTooLarge:
      description: The body is larger than 64 KiB.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            payloadTooLarge:
              $ref: '#/components/examples/payloadTooLarge'
    UnsupportedMediaType:
      description: The body is not JSON in UTF-8.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            unsupportedMediaType:
              $ref: '#/components/examples/unsupportedMediaType'
    TooManyRequests:
      description: The rate limit of the API key is used up, or on \`POST /token\` that of failed sign-ins.
      x-decision: D-23
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
        Retry-After:
          $ref: '#/components/headers/Retry-After'
        RateLimit:
          $ref: '#/components/headers/RateLimit'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            tooManyRequests:
              $ref: '#/components/examples/tooManyRequests'
    InternalError:
      description: A failure of the server; the \`requestId\` finds it in the logs.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            internalError:
              $ref: '#/components/examples/internalError'
    TokenFailed:
      description: 'The sign-in failed: wrong credentials, an invalid refresh token, or a password that is not Base64-encoded. \`error\` holds the identity provider''s reason; it is not a failure of the server.'
      x-decision: D-03
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/TokenFailure'
          examples:
            authenticationFailed:
              summary: Wrong credentials, or a password not Base64-encoded
              value:
                error: Authentication failed
                message: The identity provider refused the credentials.
                requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
            invalidRefreshToken:
              summary: Unknown or expired refresh token
              value:
                error: Invalid refresh token
                message: The identity provider refused the credentials.
                requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
            internalError:
              $ref: '#/components/examples/internalError'
    Unavailable:
      description: The database or the storage cannot be reached right now.
      headers:
        X-Request-Id:
          $ref: '#/components/headers/X-Request-Id'
        Retry-After:
          $ref: '#/components/headers/Retry-After'
      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            unavailable:
              $ref: '#/components/examples/unavailable'
  examples:
    unknownField:
      summary: Unknown fields
      value:
        error: unknownField
        message: The request holds fields that this operation does not know.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
        fields: [address.foo]
    validationFailed:
      summary: A value out of range
      value:
        error: validationFailed
        message: The request does not match the specification of this operation.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
        details:
          - path: limit
            message: must be >= 1
    invalidJson:
      summary: Broken JSON
      value:
        error: invalidJson
        message: The body is not valid JSON.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    missingCredentials:
      summary: Neither form is complete
      value:
        error: missingCredentials
        message: Send either username and password, or refreshToken.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
        details:
          - path: password
            message: must have required property 'password'
    invalidEnterpriseNumber:
      summary: Wrong check digits
      value:
        error: invalidEnterpriseNumber
        message: The check digits of the enterprise number are wrong.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
        details:
          - path: enterpriseNumber
            message: has wrong check digits
    invalidIban:
      summary: Not an IBAN
      value:
        error: invalidIban
        message: The IBAN is not valid.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
        details:
          - path: iban
            message: is not a valid IBAN
    unknownPayrollProvider:
      summary: Unknown code
      value:
        error: unknownPayrollProvider
        message: There is no payroll provider with this code.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
        details:
          - path: code
            message: is not a known payroll provider
    unauthorized:
      summary: No valid ID token
      value:
        error: unauthorized
        message: The ID token is missing or not valid.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    tokenExpired:
      summary: Expired ID token
      value:
        error: tokenExpired
        message: The ID token has expired; refresh it with POST /token.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    portalOnly:
      summary: Portal only user
      value:
        error: portalOnly
        message: Users with the Portal only access level cannot use this interface.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    invalidApiKey:
      summary: No valid API key
      value:
        error: invalidApiKey
        message: The API key is missing or not valid.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    insufficientScope:
      summary: Scope missing
      value:
        error: insufficientScope
        message: The API key lacks the scope of this operation.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    belongsToAnotherTenant:
      summary: Registered by another firm
      value:
        error: belongsToAnotherTenant
        message: This enterprise number is registered by another accounting firm. A transfer requires the agreement of the end customer; contact support.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    upload_not_allowed:
      summary: Uploading not enabled
      value:
        error: upload_not_allowed
        message: Uploading is not enabled for this accounting firm.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    notFound:
      summary: Not found
      value:
        error: notFound
        message: There is no such resource, or you may not see it.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    methodNotAllowed:
      summary: Wrong method
      value:
        error: methodNotAllowed
        message: This path does not have this method.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    customerExists:
      summary: Already registered by your firm
      value:
        error: customerExists
        message: Your firm has already registered a customer with this enterprise number.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    ibanInUse:
      summary: IBAN taken
      value:
        error: ibanInUse
        message: This IBAN is already an active bank account of a customer.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
        details:
          - path: iban
            message: BE71096123456769 is already in use
    mandateNotRequestable:
      summary: Wrong status
      value:
        error: mandateNotRequestable
        message: The mandate cannot be requested in its present status.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    payloadTooLarge:
      summary: Body too large
      value:
        error: payloadTooLarge
        message: The body is larger than 64 KiB.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    unsupportedMediaType:
      summary: Not JSON
      value:
        error: unsupportedMediaType
        message: Send the body as application/json in UTF-8.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    tooManyRequests:
      summary: Slow down
      value:
        error: tooManyRequests
        message: Too many calls; wait before the next one.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    internalError:
      summary: A failure of the server
      value:
        error: internalError
        message: Something went wrong on our side.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    unavailable:
      summary: Try again later
      value:
        error: unavailable
        message: The service cannot answer right now; try again later.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
    pathValidationFailed:
      summary: A malformed identifier
      value:
        error: validationFailed
        message: The request does not match the specification of this operation.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
        details:
          - path: customerId
            message: must match pattern "^[0-9a-fA-F]{24}$"
    tokenValidationFailed:
      summary: An empty username
      value:
        error: validationFailed
        message: The request does not match the specification of this operation.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
        details:
          - path: username
            message: must NOT have fewer than 1 characters
    customerValidationFailed:
      summary: Not an e-mail address
      value:
        error: validationFailed
        message: The request does not match the specification of this operation.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
        details:
          - path: contact.email
            message: must match format "email"
    queryUnknownField:
      summary: A query string
      value:
        error: unknownField
        message: The request holds fields that this operation does not know.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
        fields: [limit]
    tokenUnknownField:
      summary: An unknown field
      value:
        error: unknownField
        message: The request holds fields that this operation does not know.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
        fields: [user]
    listUnknownField:
      summary: An unknown field
      value:
        error: unknownField
        message: The request holds fields that this operation does not know.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
        fields: [page]
    customerInvalidIban:
      summary: Not an IBAN
      value:
        error: invalidIban
        message: The IBAN is not valid.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
        details:
          - path: bankAccounts.0.iban
            message: is not a valid IBAN
    customerUnknownPayrollProvider:
      summary: Unknown code
      value:
        error: unknownPayrollProvider
        message: There is no payroll provider with this code.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
        details:
          - path: payrollProviders.0.code
            message: is not a known payroll provider
    customerIbanInUse:
      summary: IBAN taken
      value:
        error: ibanInUse
        message: This IBAN is already an active bank account of a customer.
        requestId: 0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10
        details:
          - path: bankAccounts.0.iban
            message: BE71096123456769 is already in use
    Customer:
      summary: A customer
      value:
        id: 673f0c2a9b1d4e8f7a6c5b4d
        enterpriseNumber: 0765.432.146
        name: Bakkerij De Gouden Korst
        accountingRef: K-0042
        address:
          street: Veldstraat 12
          street2: bus 3
          zipCode: '9000'
          municipality: Gent
          country: België
        contact:
          name: Jan Vermeulen
          function: Zaakvoerder
          email: jan@goudenkorst.example
          language: nl
        isConfidential: false
        bankAccounts:
          - iban: BE71096123456769
            currency: EUR
            bic: GKCC BE BB
            bankName: BELFIUS BANK
        payrollProviders:
          - code: sdworx
            nameFr: SD Worx Secrétariat Social
            nameNl: SD Worx Sociaal Secretariaat
        createdOn: '2026-03-02T08:15:30.120Z'
        updatedOn: '2026-03-02T08:15:30.120Z'
    CustomerList:
      summary: One customer
      value:
        - id: 673f0c2a9b1d4e8f7a6c5b4d
          enterpriseNumber: 0765.432.146
          name: Bakkerij De Gouden Korst
          accountingRef: K-0042
          address:
            street: Veldstraat 12
            street2: bus 3
            zipCode: '9000'
            municipality: Gent
            country: België
          contact:
            name: Jan Vermeulen
            function: Zaakvoerder
            email: jan@goudenkorst.example
            language: nl
          isConfidential: false
          bankAccounts:
            - iban: BE71096123456769
              currency: EUR
              bic: GKCC BE BB
              bankName: BELFIUS BANK
          payrollProviders:
            - code: sdworx
              nameFr: SD Worx Secrétariat Social
              nameNl: SD Worx Sociaal Secretariaat
          createdOn: '2026-03-02T08:15:30.120Z'
          updatedOn: '2026-03-02T08:15:30.120Z'
    CustomerPage:
      summary: One match
      value:
        records:
          - id: 673f0c2a9b1d4e8f7a6c5b4d
            enterpriseNumber: 0765.432.146
            name: Bakkerij De Gouden Korst
            accountingRef: K-0042
            address:
              street: Veldstraat 12
              street2: bus 3
              zipCode: '9000'
              municipality: Gent
              country: België
            contact:
              name: Jan Vermeulen
              function: Zaakvoerder
              email: jan@goudenkorst.example
              language: nl
            isConfidential: false
            bankAccounts:
              - iban: BE71096123456769
                currency: EUR
                bic: GKCC BE BB
                bankName: BELFIUS BANK
            payrollProviders:
              - code: sdworx
                nameFr: SD Worx Secrétariat Social
                nameNl: SD Worx Sociaal Secretariaat
            createdOn: '2026-03-02T08:15:30.120Z'
            updatedOn: '2026-03-02T08:15:30.120Z'
        recordsTotal: 40
        recordsFiltered: 1
  schemas:
    Error:
      type: object
      description: The body of every error.
      x-decision: D-03
      required: [error, message, requestId]
      properties:
        error:
          $ref: '#/components/schemas/ErrorCode'
        message:
          type: string
          description: One sentence in English, for people. It may change; program against \`error\`.
          examples: [The request holds fields that this operation does not know.]
        requestId:
          type: string
          description: Identifies the request; quote it to support.
          examples: [0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10]
        fields:
          type: array
          description: With \`unknownField\`, every unknown field, up to 100; nested ones dotted.
          maxItems: 100
          items:
            type: string
          examples: [[address.foo]]
        details:
          type: array
          description: With errors about values, what is wrong where, up to 100 findings.
          maxItems: 100
          items:
            $ref: '#/components/schemas/ErrorDetail'
    ErrorDetail:
      type: object
      description: One finding about a value.
      required: [path, message]
      properties:
        path:
          type: string
          description: The field, nested ones dotted, or the path parameter; empty for the whole body.
          examples: [contact.email]
        message:
          type: string
          description: What is wrong with it.
          examples: ["must match format \\"email\\""]
    ErrorCode:
      type: string
      description: Stable codes of errors.
      x-decision: D-03
      examples: [unknownField]
      enum:
        - unknownField
        - validationFailed
        - invalidJson
        - missingCredentials
        - invalidEnterpriseNumber
        - invalidIban
        - unknownPayrollProvider
        - unauthorized
        - tokenExpired
        - portalOnly
        - invalidApiKey
        - insufficientScope
        - belongsToAnotherTenant
        - upload_not_allowed
        - notFound
        - methodNotAllowed
        - customerExists
        - ibanInUse
        - mandateNotRequestable
        - payloadTooLarge
        - unsupportedMediaType
        - tooManyRequests
        - internalError
        - unavailable
    TokenFailure:
      type: object
      description: A failed sign-in; \`error\` is the identity provider's reason.
      x-decision: D-03
      required: [error, message, requestId]
      properties:
        error:
          type: string
          description: The reason, \`Authentication failed\` or \`Invalid refresh token\`; \`internalError\` when the server itself failed.
          examples: [Authentication failed]
        message:
          type: string
          description: One sentence in English, for people.
          examples: [The identity provider refused the credentials.]
        requestId:
          type: string
          description: Identifies the request; quote it to support.
          examples: [0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10]
    Confirmation:
      type: object
      description: Returned by actions that return no resource.
      required: [message]
      properties:
        message:
          type: string
          description: What was done, in English.
          examples: [The customer is archived.]
    TokenRequest:
      description: One of two forms.
      oneOf:
        - $ref: '#/components/schemas/SignInRequest'
        - $ref: '#/components/schemas/RefreshRequest'
    SignInRequest:
      type: object
      description: Sign in with username and password.
      additionalProperties: false
      required: [username, password]
      properties:
        username:
          type: string
          description: The user's login.
          minLength: 1
          maxLength: 254
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [els.maes@kantoor-maes.example]
        password:
          type: string
          description: The user's password, encoded in Base64 (of its UTF-8 bytes); a plain-text password fails.
          maxLength: 1024
          format: password
          examples: [emVlci1nZWhlaW0tMjAyNg==]
    RefreshRequest:
      type: object
      description: Refresh the ID token.
      additionalProperties: false
      required: [refreshToken]
      properties:
        refreshToken:
          type: string
          description: The refresh token of a previous sign-in.
          maxLength: 4096
          examples: [adx_refresh_w1m4n5Zc0bq7uH2yq9r8tF3kVx6LdPsA]
    Tokens:
      type: object
      description: The answer of the identity provider.
      required: [idToken]
      properties:
        idToken:
          type: string
          description: 'The ID token; send it as \`Authorization: Bearer <ID_TOKEN>\`. Valid for 1 hour.'
          examples: [eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiI2NzNmMGMyYSJ9.c2lnbmF0dXJl]
        refreshToken:
          type: string
          description: Only after a sign-in. Valid for 30 days; it stays in use when the ID token is refreshed.
          examples: [adx_refresh_w1m4n5Zc0bq7uH2yq9r8tF3kVx6LdPsA]
    Customer:
      type: object
      description: A client company of the accounting firm. Fields without a value are omitted; arrays are always present.
      required: [id, enterpriseNumber, name, address, contact, isConfidential, bankAccounts, payrollProviders, createdOn, updatedOn]
      properties:
        id:
          type: string
          description: Identifier of the customer.
          pattern: '^[0-9a-f]{24}$'
          x-decision: D-12
          examples: [673f0c2a9b1d4e8f7a6c5b4d]
        enterpriseNumber:
          type: string
          description: Belgian enterprise number without the country prefix; unique in the whole service.
          pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$'
          examples: [0765.432.146]
        name:
          type: string
          description: Name of the company.
          minLength: 1
          maxLength: 200
          pattern: '^(?!\\s*$)[^\\p{Cc}\\p{Cs}]*$'
          examples: [Bakkerij De Gouden Korst]
        accountingRef:
          type: string
          description: The partner's internal reference for the customer.
          minLength: 1
          maxLength: 100
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [K-0042]
        address:
          $ref: '#/components/schemas/Address'
        contact:
          $ref: '#/components/schemas/Contact'
        isConfidential:
          type: boolean
          description: Confidential customers are visible only to users with the Administrator access level.
          examples: [false]
        bankAccounts:
          type: array
          description: Active bank accounts, in the order they were added.
          items:
            $ref: '#/components/schemas/BankAccount'
        payrollProviders:
          type: array
          description: Active payroll providers, in the order they were added.
          items:
            $ref: '#/components/schemas/PayrollProvider'
        createdOn:
          type: string
          format: date-time
          x-decision: D-12
          description: When the customer was created, UTC.
          examples: ['2026-03-02T08:15:30.120Z']
        updatedOn:
          type: string
          format: date-time
          x-decision: D-12
          description: When the customer last changed, its bank accounts and payroll providers included, UTC.
          examples: ['2026-03-02T08:15:30.120Z']
    Address:
      type: object
      description: Address of a customer.
      required: [street, zipCode, municipality, country]
      properties:
        street:
          type: string
          description: Street and number.
          minLength: 1
          maxLength: 200
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [Veldstraat 12]
        street2:
          type: string
          description: Second line of the address.
          minLength: 1
          maxLength: 200
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [bus 3]
        zipCode:
          type: string
          description: Postal code.
          minLength: 1
          maxLength: 20
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: ['9000']
        municipality:
          type: string
          description: Municipality.
          minLength: 1
          maxLength: 100
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [Gent]
        country:
          type: string
          description: Country.
          minLength: 1
          maxLength: 100
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [België]
    Contact:
      type: object
      description: The person to whom mandate signature requests are sent.
      required: [name, function, email, language]
      properties:
        name:
          type: string
          description: Name of the person.
          minLength: 1
          maxLength: 200
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [Jan Vermeulen]
        function:
          type: string
          description: Function of the person in the company.
          minLength: 1
          maxLength: 200
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [Zaakvoerder]
        email:
          type: string
          format: email
          description: E-mail address; signature requests are sent to it.
          maxLength: 254
          examples: [jan@goudenkorst.example]
        language:
          $ref: '#/components/schemas/Language'
    Language:
      type: string
      description: Language of the mails and the signing page.
      x-decision: D-13
      enum: [fr, nl, de, en]
      examples: [nl]
    BankAccount:
      type: object
      description: An active bank account of a customer.
      x-decision: D-17
      required: [iban, currency]
      properties:
        iban:
          type: string
          description: The IBAN, without spaces, in capitals.
          examples: [BE71096123456769]
        currency:
          type: string
          description: Currency of the account, ISO 4217.
          examples: [EUR]
        bic:
          type: string
          description: BIC derived from the IBAN, in groups; omitted when the bank is not known.
          pattern: '^[A-Z0-9]{4} [A-Z]{2} [A-Z0-9]{2}( [A-Z0-9]{3})?$'
          examples: [GKCC BE BB]
        bankName:
          type: string
          description: Name of the bank derived from the IBAN; omitted when the bank is not known.
          examples: [BELFIUS BANK]
        connectorId:
          type: integer
          description: Present only when the account is served through a light connector.
          examples: [3]
    PayrollProvider:
      type: object
      description: A payroll provider (social secretariat).
      required: [code, nameFr, nameNl]
      properties:
        code:
          type: string
          description: Code of the provider; \`***other***\` means a provider that the service does not handle.
          examples: [sdworx]
        nameFr:
          type: string
          description: French name.
          examples: [SD Worx Secrétariat Social]
        nameNl:
          type: string
          description: Dutch name.
          examples: [SD Worx Sociaal Secretariaat]
    CreateCustomerRequest:
      type: object
      description: A new customer.
      additionalProperties: false
      required: [enterpriseNumber, name, accountingRef, address, contact]
      properties:
        enterpriseNumber:
          type: string
          description: Belgian enterprise number without the country prefix; its check digits are validated.
          pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$'
          examples: [0765.432.146]
        name:
          type: string
          description: Name of the company; not blank.
          minLength: 1
          maxLength: 200
          pattern: '^(?!\\s*$)[^\\p{Cc}\\p{Cs}]*$'
          examples: [Bakkerij De Gouden Korst]
        accountingRef:
          type: string
          description: The partner's internal reference for the customer; an empty string when there is none.
          maxLength: 100
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [K-0042]
        address:
          $ref: '#/components/schemas/NewAddress'
        contact:
          $ref: '#/components/schemas/NewContact'
        bankAccounts:
          type: array
          description: Bank accounts to link; naming one twice links it once.
          maxItems: 100
          items:
            $ref: '#/components/schemas/NewBankAccount'
        payrollProviders:
          type: array
          description: Payroll providers to link; naming one twice links it once.
          maxItems: 100
          items:
            $ref: '#/components/schemas/NewPayrollProvider'
    NewAddress:
      type: object
      description: Address of a new customer.
      additionalProperties: false
      required: [street, zipCode, municipality, country]
      properties:
        street:
          type: string
          description: Street and number.
          minLength: 1
          maxLength: 200
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [Veldstraat 12]
        street2:
          type: string
          description: Second line of the address.
          maxLength: 200
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [bus 3]
        zipCode:
          type: string
          description: Postal code.
          minLength: 1
          maxLength: 20
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: ['9000']
        municipality:
          type: string
          description: Municipality.
          minLength: 1
          maxLength: 100
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [Gent]
        country:
          type: string
          description: Country.
          minLength: 1
          maxLength: 100
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [België]
    NewContact:
      type: object
      description: Contact of a new customer; all fields are required.
      additionalProperties: false
      required: [name, function, email, language]
      properties:
        name:
          type: string
          description: Name of the person.
          minLength: 1
          maxLength: 200
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [Jan Vermeulen]
        function:
          type: string
          description: Function of the person in the company.
          minLength: 1
          maxLength: 200
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [Zaakvoerder]
        email:
          type: string
          format: email
          description: E-mail address; signature requests are sent to it.
          maxLength: 254
          examples: [jan@goudenkorst.example]
        language:
          $ref: '#/components/schemas/Language'
    NewBankAccount:
      type: object
      description: A bank account to link.
      additionalProperties: false
      required: [iban]
      properties:
        iban:
          type: string
          description: The IBAN; spaces are removed and letters uppercased before use.
          minLength: 1
          maxLength: 64
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [BE71 0961 2345 6769]
    NewPayrollProvider:
      type: object
      description: A payroll provider to link.
      additionalProperties: false
      required: [code]
      properties:
        code:
          type: string
          description: A code of *List payroll providers*.
          minLength: 1
          maxLength: 50
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [sdworx]
    UpdateCustomerRequest:
      type: object
      description: The fields to change; absent fields keep their value.
      x-decision: D-14
      additionalProperties: false
      properties:
        name:
          type: string
          description: Name of the company; not blank.
          minLength: 1
          maxLength: 200
          pattern: '^(?!\\s*$)[^\\p{Cc}\\p{Cs}]*$'
          examples: [Bakkerij De Gouden Korst BV]
        accountingRef:
          type: string
          description: The partner's internal reference for the customer; an empty string clears it.
          maxLength: 100
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [K-0042]
        address:
          $ref: '#/components/schemas/AddressChange'
        contact:
          $ref: '#/components/schemas/ContactChange'
    AddressChange:
      type: object
      description: The fields of the address to change.
      additionalProperties: false
      properties:
        street:
          type: string
          description: Street and number.
          minLength: 1
          maxLength: 200
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [Veldstraat 12]
        street2:
          type: string
          description: Second line of the address. An empty string clears it.
          maxLength: 200
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [bus 3]
        zipCode:
          type: string
          description: Postal code.
          minLength: 1
          maxLength: 20
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: ['9000']
        municipality:
          type: string
          description: Municipality.
          minLength: 1
          maxLength: 100
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [Gent]
        country:
          type: string
          description: Country.
          minLength: 1
          maxLength: 100
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [België]
    ContactChange:
      type: object
      description: The fields of the contact to change.
      additionalProperties: false
      properties:
        name:
          type: string
          description: Name of the person.
          minLength: 1
          maxLength: 200
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [Jan Vermeulen]
        function:
          type: string
          description: Function of the person in the company.
          minLength: 1
          maxLength: 200
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [Zaakvoerder]
        email:
          type: string
          format: email
          description: E-mail address; signature requests are sent to it.
          maxLength: 254
          examples: [jan@goudenkorst.example]
        language:
          $ref: '#/components/schemas/Language'
    CustomerPage:
      type: object
      description: One page of customers.
      required: [records, recordsTotal, recordsFiltered]
      properties:
        records:
          type: array
          description: This page.
          items:
            $ref: '#/components/schemas/Customer'
        recordsTotal:
          type: integer
          minimum: 0
          description: Records visible to the user, before filters.
          examples: [40]
        recordsFiltered:
          type: integer
          minimum: 0
          description: Records that match the filters.
          examples: [1]
    SearchCustomersRequest:
      type: object
      description: Filters and page; all filters must match.
      x-decision: D-07
      additionalProperties: false
      properties:
        search:
          type: string
          description: Text in the name, the enterprise number (with or without dots) or the accounting reference; upper and lower case are alike, \`%\` and \`_\` mean themselves.
          maxLength: 200
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [bakkerij]
        enterpriseNumber:
          type: string
          description: Exact enterprise number.
          pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$'
          examples: [0765.432.146]
        accountingRef:
          type: string
          description: Exact accounting reference.
          minLength: 1
          maxLength: 100
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [K-0042]
        iban:
          type: string
          description: Exact IBAN of an active bank account; spaces and case are ignored.
          minLength: 1
          maxLength: 64
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [BE71 0961 2345 6769]
        limit:
          type: integer
          minimum: 1
          default: 50
          description: Length of a page; more than 200 counts as 200.
          x-decision: D-06
          examples: [50]
        offset:
          type: integer
          minimum: 0
          maximum: 9007199254740991
          default: 0
          description: How many records to skip; past the end the page is empty.
          x-decision: D-06
          examples: [0]
    PayrollProviderPage:
      type: object
      description: One page of payroll providers.
      required: [records, recordsTotal, recordsFiltered]
      properties:
        records:
          type: array
          description: This page.
          items:
            $ref: '#/components/schemas/PayrollProvider'
        recordsTotal:
          type: integer
          minimum: 0
          description: Records visible to the user, before filters.
          examples: [40]
        recordsFiltered:
          type: integer
          minimum: 0
          description: Records that match the filters.
          examples: [1]
    ListPayrollProvidersRequest:
      type: object
      description: The page.
      additionalProperties: false
      properties:
        limit:
          type: integer
          minimum: 1
          default: 50
          description: Length of a page; more than 200 counts as 200.
          x-decision: D-06
          examples: [50]
        offset:
          type: integer
          minimum: 0
          maximum: 9007199254740991
          default: 0
          description: How many records to skip; past the end the page is empty.
          x-decision: D-06
          examples: [0]
    BankPage:
      type: object
      description: One page of banks.
      required: [records, recordsTotal, recordsFiltered]
      properties:
        records:
          type: array
          description: This page.
          items:
            $ref: '#/components/schemas/Bank'
        recordsTotal:
          type: integer
          minimum: 0
          description: Records visible to the user, before filters.
          examples: [40]
        recordsFiltered:
          type: integer
          minimum: 0
          description: Records that match the filters.
          examples: [1]
    ListBanksRequest:
      type: object
      description: The page.
      additionalProperties: false
      properties:
        limit:
          type: integer
          minimum: 1
          default: 50
          description: Length of a page; more than 200 counts as 200.
          x-decision: D-06
          examples: [50]
        offset:
          type: integer
          minimum: 0
          maximum: 9007199254740991
          default: 0
          description: How many records to skip; past the end the page is empty.
          x-decision: D-06
          examples: [0]
    Bank:
      type: object
      description: A Belgian bank.
      x-decision: D-11
      required: [bic, name, codaSupported]
      properties:
        bic:
          type: string
          description: The BIC, in groups.
          pattern: '^[A-Z0-9]{4} [A-Z]{2} [A-Z0-9]{2}( [A-Z0-9]{3})?$'
          examples: [GKCC BE BB]
        name:
          type: string
          description: Name of the bank.
          examples: [BELFIUS BANK]
        codaSupported:
          type: boolean
          description: Whether a CODA mandate can be requested at this bank.
          examples: [true]
        connectorId:
          type: integer
          description: Present only when the bank is served through a light connector.
          examples: [3]
    MandatePage:
      type: object
      description: One page of mandates.
      required: [records, recordsTotal, recordsFiltered]
      properties:
        records:
          type: array
          description: This page.
          items:
            $ref: '#/components/schemas/Mandate'
        recordsTotal:
          type: integer
          minimum: 0
          description: Records visible to the user, before filters.
          examples: [40]
        recordsFiltered:
          type: integer
          minimum: 0
          description: Records that match the filters.
          examples: [1]
    Mandate:
      description: A CODA or a CODB mandate; \`product\` tells which.
      x-decision: D-10
      oneOf:
        - $ref: '#/components/schemas/CodaMandate'
        - $ref: '#/components/schemas/CodbMandate'
      discriminator:
        propertyName: product
        mapping:
          CODA: '#/components/schemas/CodaMandate'
          CODB: '#/components/schemas/CodbMandate'
    CodaMandate:
      type: object
      description: A mandate for the statements of one bank account.
      x-decision: D-10
      required: [id, product, status, customerId, customerName, enterpriseNumber, iban, createdOn, updatedOn]
      properties:
        id:
          type: string
          description: Identifier of the mandate.
          pattern: '^[0-9a-f]{24}$'
          x-decision: D-12
          examples: [6740a1f2c3d4e5f6a7b8c9d0]
        product:
          type: string
          const: CODA
          description: The product.
          examples: [CODA]
        status:
          type: string
          description: Where the mandate stands; \`finished\` means active (signed, and files are being received), \`confirmedByBank\` confirmed but no file received yet, \`renewalRequired\` an expired light-connector consent.
          enum:
            - created
            - waitingForSigner
            - expired
            - rejectedBySigner
            - waitingForBank
            - confirmedByBank
            - rejectedByBank
            - unsupportedBank
            - finished
            - renewalRequired
            - error
          examples: [waitingForSigner]
        customerId:
          type: string
          description: Identifier of the customer.
          pattern: '^[0-9a-f]{24}$'
          x-decision: D-12
          examples: [673f0c2a9b1d4e8f7a6c5b4d]
        customerName:
          type: string
          description: Name of the customer.
          examples: [Bakkerij De Gouden Korst]
        enterpriseNumber:
          type: string
          description: Enterprise number of the customer.
          pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$'
          examples: [0765.432.146]
        iban:
          type: string
          description: The bank account.
          pattern: '^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$'
          examples: [BE71096123456769]
        bic:
          type: string
          description: BIC of the bank, in groups; omitted when it is not known.
          pattern: '^[A-Z0-9]{4} [A-Z]{2} [A-Z0-9]{2}( [A-Z0-9]{3})?$'
          examples: [GKCC BE BB]
        bankName:
          type: string
          description: Name of the bank; omitted when it is not known.
          examples: [BELFIUS BANK]
        connectorId:
          type: integer
          description: Present only for consents of a light connector.
          examples: [3]
        validUntil:
          type: string
          format: date
          description: End of a light-connector consent; after it the status becomes \`renewalRequired\`.
          examples: ['2026-08-29']
        error:
          $ref: '#/components/schemas/MandateError'
        createdOn:
          type: string
          format: date-time
          x-decision: D-12
          description: When the mandate was created, UTC.
          examples: ['2026-03-02T08:15:30.120Z']
        updatedOn:
          type: string
          format: date-time
          x-decision: D-12
          description: When the mandate last changed, UTC.
          examples: ['2026-03-02T08:15:30.120Z']
    CodbMandate:
      type: object
      description: A mandate for the files of one payroll provider.
      x-decision: D-10
      required: [id, product, status, customerId, customerName, enterpriseNumber, payrollProviderCode, payrollProviderNameFr, payrollProviderNameNl, createdOn, updatedOn]
      properties:
        id:
          type: string
          description: Identifier of the mandate.
          pattern: '^[0-9a-f]{24}$'
          x-decision: D-12
          examples: [6740a1f2c3d4e5f6a7b8c9d0]
        product:
          type: string
          const: CODB
          description: The product.
          examples: [CODB]
        status:
          type: string
          description: Where the mandate stands; \`finished\` means active (signed, and files are being received).
          enum:
            - created
            - waitingForSigner
            - expired
            - rejectedBySigner
            - waitingForPayrollProvider
            - rejectedByPayrollProvider
            - unsupportedPayrollProvider
            - finished
            - error
          examples: [waitingForSigner]
        customerId:
          type: string
          description: Identifier of the customer.
          pattern: '^[0-9a-f]{24}$'
          x-decision: D-12
          examples: [673f0c2a9b1d4e8f7a6c5b4d]
        customerName:
          type: string
          description: Name of the customer.
          examples: [Bakkerij De Gouden Korst]
        enterpriseNumber:
          type: string
          description: Enterprise number of the customer.
          pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$'
          examples: [0765.432.146]
        payrollProviderCode:
          type: string
          description: Code of the payroll provider.
          examples: [sdworx]
        payrollProviderNameFr:
          type: string
          description: French name of the payroll provider.
          examples: [SD Worx Secrétariat Social]
        payrollProviderNameNl:
          type: string
          description: Dutch name of the payroll provider.
          examples: [SD Worx Sociaal Secretariaat]
        error:
          $ref: '#/components/schemas/MandateError'
        createdOn:
          type: string
          format: date-time
          x-decision: D-12
          description: When the mandate was created, UTC.
          examples: ['2026-03-02T08:15:30.120Z']
        updatedOn:
          type: string
          format: date-time
          x-decision: D-12
          description: When the mandate last changed, UTC.
          examples: ['2026-03-02T08:15:30.120Z']
    MandateError:
      type: object
      description: Why the mandate is in \`error\`; present only then.
      x-decision: D-10
      required: [code, message]
      properties:
        code:
          type: string
          description: '\`recipientRefused\` when the contact''s address was refused, \`deliveryFailed\` otherwise.'
          enum: [deliveryFailed, recipientRefused]
          examples: [deliveryFailed]
        message:
          type: string
          description: One sentence in English.
          examples: [The signature request could not be delivered to the contact.]
    MandateStatus:
      type: string
      x-decision: D-24
      description: A status of CODA or CODB mandates.
      enum:
        - created
        - waitingForSigner
        - expired
        - rejectedBySigner
        - waitingForBank
        - confirmedByBank
        - rejectedByBank
        - unsupportedBank
        - finished
        - renewalRequired
        - error
        - waitingForPayrollProvider
        - rejectedByPayrollProvider
        - unsupportedPayrollProvider
    SearchMandatesRequest:
      type: object
      description: Filters, order and page; all filters must match.
      additionalProperties: false
      properties:
        customerId:
          type: string
          description: Mandates of this customer.
          pattern: '^[0-9a-fA-F]{24}$'
          examples: [673f0c2a9b1d4e8f7a6c5b4d]
        enterpriseNumber:
          type: string
          description: Mandates of the customer with this enterprise number.
          pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$'
          examples: [0765.432.146]
        iban:
          type: string
          description: Mandates of this bank account; spaces and case are ignored.
          minLength: 1
          maxLength: 64
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [BE71 0961 2345 6769]
        payrollProviderCode:
          type: string
          description: Mandates of this payroll provider.
          minLength: 1
          maxLength: 50
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [sdworx]
        product:
          type: string
          description: Mandates of this product.
          enum: [CODA, CODB]
          examples: [CODA]
        status:
          description: Mandates with this status, or with one of these; \`finished\` ones only when \`includeFinished\` is true too.
          oneOf:
            - $ref: '#/components/schemas/MandateStatus'
            - type: array
              description: Several statuses.
              minItems: 1
              maxItems: 20
              items:
                $ref: '#/components/schemas/MandateStatus'
          examples: [waitingForSigner]
        includeFinished:
          type: boolean
          default: false
          description: Also list mandates with status \`finished\`, which are left out otherwise.
          examples: [true]
        updatedSince:
          type: string
          format: date-time
          x-decision: D-26
          description: Mandates created or updated at or after this instant, ISO 8601 with \`Z\` or an offset; what follows its milliseconds is ignored. Used to poll for changes.
          examples: ['2026-03-02T08:00:00+01:00']
        sort:
          type: string
          default: createdOn
          description: What to sort by.
          enum: [createdOn, updatedOn, customerName, customerEnterpriseNumber, ibanNumber, status, bankName, payrollProviderCode]
          examples: [updatedOn]
        sortDirection:
          type: string
          default: desc
          description: '\`asc\` or \`desc\`; any value other than \`asc\` sorts descending.'
          examples: [asc]
        limit:
          type: integer
          minimum: 1
          default: 50
          description: Length of a page; more than 200 counts as 200.
          x-decision: D-06
          examples: [50]
        offset:
          type: integer
          minimum: 0
          maximum: 9007199254740991
          default: 0
          description: How many records to skip; past the end the page is empty.
          x-decision: D-06
          examples: [0]
    DateRange:
      type: object
      description: Dates, both inclusive; \`from\` after \`to\` is refused.
      x-decision: D-08
      additionalProperties: false
      properties:
        from:
          type: string
          format: date
          description: First date.
          examples: ['2026-03-01']
        to:
          type: string
          format: date
          description: Last date.
          examples: ['2026-03-31']
    NumberRange:
      type: object
      description: Numbers, both inclusive; \`from\` after \`to\` is refused.
      x-decision: D-08
      additionalProperties: false
      properties:
        from:
          type: integer
          minimum: 0
          maximum: 9007199254740991
          description: First number.
          examples: [1]
        to:
          type: integer
          minimum: 0
          maximum: 9007199254740991
          description: Last number.
          examples: [50]
    ListCodaFilesRequest:
      type: object
      description: Filters; all must match.
      x-decision: D-09
      additionalProperties: false
      properties:
        redownload:
          type: boolean
          default: false
          description: Also list files already acknowledged with this API key and user.
          examples: [true]
        customer:
          type: string
          description: Name of the customer, exact but for case.
          minLength: 1
          maxLength: 200
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [Bakkerij De Gouden Korst]
        enterpriseNumber:
          type: string
          description: Enterprise number of the customer.
          pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$'
          examples: [0765.432.146]
        iban:
          type: string
          description: The bank account; spaces and case are ignored.
          minLength: 1
          maxLength: 64
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [BE71 0961 2345 6769]
        currency:
          type: string
          description: Currency of the account, ISO 4217.
          pattern: '^[A-Z]{3}$'
          examples: [EUR]
        statementDate:
          $ref: '#/components/schemas/DateRange'
          description: Date of the statement, both ends inclusive.
          examples:
            - { from: '2026-03-01', to: '2026-03-31' }
        processingDate:
          $ref: '#/components/schemas/DateRange'
          description: Date on which the service processed the file, both ends inclusive.
          examples:
            - { from: '2026-03-02' }
        statementNumber:
          $ref: '#/components/schemas/NumberRange'
          description: Sequence number of the statement, both ends inclusive.
          examples:
            - { from: 40, to: 45 }
        includePdf:
          type: boolean
          default: false
          description: Also return a download URL of the PDF of each file.
          examples: [true]
    ListCodbFilesRequest:
      type: object
      description: Filters; all must match.
      additionalProperties: false
      properties:
        redownload:
          type: boolean
          default: false
          description: Also list files already acknowledged with this API key and user.
          examples: [true]
        customer:
          type: string
          description: Name of the customer, exact but for case.
          minLength: 1
          maxLength: 200
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [Bakkerij De Gouden Korst]
        enterpriseNumber:
          type: string
          description: Enterprise number of the customer.
          pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$'
          examples: [0765.432.146]
        payrollProvider:
          type: string
          description: Name of the payroll provider as the files write it.
          minLength: 1
          maxLength: 200
          pattern: '^[^\\p{Cc}\\p{Cs}]*$'
          examples: [SD Worx]
        accountPeriod:
          type: integer
          description: Exact booking period, \`YYYYMM\`.
          minimum: 100001
          maximum: 999912
          examples: [202602]
        statementDate:
          $ref: '#/components/schemas/DateRange'
          description: Date on which the provider generated the file, both ends inclusive.
          examples:
            - { from: '2026-03-01', to: '2026-03-31' }
        processingDate:
          $ref: '#/components/schemas/DateRange'
          description: Date on which the service processed the file, both ends inclusive.
          examples:
            - { from: '2026-03-02' }
        statementNumber:
          $ref: '#/components/schemas/NumberRange'
          description: Sequence number of the file, both ends inclusive.
          examples:
            - { from: 40, to: 45 }
        includePdf:
          type: boolean
          default: false
          description: Also return a download URL of the PDF of each file.
          examples: [true]
    CodaCustomerGroup:
      type: object
      description: The CODA files of one customer.
      x-decision: D-09
      required: [id, name, enterpriseNumber, isConfidential, ibans]
      properties:
        id:
          type: string
          description: Identifier of the customer.
          pattern: '^[0-9a-f]{24}$'
          x-decision: D-12
          examples: [673f0c2a9b1d4e8f7a6c5b4d]
        name:
          type: string
          description: Name of the customer.
          examples: [Bakkerij De Gouden Korst]
        accountingRef:
          type: string
          description: The partner's internal reference for the customer.
          examples: [K-0042]
        enterpriseNumber:
          type: string
          description: Enterprise number of the customer.
          pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$'
          examples: [0765.432.146]
        isConfidential:
          type: boolean
          description: Whether the customer is confidential.
          examples: [false]
        ibans:
          type: array
          description: One entry per IBAN, currency and statement year.
          items:
            $ref: '#/components/schemas/CodaIbanGroup'
    CodaIbanGroup:
      type: object
      description: The CODA files of one IBAN, currency and year.
      x-decision: D-09
      required: [iban, currency, year, files]
      properties:
        iban:
          type: string
          description: The bank account.
          examples: [BE71096123456769]
        currency:
          type: string
          description: Currency of the account, ISO 4217.
          examples: [EUR]
        year:
          type: integer
          description: Year of the statements.
          examples: [2026]
        files:
          type: array
          description: The files, by statement number.
          items:
            $ref: '#/components/schemas/CodaFile'
    CodaFile:
      type: object
      description: A CODA file.
      required: [id, fileName, statementDate, statementNumber, processedOn, urls]
      properties:
        id:
          type: string
          description: Identifier of the file; acknowledge it by this.
          pattern: '^[0-9a-f]{24}$'
          x-decision: D-12
          examples: [6741b2c3d4e5f6a7b8c9d0e1]
        fileName:
          type: string
          description: Name of the file.
          examples: [BE71096123456769_EUR_2026_042.cod]
        statementDate:
          type: string
          format: date
          description: Date of the statement.
          examples: ['2026-03-02']
        statementNumber:
          type: integer
          description: Sequence number of the statement.
          examples: [42]
        processedOn:
          type: string
          format: date-time
          x-decision: D-12
          description: When the service processed the file, UTC.
          examples: ['2026-03-03T05:12:44.310Z']
        urls:
          $ref: '#/components/schemas/CodaFileUrls'
    CodaFileUrls:
      type: object
      description: Pre-signed download URLs, valid for 30 minutes.
      required: [coda]
      properties:
        coda:
          type: string
          format: uri
          description: Downloads the file.
          examples: ['https://files.example.org/6741b2c3?X-Amz-Expires=1800']
        pdf:
          type: string
          format: uri
          description: Downloads the PDF; present only when \`includePdf\` is true.
          examples: ['https://files.example.org/6741b2c3.pdf?X-Amz-Expires=1800']
    CodbCustomerGroup:
      type: object
      description: The CODB files of one customer.
      required: [id, name, enterpriseNumber, isConfidential, payrollProviders]
      properties:
        id:
          type: string
          description: Identifier of the customer.
          pattern: '^[0-9a-f]{24}$'
          x-decision: D-12
          examples: [673f0c2a9b1d4e8f7a6c5b4d]
        name:
          type: string
          description: Name of the customer.
          examples: [Bakkerij De Gouden Korst]
        accountingRef:
          type: string
          description: The partner's internal reference for the customer.
          examples: [K-0042]
        enterpriseNumber:
          type: string
          description: Enterprise number of the customer.
          pattern: '^[01]\\d{3}\\.\\d{3}\\.\\d{3}$'
          examples: [0765.432.146]
        isConfidential:
          type: boolean
          description: Whether the customer is confidential.
          examples: [false]
        payrollProviders:
          type: array
          description: One entry per payroll provider and year.
          items:
            $ref: '#/components/schemas/CodbProviderGroup'
    CodbProviderGroup:
      type: object
      description: The CODB files of one payroll provider and year.
      required: [payrollProvider, year, files]
      properties:
        payrollProvider:
          type: string
          description: Name of the payroll provider as the files write it.
          examples: [SD Worx]
        year:
          type: integer
          description: Year of the booking periods.
          examples: [2026]
        files:
          type: array
          description: The files, by statement number.
          items:
            $ref: '#/components/schemas/CodbFile'
    CodbFile:
      type: object
      description: A CODB file.
      required: [id, fileName, statementDate, statementNumber, accountPeriod, processedOn, urls]
      properties:
        id:
          type: string
          description: Identifier of the file; acknowledge it by this.
          pattern: '^[0-9a-f]{24}$'
          x-decision: D-12
          examples: [6741b2c3d4e5f6a7b8c9d0e1]
        fileName:
          type: string
          description: Name of the file.
          examples: [0765432146_SD-Worx_202602_7.xml]
        statementDate:
          type: string
          format: date
          description: Date of the statement.
          examples: ['2026-02-28']
        statementNumber:
          type: integer
          description: Sequence number of the statement.
          examples: [7]
        accountPeriod:
          type: integer
          description: Booking period, \`YYYYMM\`.
          examples: [202602]
        processedOn:
          type: string
          format: date-time
          x-decision: D-12
          description: When the service processed the file, UTC.
          examples: ['2026-03-03T05:12:44.310Z']
        urls:
          $ref: '#/components/schemas/CodbFileUrls'
    CodbFileUrls:
      type: object
      description: Pre-signed download URLs, valid for 30 minutes.
      required: [codb]
      properties:
        codb:
          type: string
          format: uri
          description: Downloads the file.
          examples: ['https://files.example.org/6741b2c3?X-Amz-Expires=1800']
        pdf:
          type: string
          format: uri
          description: Downloads the PDF; present only when \`includePdf\` is true.
          examples: ['https://files.example.org/6741b2c3.pdf?X-Amz-Expires=1800']
    UploadCredentials:
      type: object
      description: Temporary S3 credentials for putting files under a prefix.
      x-decision: [D-19, D-31]
      required: [accessKeyId, secretAccessKey, sessionToken, bucketName, prefix, expirationUtc]
      properties:
        accessKeyId:
          type: string
          description: Temporary object-storage key.
          examples: [ASIAEXAMPLEKEY000001]
        secretAccessKey:
          type: string
          description: Its secret.
          examples: [c2VjcmV0LWFjY2Vzcy1rZXktZXhhbXBsZQ]
        sessionToken:
          type: string
          description: Its session token.
          examples: [ZXhhbXBsZS1zZXNzaW9uLXRva2Vu]
        bucketName:
          type: string
          description: The bucket to put files into; each product has its own.
          examples: [adx-coda-uploads]
        prefix:
          type: string
          description: |
            Key prefix to upload under, of the form \`uploads/<tenant>\`. Each issue of credentials has a
            prefix of its own, so that files of the same name do not overwrite each other.
          examples: [uploads/kantoor-maes-4f7a6c-674052e5b8e3d2a9f1c47b06]
        expirationUtc:
          type: string
          format: date-time
          description: When the credentials expire, UTC.
          examples: ['2026-03-03T06:12:44.000Z']
`;
