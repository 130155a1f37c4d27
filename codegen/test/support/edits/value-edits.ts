import { type SpecEdits, schema } from '../spec-draft.js';

const create = 'CreateCustomerRequest';

export const valueEdits: SpecEdits = {
  major: {
    'The `pattern` of `CreateCustomerRequest.enterpriseNumber` goes from `^[01][0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$` to `^0[0-9]{9}$`.':
      (draft) => draft.set([...schema(create, 'enterpriseNumber'), 'pattern'], '^0[0-9]{9}$'),
    '`RefreshRequest.refreshToken` now has `pattern: ^adx_`.': (draft) =>
      draft.set([...schema('RefreshRequest', 'refreshToken'), 'pattern'], '^adx_'),
    '`SearchCustomersRequest.limit` now has `maximum: 200`.': (draft) =>
      draft.set([...schema('SearchCustomersRequest', 'limit'), 'maximum'], 200),
    '`SearchMandatesRequest.sort` loses the value `bankName`.': (draft) =>
      draft.drop([...schema('SearchMandatesRequest', 'sort'), 'enum'], 'bankName'),
    '`Language` loses the values `nl`, `de` and `en`.': (draft) =>
      draft.set([...schema('Language'), 'const'], 'fr'),
    '`NewAddress.country` is now limited to `België`.': (draft) =>
      draft.set([...schema('NewAddress', 'country'), 'enum'], ['België']),
    'The `default` of `SearchCustomersRequest.limit` goes from `50` to `20`.': (draft) =>
      draft.set([...schema('SearchCustomersRequest', 'limit'), 'default'], 20),
    '`TokenRequest` loses the alternative `RefreshRequest`.': (draft) =>
      draft.remove(...schema('TokenRequest'), 'oneOf', 1),
    '`MandateError.code` gains the value `bounced`.': (draft) =>
      draft.add([...schema('MandateError', 'code'), 'enum'], 'bounced'),
    '`Language` gains the value `it`.': (draft) => draft.add([...schema('Language'), 'enum'], 'it'),
    '`Language` is no longer limited to `fr`, `nl`, `de` and `en`.': (draft) =>
      draft.remove(...schema('Language'), 'enum'),
    'The `type` of `Customer.accountingRef` goes from `string` to `["string","null"]`.': (draft) =>
      draft.set([...schema('Customer', 'accountingRef'), 'type'], ['string', 'null']),
    'The `maxLength` of `Customer.name` goes from `200` to `300`.': (draft) =>
      draft.set([...schema('Customer', 'name'), 'maxLength'], 300),
    '`BankAccount.iban` no longer has `pattern: ^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$`.': (draft) =>
      draft.remove(...schema('BankAccount', 'iban'), 'pattern'),
    'The `discriminator` of `Mandate` changes.': (draft) => {
      const mapping = [...schema('Mandate'), 'discriminator', 'mapping'];
      const [coda, codb] = ['CODA', 'CODB'].map((value) => draft.get(...mapping, value) ?? null);
      draft.set(mapping, { CODA: codb ?? null, CODB: coda ?? null });
    },
    '`Mandate` gains the alternative `oneOf[2]`.': (draft) =>
      draft.add([...schema('Mandate'), 'oneOf'], { type: 'object' }),
    'The `not` of `CreateCustomerRequest.name` is new.': (draft) =>
      draft.set([...schema(create, 'name'), 'not'], { const: 'x' }),
  },
  minor: {
    '`CreateCustomerRequest.bankAccounts` no longer has `maxItems: 100`.': (draft) =>
      draft.remove(...schema(create, 'bankAccounts'), 'maxItems'),
    'The `type` of `CreateCustomerRequest.accountingRef` goes from `string` to `["string","null"]`.':
      (draft) => draft.set([...schema(create, 'accountingRef'), 'type'], ['string', 'null']),
    '`TokenRequest` gains the alternative `oneOf[2]`.': (draft) =>
      draft.add([...schema('TokenRequest'), 'oneOf'], { type: 'string' }),
  },
  patch: {
    '`ListCodaFilesRequest.currency` now has `default: EUR`.': (draft) =>
      draft.set([...schema('ListCodaFilesRequest', 'currency'), 'default'], 'EUR'),
    'The `maxLength` of `Customer.name` goes from `200` to `100`.': (draft) =>
      draft.set([...schema('Customer', 'name'), 'maxLength'], 100),
    '`MandateError.code` loses the value `deliveryFailed`.': (draft) =>
      draft.drop([...schema('MandateError', 'code'), 'enum'], 'deliveryFailed'),
  },
};
