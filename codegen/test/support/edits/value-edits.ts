import { type SpecEdit, schema } from '../spec-draft.js';

const create = 'CreateCustomerRequest';

/** Edits of the values that a field can have. */
export const valueEdits: readonly SpecEdit[] = [
  {
    weight: 'major',
    name: 'a pattern of a request changes',
    edit: (draft) => draft.set([...schema(create, 'enterpriseNumber'), 'pattern'], '^0[0-9]{9}$'),
    text: 'The `pattern` of `CreateCustomerRequest.enterpriseNumber` goes from `^[01][0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$` to `^0[0-9]{9}$`.',
  },
  {
    weight: 'major',
    name: 'a pattern of a request is new',
    edit: (draft) => draft.set([...schema('RefreshRequest', 'refreshToken'), 'pattern'], '^adx_'),
    text: '`RefreshRequest.refreshToken` now has `pattern: ^adx_`.',
  },
  {
    weight: 'major',
    name: 'a text of a request must be shorter',
    edit: (draft) => draft.set([...schema(create, 'name'), 'maxLength'], 100),
    text: 'The `maxLength` of `CreateCustomerRequest.name` goes from `200` to `100`.',
  },
  {
    weight: 'major',
    name: 'a text of a request must be longer',
    edit: (draft) => draft.set([...schema('SearchCustomersRequest', 'search'), 'minLength'], 3),
    text: '`SearchCustomersRequest.search` now has `minLength: 3`.',
  },
  {
    weight: 'major',
    name: 'a number of a request gets a maximum',
    edit: (draft) => draft.set([...schema('SearchCustomersRequest', 'limit'), 'maximum'], 200),
    text: '`SearchCustomersRequest.limit` now has `maximum: 200`.',
  },
  {
    weight: 'major',
    name: 'a list of a request must be shorter',
    edit: (draft) => draft.set([...schema(create, 'bankAccounts'), 'maxItems'], 10),
    text: 'The `maxItems` of `CreateCustomerRequest.bankAccounts` goes from `100` to `10`.',
  },
  {
    weight: 'major',
    name: 'a value of a request is removed',
    edit: (draft) => draft.drop([...schema('SearchMandatesRequest', 'sort'), 'enum'], 'bankName'),
    text: '`SearchMandatesRequest.sort` loses the value `bankName`.',
  },
  {
    weight: 'major',
    name: 'a field of a request is limited to one of its values',
    edit: (draft) => draft.set([...schema('Language'), 'const'], 'fr'),
    text: '`Language` loses the values `nl`, `de` and `en`.',
  },
  {
    weight: 'major',
    name: 'a field of a request is limited to values',
    edit: (draft) => draft.set([...schema('NewAddress', 'country'), 'enum'], ['België']),
    text: '`NewAddress.country` is now limited to `België`.',
  },
  {
    weight: 'major',
    name: 'the default of a request changes',
    edit: (draft) => draft.set([...schema('SearchCustomersRequest', 'limit'), 'default'], 20),
    text: 'The `default` of `SearchCustomersRequest.limit` goes from `50` to `20`.',
  },
  {
    weight: 'major',
    name: 'an alternative of a request is removed',
    edit: (draft) => draft.remove(...schema('TokenRequest'), 'oneOf', 1),
    text: '`TokenRequest` loses the alternative `RefreshRequest`.',
  },
  {
    weight: 'major',
    name: 'a value of a response is new',
    edit: (draft) => draft.add([...schema('MandateError', 'code'), 'enum'], 'bounced'),
    text: '`MandateError.code` gains the value `bounced`.',
  },
  {
    weight: 'major',
    name: 'a value of requests and responses is new',
    edit: (draft) => draft.add([...schema('Language'), 'enum'], 'it'),
    text: '`Language` gains the value `it`.',
  },
  {
    weight: 'major',
    name: 'a field of a response is no longer limited to values',
    edit: (draft) => draft.remove(...schema('Language'), 'enum'),
    text: '`Language` is no longer limited to `fr`, `nl`, `de` and `en`.',
  },
  {
    weight: 'major',
    name: 'a field of a response can be null',
    edit: (draft) =>
      draft.set([...schema('Customer', 'accountingRef'), 'type'], ['string', 'null']),
    text: 'The `type` of `Customer.accountingRef` goes from `string` to `["string","null"]`.',
  },
  {
    weight: 'major',
    name: 'a text of a response can be longer',
    edit: (draft) => draft.set([...schema('Customer', 'name'), 'maxLength'], 300),
    text: 'The `maxLength` of `Customer.name` goes from `200` to `300`.',
  },
  {
    weight: 'major',
    name: 'a response loses its pattern',
    edit: (draft) => draft.remove(...schema('BankAccount', 'iban'), 'pattern'),
    text: '`BankAccount.iban` no longer has `pattern: ^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$`.',
  },
  {
    weight: 'major',
    name: 'a value of a discriminator leads to another alternative',
    edit: (draft) => {
      const mapping = [...schema('Mandate'), 'discriminator', 'mapping'];
      const [coda, codb] = ['CODA', 'CODB'].map((value) => draft.get(...mapping, value) ?? null);
      draft.set(mapping, { CODA: codb ?? null, CODB: coda ?? null });
    },
    text: 'The `discriminator` of `Mandate` changes.',
  },
  {
    weight: 'major',
    name: 'an alternative of a response is new',
    edit: (draft) => draft.add([...schema('Mandate'), 'oneOf'], { type: 'object' }),
    text: '`Mandate` gains the alternative `oneOf[2]`.',
  },
  {
    weight: 'major',
    name: 'a number of fields is required',
    edit: (draft) => draft.set([...schema(create), 'minProperties'], 6),
    text: '`CreateCustomerRequest` now has `minProperties: 6`.',
  },
  {
    weight: 'major',
    name: 'a keyword that no rule knows is new',
    edit: (draft) => draft.set([...schema(create, 'name'), 'not'], { const: 'x' }),
    text: 'The `not` of `CreateCustomerRequest.name` is new.',
  },
  {
    weight: 'minor',
    name: 'a value of a request alone is new',
    edit: (draft) => draft.add([...schema('MandateStatus'), 'enum'], 'paused'),
    text: '`MandateStatus` gains the value `paused`.',
  },
  {
    weight: 'minor',
    name: 'a text of a request can be longer',
    edit: (draft) => draft.set([...schema(create, 'name'), 'maxLength'], 300),
    text: 'The `maxLength` of `CreateCustomerRequest.name` goes from `200` to `300`.',
  },
  {
    weight: 'minor',
    name: 'a request loses a limit',
    edit: (draft) => draft.remove(...schema(create, 'bankAccounts'), 'maxItems'),
    text: '`CreateCustomerRequest.bankAccounts` no longer has `maxItems: 100`.',
  },
  {
    weight: 'minor',
    name: 'a field of a request can be null',
    edit: (draft) => draft.set([...schema(create, 'accountingRef'), 'type'], ['string', 'null']),
    text: 'The `type` of `CreateCustomerRequest.accountingRef` goes from `string` to `["string","null"]`.',
  },
  {
    weight: 'minor',
    name: 'an alternative of a request is new',
    edit: (draft) => draft.add([...schema('TokenRequest'), 'oneOf'], { type: 'string' }),
    text: '`TokenRequest` gains the alternative `oneOf[2]`.',
  },
  {
    weight: 'patch',
    name: 'the default of a request is described',
    edit: (draft) => draft.set([...schema('ListCodaFilesRequest', 'currency'), 'default'], 'EUR'),
    text: '`ListCodaFilesRequest.currency` now has `default: EUR`.',
  },
  {
    weight: 'patch',
    name: 'a text of a response must be shorter',
    edit: (draft) => draft.set([...schema('Customer', 'name'), 'maxLength'], 100),
    text: 'The `maxLength` of `Customer.name` goes from `200` to `100`.',
  },
  {
    weight: 'patch',
    name: 'a response has a value less',
    edit: (draft) => draft.drop([...schema('MandateError', 'code'), 'enum'], 'deliveryFailed'),
    text: '`MandateError.code` loses the value `deliveryFailed`.',
  },
];
