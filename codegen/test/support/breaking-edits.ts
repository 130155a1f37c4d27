import { type SpecDraft, type SpecEdit, schema } from './spec-draft.js';

const field = { type: 'string', description: 'A note.', examples: ['a'] };
const create = 'CreateCustomerRequest';
const body = ['requestBody', 'content', 'application/json'];
const ok = ['responses', '200'];

/** Edits that break callers. */
export const major: readonly Omit<SpecEdit, 'weight'>[] = [
  {
    name: 'an operation is removed',
    edit: (draft) => draft.remove(...draft.operation('getMandate')),
    text: '`getMandate` (`GET /mandates/{mandateId}`) is removed.',
  },
  {
    name: 'a path is removed',
    edit: (draft) => draft.remove('paths', '/hello-world'),
    text: '`helloWorld` (`GET /hello-world`) is removed.',
  },
  {
    name: 'a path is renamed',
    edit: (draft) => draft.rename(['paths', '/hello-world'], '/hello'),
    text: '`helloWorld` moves from `GET /hello-world` to `GET /hello`.',
  },
  {
    name: 'an operation gets another method',
    edit: (draft) => draft.rename(draft.operation('updateCustomer'), 'put'),
    text: '`updateCustomer` moves from `PATCH /customers/{customerId}` to `PUT /customers/{customerId}`.',
  },
  {
    name: 'an operationId is renamed',
    edit: (draft) => draft.set([...draft.operation('getCustomer'), 'operationId'], 'readCustomer'),
    text: 'The `operationId` of `getCustomer` becomes `readCustomer`.',
  },
  {
    name: 'a method of the client is renamed',
    edit: (draft) =>
      draft.set([...draft.operation('getCustomer'), 'x-client-method'], 'customers.read'),
    text: "The client's method `customers.get` becomes `customers.read`.",
  },
  ...['x-changes', 'x-paginated'].map((name) => ({
    name: `${name} is removed`,
    edit: (draft: SpecDraft) => draft.remove(...draft.operation('searchMandates'), name),
    text: `\`${name}\` of \`searchMandates\` is removed.`,
  })),
  {
    name: 'x-download is removed',
    edit: (draft) => draft.remove(...draft.operation('listCodaFiles'), 'x-download'),
    text: '`x-download` of `listCodaFiles` is removed.',
  },
  {
    name: 'x-upload names another method',
    edit: (draft) =>
      draft.set([...draft.operation('getCodaUploadCredentials'), 'x-upload', 'method'], 'send'),
    text: '`x-upload` of `getCodaUploadCredentials` changes.',
  },
  {
    name: 'x-idempotent is removed',
    edit: (draft) => draft.remove(...draft.operation('searchCustomers'), 'x-idempotent'),
    text: '`x-idempotent` of `searchCustomers` is removed.',
  },
  {
    name: 'a media type of a request is replaced',
    edit: (draft) =>
      draft.rename([...draft.operation('createCustomer'), ...body], 'application/xml'),
    text: '`createCustomer body` can no longer be `application/json`.',
  },
  {
    name: 'a media type of a response is removed',
    edit: (draft) => draft.set([...draft.operation('listBanks'), ...ok, 'content'], {}),
    text: '`listBanks 200` can no longer be `application/json`.',
  },
  {
    name: 'a success gets another status',
    edit: (draft) => draft.rename([...draft.operation('createCustomer'), ...ok], '201'),
    text: '`createCustomer` no longer returns 200.',
  },
  {
    name: 'another status of success is new',
    edit: (draft) =>
      draft.set([...draft.operation('getMandate'), 'responses', '202'], { description: 'Later.' }),
    text: '`getMandate` can now return 202.',
  },
  {
    name: 'x-paginated is new',
    edit: (draft) => draft.set([...draft.operation('listCodaFiles'), 'x-paginated'], true),
    text: '`x-paginated` of `listCodaFiles` is new.',
  },
  {
    name: 'a header of a response is removed',
    edit: (draft) =>
      draft.remove(...draft.operation('listBanks'), ...ok, 'headers', 'X-Request-Id'),
    text: 'Header `X-Request-Id` is removed from `listBanks 200`.',
  },
  {
    name: 'a body is no longer taken',
    edit: (draft) => draft.remove(...draft.operation('listCodaFiles'), 'requestBody'),
    text: '`listCodaFiles` no longer has a body.',
  },
  {
    name: 'a body becomes required',
    edit: (draft) =>
      draft.set([...draft.operation('getMandate'), 'requestBody'], { required: true, content: {} }),
    text: '`getMandate` now has a required body.',
  },
  {
    name: 'a parameter of the path is renamed',
    edit: (draft) => {
      draft.rename(['paths', '/mandates/{mandateId}'], '/mandates/{id}');
      draft.set(['components', 'parameters', 'mandateId', 'name'], 'id');
    },
    text: 'Parameter `path.mandateId` is renamed to `id`.',
  },
  {
    name: 'a required query parameter is new',
    edit: (draft) =>
      draft.set(
        [...draft.operation('listCustomers'), 'parameters'],
        [{ name: 'firm', in: 'query', required: true, schema: { type: 'string' } }],
      ),
    text: 'Parameter `query.firm` is new and required.',
  },
  {
    name: 'the pattern of a parameter is tightened',
    edit: (draft) => draft.set(['components', 'parameters', 'iban', 'schema', 'maxLength'], 34),
    text: 'The `maxLength` of `path.iban` goes from `64` to `34`.',
  },
  {
    name: 'a field of a response is removed',
    edit: (draft) => draft.remove(...schema('Customer', 'accountingRef')),
    text: '`Customer.accountingRef` is removed.',
  },
  {
    name: 'a field of a response is renamed',
    edit: (draft) => draft.rename(schema('Customer', 'accountingRef'), 'reference'),
    text: '`Customer.accountingRef` is renamed to `reference`.',
  },
  {
    name: 'a required field of a response is renamed',
    edit: (draft) => {
      draft.rename(schema('Bank', 'bic'), 'swift');
      draft.drop([...schema('Bank'), 'required'], 'bic');
      draft.add([...schema('Bank'), 'required'], 'swift');
    },
    text: '`Bank.bic` is renamed to `swift`.',
  },
  {
    name: 'a field of a request is removed',
    edit: (draft) => draft.remove(...schema(create, 'bankAccounts')),
    text: '`CreateCustomerRequest.bankAccounts` is removed.',
  },
  {
    name: 'a field of a request is renamed',
    edit: (draft) => draft.rename(schema('SearchMandatesRequest', 'updatedSince'), 'since'),
    text: '`SearchMandatesRequest.updatedSince` is renamed to `since`.',
  },
  {
    name: 'a nested field of a request is removed',
    edit: (draft) => draft.remove(...schema('NewAddress', 'street2')),
    text: '`NewAddress.street2` is removed.',
  },
  {
    name: 'a required field of a request is new',
    edit: (draft) => {
      draft.set(schema(create, 'note'), field);
      draft.add([...schema(create), 'required'], 'note');
    },
    text: '`CreateCustomerRequest.note` is new and required.',
  },
  {
    name: 'an optional field of a request becomes required',
    edit: (draft) => draft.add([...schema(create), 'required'], 'bankAccounts'),
    text: '`CreateCustomerRequest.bankAccounts` is now required.',
  },
  {
    name: 'a field that a response always had becomes optional',
    edit: (draft) => draft.drop([...schema('Customer'), 'required'], 'contact'),
    text: '`Customer.contact` is no longer required.',
  },
  {
    name: 'a field of an error becomes optional',
    edit: (draft) => draft.drop([...schema('ErrorBody'), 'required'], 'requestId'),
    text: '`ErrorBody.requestId` is no longer required.',
  },
  {
    name: 'a field gets another type',
    edit: (draft) => draft.set([...schema('CodaFile', 'statementNumber'), 'type'], 'string'),
    text: 'The `type` of `CodaFile.statementNumber` goes from `integer` to `string`.',
  },
  {
    name: 'an integer becomes a number in a request',
    edit: (draft) => draft.set([...schema('SearchCustomersRequest', 'limit'), 'type'], 'number'),
    text: 'The `type` of `SearchCustomersRequest.limit` goes from `integer` to `number`.',
  },
  {
    name: 'a field gets another format',
    edit: (draft) => draft.set([...schema('CodaFile', 'statementDate'), 'format'], 'date-time'),
    text: 'The `format` of `CodaFile.statementDate` goes from `date` to `date-time`.',
  },
  {
    name: 'a format is removed',
    edit: (draft) => draft.remove(...schema('Customer', 'createdOn'), 'format'),
    text: '`Customer.createdOn` no longer has `format: date-time`.',
  },
  {
    name: 'a pattern of a request changes',
    edit: (draft) => draft.set([...schema(create, 'enterpriseNumber'), 'pattern'], '^0[0-9]{9}$'),
    text: 'The `pattern` of `CreateCustomerRequest.enterpriseNumber` goes from `^[01][0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$` to `^0[0-9]{9}$`.',
  },
  {
    name: 'a pattern of a request is new',
    edit: (draft) => draft.set([...schema('RefreshRequest', 'refreshToken'), 'pattern'], '^adx_'),
    text: '`RefreshRequest.refreshToken` now has `pattern: ^adx_`.',
  },
  {
    name: 'a text of a request must be shorter',
    edit: (draft) => draft.set([...schema(create, 'name'), 'maxLength'], 100),
    text: 'The `maxLength` of `CreateCustomerRequest.name` goes from `200` to `100`.',
  },
  {
    name: 'a text of a request must be longer',
    edit: (draft) => draft.set([...schema('SearchCustomersRequest', 'search'), 'minLength'], 3),
    text: '`SearchCustomersRequest.search` now has `minLength: 3`.',
  },
  {
    name: 'a number of a request gets a maximum',
    edit: (draft) => draft.set([...schema('SearchCustomersRequest', 'limit'), 'maximum'], 200),
    text: '`SearchCustomersRequest.limit` now has `maximum: 200`.',
  },
  {
    name: 'a list of a request must be shorter',
    edit: (draft) => draft.set([...schema(create, 'bankAccounts'), 'maxItems'], 10),
    text: 'The `maxItems` of `CreateCustomerRequest.bankAccounts` goes from `100` to `10`.',
  },
  {
    name: 'a value of a request is removed',
    edit: (draft) => draft.drop([...schema('SearchMandatesRequest', 'sort'), 'enum'], 'bankName'),
    text: '`SearchMandatesRequest.sort` loses the value `bankName`.',
  },
  {
    name: 'a field of a request is limited to values',
    edit: (draft) => draft.set([...schema('NewAddress', 'country'), 'enum'], ['België']),
    text: '`NewAddress.country` is now limited to `België`.',
  },
  {
    name: 'a request is closed',
    edit: (draft) => draft.set([...schema('NewAddress', 'street2'), 'additionalProperties'], false),
    text: '`NewAddress.street2` can no longer have other fields.',
  },
  {
    name: 'the default of a request changes',
    edit: (draft) => draft.set([...schema('SearchCustomersRequest', 'limit'), 'default'], 20),
    text: 'The `default` of `SearchCustomersRequest.limit` goes from `50` to `20`.',
  },
  {
    name: 'an alternative of a request is removed',
    edit: (draft) => draft.remove(...schema('TokenRequest'), 'oneOf', 1),
    text: '`TokenRequest` loses the alternative `RefreshRequest`.',
  },
  {
    name: 'a value of a response is new',
    edit: (draft) => draft.add([...schema('MandateError', 'code'), 'enum'], 'bounced'),
    text: '`MandateError.code` gains the value `bounced`.',
  },
  {
    name: 'a value of requests and responses is new',
    edit: (draft) => draft.add([...schema('Language'), 'enum'], 'it'),
    text: '`Language` gains the value `it`.',
  },
  {
    name: 'a field of a response is no longer limited to values',
    edit: (draft) => draft.remove(...schema('Language'), 'enum'),
    text: '`Language` is no longer limited to `fr`, `nl`, `de` and `en`.',
  },
  {
    name: 'a field of a response can be null',
    edit: (draft) =>
      draft.set([...schema('Customer', 'accountingRef'), 'type'], ['string', 'null']),
    text: 'The `type` of `Customer.accountingRef` goes from `string` to `["string","null"]`.',
  },
  {
    name: 'a text of a response can be longer',
    edit: (draft) => draft.set([...schema('Customer', 'name'), 'maxLength'], 300),
    text: 'The `maxLength` of `Customer.name` goes from `200` to `300`.',
  },
  {
    name: 'a response loses its pattern',
    edit: (draft) => draft.remove(...schema('BankAccount', 'iban'), 'pattern'),
    text: '`BankAccount.iban` no longer has `pattern: ^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$`.',
  },
  {
    name: 'an alternative of a response is new',
    edit: (draft) => draft.add([...schema('Mandate'), 'oneOf'], { type: 'object' }),
    text: '`Mandate` gains the alternative `2`.',
  },
  {
    name: 'the items of a response get another type',
    edit: (draft) =>
      draft.set([...schema('Customer', 'bankAccounts'), 'items'], { type: 'string' }),
    text: 'The `type` of `Customer.bankAccounts[]` goes from `object` to `string`.',
  },
  {
    name: 'a scope is required',
    edit: (draft) =>
      draft.add([...draft.operation('requestMandate'), 'security', 0, 'apiKey'], 'mandates:read'),
    text: '`requestMandate` now requires `apiKey mandates:read`.',
  },
  {
    name: 'another scope is required',
    edit: (draft) =>
      draft.set([...draft.operation('listBanks'), 'security', 0, 'apiKey'], ['files:read']),
    text: '`listBanks` now requires `apiKey files:read`.',
  },
  {
    name: 'another credential is required',
    edit: (draft) => draft.set([...draft.operation('getToken'), 'security', 0, 'idToken'], []),
    text: '`getToken` now requires `idToken`.',
  },
  {
    name: 'a credential is sent in another header',
    edit: (draft) => draft.set(['components', 'securitySchemes', 'apiKey', 'name'], 'api-key'),
    text: 'The `name` of the credential `apiKey` changes.',
  },
  {
    name: 'the URL of the server changes',
    edit: (draft) => draft.set(['servers', 0, 'url'], 'https://{host}/v2'),
    text: 'Server `https://{host}/v1` is removed.',
  },
  {
    name: 'an error code gets another status',
    edit: (draft) => {
      const responses = ['components', 'responses'];
      const path = ['content', 'application/json', 'examples', 'mandateNotRequestable'];
      const example = draft.get(...responses, 'MandateNotRequestable', ...path) ?? null;
      draft.remove(...draft.operation('requestMandate'), 'responses', '409');
      draft.set([...responses, 'Forbidden', ...path], example);
    },
    text: 'Error code `mandateNotRequestable` comes with status 403 instead of 409.',
  },
  {
    name: 'a keyword that nothing here weighs is new',
    edit: (draft) => draft.set([...schema(create), 'minProperties'], 6),
    text: '`CreateCustomerRequest` now has `minProperties: 6`.',
  },
  {
    name: 'a schema is excluded',
    edit: (draft) => draft.set([...schema(create, 'name'), 'not'], { const: 'x' }),
    text: 'The `not` of `CreateCustomerRequest.name` is new.',
  },
];
