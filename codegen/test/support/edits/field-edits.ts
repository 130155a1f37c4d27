import { type SpecEdits, schema } from '../spec-draft.js';

const field = { type: 'string', description: 'A note.', examples: ['a'] };
const create = 'CreateCustomerRequest';

export const fieldEdits: SpecEdits = {
  major: {
    '`Customer.accountingRef` is removed.': (draft) =>
      draft.remove(...schema('Customer', 'accountingRef')),
    '`Customer.accountingRef` is renamed to `reference`.': (draft) =>
      draft.rename(schema('Customer', 'accountingRef'), 'reference'),
    '`CreateCustomerRequest.note` is new and required.': (draft) => {
      draft.set(schema(create, 'note'), field);
      draft.add([...schema(create), 'required'], 'note');
    },
    '`CreateCustomerRequest.bankAccounts` is now required.': (draft) =>
      draft.add([...schema(create), 'required'], 'bankAccounts'),
    '`Customer.contact` is no longer required.': (draft) =>
      draft.drop([...schema('Customer'), 'required'], 'contact'),
    '`ErrorBody.requestId` is no longer required.': (draft) =>
      draft.drop([...schema('ErrorBody'), 'required'], 'requestId'),
    'The `type` of `CodaFile.statementNumber` goes from `integer` to `string`.': (draft) =>
      draft.set([...schema('CodaFile', 'statementNumber'), 'type'], 'string'),
    '`Customer.createdOn` no longer has `format: date-time`.': (draft) =>
      draft.remove(...schema('Customer', 'createdOn'), 'format'),
    '`NewAddress.street2` can no longer have other fields.': (draft) =>
      draft.set([...schema('NewAddress', 'street2'), 'additionalProperties'], false),
    'The `type` of `Customer.bankAccounts[]` goes from `object` to `string`.': (draft) =>
      draft.set([...schema('Customer', 'bankAccounts'), 'items'], { type: 'string' }),
  },
  minor: {
    'The `type` of `SearchCustomersRequest.limit` goes from `integer` to `number`.': (draft) =>
      draft.set([...schema('SearchCustomersRequest', 'limit'), 'type'], 'number'),
    '`CreateCustomerRequest.note` is new.': (draft) => draft.set(schema(create, 'note'), field),
    '`Customer.note` is new.': (draft) => draft.set(schema('Customer', 'note'), field),
    '`Customer.note` is new and required.': (draft) => {
      draft.set(schema('Customer', 'note'), field);
      draft.add([...schema('Customer'), 'required'], 'note');
    },
    '`CreateCustomerRequest.accountingRef` is no longer required.': (draft) =>
      draft.drop([...schema(create), 'required'], 'accountingRef'),
    '`NewContact` can now have other fields.': (draft) =>
      draft.remove(...schema('NewContact'), 'additionalProperties'),
    '`Customer.accountingRef` is now deprecated.': (draft) =>
      draft.set([...schema('Customer', 'accountingRef'), 'deprecated'], true),
  },
  patch: {
    '`Customer.accountingRef` is now required.': (draft) =>
      draft.add([...schema('Customer'), 'required'], 'accountingRef'),
  },
};
