import { type SpecEdit, schema } from '../spec-draft.js';

const field = { type: 'string', description: 'A note.', examples: ['a'] };
const create = 'CreateCustomerRequest';

/** Edits of the fields of requests and responses, and of their types. */
export const fieldEdits: readonly SpecEdit[] = [
  {
    weight: 'major',
    name: 'a field of a response is removed',
    edit: (draft) => draft.remove(...schema('Customer', 'accountingRef')),
    text: '`Customer.accountingRef` is removed.',
  },
  {
    weight: 'major',
    name: 'a field of a response is renamed',
    edit: (draft) => draft.rename(schema('Customer', 'accountingRef'), 'reference'),
    text: '`Customer.accountingRef` is renamed to `reference`.',
  },
  {
    weight: 'major',
    name: 'a required field of a response is renamed',
    edit: (draft) => {
      draft.rename(schema('Bank', 'bic'), 'swift');
      draft.drop([...schema('Bank'), 'required'], 'bic');
      draft.add([...schema('Bank'), 'required'], 'swift');
    },
    text: '`Bank.bic` is renamed to `swift`.',
  },
  {
    weight: 'major',
    name: 'a field of a request is removed',
    edit: (draft) => draft.remove(...schema(create, 'bankAccounts')),
    text: '`CreateCustomerRequest.bankAccounts` is removed.',
  },
  {
    weight: 'major',
    name: 'a field of a request is renamed',
    edit: (draft) => draft.rename(schema('SearchMandatesRequest', 'updatedSince'), 'since'),
    text: '`SearchMandatesRequest.updatedSince` is renamed to `since`.',
  },
  {
    weight: 'major',
    name: 'a nested field of a request is removed',
    edit: (draft) => draft.remove(...schema('NewAddress', 'street2')),
    text: '`NewAddress.street2` is removed.',
  },
  {
    weight: 'major',
    name: 'a required field of a request is new',
    edit: (draft) => {
      draft.set(schema(create, 'note'), field);
      draft.add([...schema(create), 'required'], 'note');
    },
    text: '`CreateCustomerRequest.note` is new and required.',
  },
  {
    weight: 'major',
    name: 'an optional field of a request becomes required',
    edit: (draft) => draft.add([...schema(create), 'required'], 'bankAccounts'),
    text: '`CreateCustomerRequest.bankAccounts` is now required.',
  },
  {
    weight: 'major',
    name: 'a field that a response always had becomes optional',
    edit: (draft) => draft.drop([...schema('Customer'), 'required'], 'contact'),
    text: '`Customer.contact` is no longer required.',
  },
  {
    weight: 'major',
    name: 'a field of an error becomes optional',
    edit: (draft) => draft.drop([...schema('ErrorBody'), 'required'], 'requestId'),
    text: '`ErrorBody.requestId` is no longer required.',
  },
  {
    weight: 'major',
    name: 'a field gets another type',
    edit: (draft) => draft.set([...schema('CodaFile', 'statementNumber'), 'type'], 'string'),
    text: 'The `type` of `CodaFile.statementNumber` goes from `integer` to `string`.',
  },
  {
    weight: 'major',
    name: 'an integer becomes a number in a request',
    edit: (draft) => draft.set([...schema('SearchCustomersRequest', 'limit'), 'type'], 'number'),
    text: 'The `type` of `SearchCustomersRequest.limit` goes from `integer` to `number`.',
  },
  {
    weight: 'major',
    name: 'a field gets another format',
    edit: (draft) => draft.set([...schema('CodaFile', 'statementDate'), 'format'], 'date-time'),
    text: 'The `format` of `CodaFile.statementDate` goes from `date` to `date-time`.',
  },
  {
    weight: 'major',
    name: 'a format is removed',
    edit: (draft) => draft.remove(...schema('Customer', 'createdOn'), 'format'),
    text: '`Customer.createdOn` no longer has `format: date-time`.',
  },
  {
    weight: 'major',
    name: 'a request is closed',
    edit: (draft) => draft.set([...schema('NewAddress', 'street2'), 'additionalProperties'], false),
    text: '`NewAddress.street2` can no longer have other fields.',
  },
  {
    weight: 'major',
    name: 'the items of a response get another type',
    edit: (draft) =>
      draft.set([...schema('Customer', 'bankAccounts'), 'items'], { type: 'string' }),
    text: 'The `type` of `Customer.bankAccounts[]` goes from `object` to `string`.',
  },
  {
    weight: 'minor',
    name: 'an optional field of a request is new',
    edit: (draft) => draft.set(schema(create, 'note'), field),
    text: '`CreateCustomerRequest.note` is new.',
  },
  {
    weight: 'minor',
    name: 'a field of a response is new',
    edit: (draft) => draft.set(schema('Customer', 'note'), field),
    text: '`Customer.note` is new.',
  },
  {
    weight: 'minor',
    name: 'a field that every response has is new',
    edit: (draft) => {
      draft.set(schema('Customer', 'note'), field);
      draft.add([...schema('Customer'), 'required'], 'note');
    },
    text: '`Customer.note` is new and required.',
  },
  {
    weight: 'minor',
    name: 'a required field of a request becomes optional',
    edit: (draft) => draft.drop([...schema(create), 'required'], 'accountingRef'),
    text: '`CreateCustomerRequest.accountingRef` is no longer required.',
  },
  {
    weight: 'minor',
    name: 'a request is opened',
    edit: (draft) => draft.remove(...schema('NewContact'), 'additionalProperties'),
    text: '`NewContact` can now have other fields.',
  },
  {
    weight: 'minor',
    name: 'a field is deprecated',
    edit: (draft) => draft.set([...schema('Customer', 'accountingRef'), 'deprecated'], true),
    text: '`Customer.accountingRef` is now deprecated.',
  },
  {
    weight: 'patch',
    name: 'every response has a field that was optional',
    edit: (draft) => draft.add([...schema('Customer'), 'required'], 'accountingRef'),
    text: '`Customer.accountingRef` is now required.',
  },
];
