import { type SpecEdit, schema } from './spec-draft.js';

const field = { type: 'string', description: 'A note.', examples: ['a'] };
const create = 'CreateCustomerRequest';
const body = ['requestBody', 'content', 'application/json'];
const ok = ['responses', '200'];

/** Edits that give callers more. */
export const minor: readonly Omit<SpecEdit, 'weight'>[] = [
  {
    name: 'an operation is new',
    edit: (draft) => {
      const read = draft.get(...draft.operation('getCustomer')) as object;
      const restore = {
        ...read,
        operationId: 'restoreCustomer',
        'x-client-method': 'customers.restore',
      };
      draft.set(['paths', '/customers/{customerId}/restore'], { post: restore });
    },
    text: '`restoreCustomer` (`POST /customers/{customerId}/restore`) is new.',
  },
  {
    name: 'an optional field of a request is new',
    edit: (draft) => draft.set(schema(create, 'note'), field),
    text: '`CreateCustomerRequest.note` is new.',
  },
  {
    name: 'an optional parameter is new',
    edit: (draft) =>
      draft.set(
        [...draft.operation('listBanks'), 'parameters'],
        [{ name: 'X-Trace', in: 'header', schema: { type: 'string' } }],
      ),
    text: 'Parameter `header.X-Trace` is new.',
  },
  {
    name: 'a header of a response is new',
    edit: (draft) =>
      draft.set([...draft.operation('listBanks'), ...ok, 'headers', 'ETag'], {
        schema: { type: 'string' },
      }),
    text: '`listBanks 200` has the new header `ETag`.',
  },
  {
    name: 'a field of a response is new',
    edit: (draft) => draft.set(schema('Customer', 'note'), field),
    text: '`Customer.note` is new.',
  },
  {
    name: 'a field that every response has is new',
    edit: (draft) => {
      draft.set(schema('Customer', 'note'), field);
      draft.add([...schema('Customer'), 'required'], 'note');
    },
    text: '`Customer.note` is new and required.',
  },
  {
    name: 'a value of a request alone is new',
    edit: (draft) => draft.add([...schema('MandateStatus'), 'enum'], 'paused'),
    text: '`MandateStatus` gains the value `paused`.',
  },
  {
    name: 'a text of a request can be longer',
    edit: (draft) => draft.set([...schema(create, 'name'), 'maxLength'], 300),
    text: 'The `maxLength` of `CreateCustomerRequest.name` goes from `200` to `300`.',
  },
  {
    name: 'a request loses a limit',
    edit: (draft) => draft.remove(...schema(create, 'bankAccounts'), 'maxItems'),
    text: '`CreateCustomerRequest.bankAccounts` no longer has `maxItems: 100`.',
  },
  {
    name: 'a field of a request can be null',
    edit: (draft) => draft.set([...schema(create, 'accountingRef'), 'type'], ['string', 'null']),
    text: 'The `type` of `CreateCustomerRequest.accountingRef` goes from `string` to `["string","null"]`.',
  },
  {
    name: 'a required field of a request becomes optional',
    edit: (draft) => draft.drop([...schema(create), 'required'], 'accountingRef'),
    text: '`CreateCustomerRequest.accountingRef` is no longer required.',
  },
  {
    name: 'a request is opened',
    edit: (draft) => draft.remove(...schema('NewContact'), 'additionalProperties'),
    text: '`NewContact` can now have other fields.',
  },
  {
    name: 'an alternative of a request is new',
    edit: (draft) => draft.add([...schema('TokenRequest'), 'oneOf'], { type: 'string' }),
    text: '`TokenRequest` gains the alternative `2`.',
  },
  {
    name: 'a scope is no longer required',
    edit: (draft) => draft.set([...draft.operation('listBanks'), 'security', 0, 'apiKey'], []),
    text: '`listBanks` no longer requires `apiKey customers:read`.',
  },
  {
    name: 'an error code is new',
    edit: (draft) => draft.add([...schema('ErrorCode'), 'enum'], 'customerLocked'),
    text: '`ErrorCode` gains the value `customerLocked`.',
  },
  {
    name: 'an operation can return another error code',
    edit: (draft) => {
      const path = [
        'components',
        'responses',
        'NotFound',
        'content',
        'application/json',
        'examples',
      ];
      const value = { error: 'customerLocked', message: 'It is locked.', requestId: 'a' };
      draft.set([...path, 'customerLocked'], { value });
    },
    text: 'Error code `customerLocked` (404) is new.',
  },
  {
    name: 'an operation can return another status of errors',
    edit: (draft) => {
      const responses = [...draft.operation('listBanks'), 'responses'];
      draft.set([...responses, '404'], { $ref: '#/components/responses/NotFound' });
    },
    text: '`listBanks` can now return 404.',
  },
  {
    name: 'a method of the client is new',
    edit: (draft) =>
      draft.set([...draft.operation('searchCustomers'), 'x-changes'], { method: 'changes' }),
    text: '`x-changes` of `searchCustomers` is new.',
  },
  {
    name: 'a field is deprecated',
    edit: (draft) => draft.set([...schema('Customer', 'accountingRef'), 'deprecated'], true),
    text: '`Customer.accountingRef` is now deprecated.',
  },
  {
    name: 'a server is new',
    edit: (draft) => draft.add(['servers'], { url: 'https://staging.adx.example.org/v1' }),
    text: 'Server `https://staging.adx.example.org/v1` is new.',
  },
];

/** Edits that callers cannot notice, or need not. */
export const patch: readonly Omit<SpecEdit, 'weight'>[] = [
  {
    name: 'the description of the interface changes',
    edit: (draft) => draft.set(['info', 'description'], 'Another.'),
    text: 'The `description` of `info` changes.',
  },
  {
    name: 'the text of a tag changes',
    edit: (draft) => draft.set(['tags', 1, 'description'], 'Another.'),
    text: 'The `Customers` of `tags` changes.',
  },
  {
    name: 'a tag is new before others',
    edit: (draft) => draft.set(['tags'], [{ name: 'New' }, ...(draft.get('tags') as [])]),
    text: 'The `New` of `tags` is new.',
  },
  {
    name: 'the default of a request is described',
    edit: (draft) => draft.set([...schema('ListCodaFilesRequest', 'currency'), 'default'], 'EUR'),
    text: '`ListCodaFilesRequest.currency` now has `default: EUR`.',
  },
  {
    name: 'the description of a server changes',
    edit: (draft) => draft.set(['servers', 0, 'description'], 'Another.'),
    text: 'Server `https://{host}/v1` changes.',
  },
  {
    name: 'a summary changes',
    edit: (draft) => draft.set([...draft.operation('getCustomer'), 'summary'], 'Another'),
    text: 'The `summary` of `getCustomer` changes.',
  },
  {
    name: 'an operation gets another tag',
    edit: (draft) => draft.set([...draft.operation('listBanks'), 'tags'], ['Customers']),
    text: 'The `tags` of `listBanks` changes.',
  },
  {
    name: 'the description of a field changes',
    edit: (draft) => draft.set([...schema('Customer', 'name'), 'description'], 'Another.'),
    text: 'The `description` of `Customer.name` changes.',
  },
  {
    name: 'the example of a field changes',
    edit: (draft) => draft.set([...schema('Customer', 'name'), 'examples'], ['Another']),
    text: 'The `examples` of `Customer.name` changes.',
  },
  {
    name: 'an example of a request is new',
    edit: (draft) =>
      draft.set([...draft.operation('searchCustomers'), ...body, 'examples', 'a'], { value: {} }),
    text: 'The example `a` is new.',
  },
  {
    name: 'the description of a parameter changes',
    edit: (draft) => draft.set(['components', 'parameters', 'iban', 'description'], 'Another.'),
    text: 'The `description` of `path.iban` changes.',
  },
  {
    name: 'a text of a response must be shorter',
    edit: (draft) => draft.set([...schema('Customer', 'name'), 'maxLength'], 100),
    text: 'The `maxLength` of `Customer.name` goes from `200` to `100`.',
  },
  {
    name: 'every response has a field that was optional',
    edit: (draft) => draft.add([...schema('Customer'), 'required'], 'accountingRef'),
    text: '`Customer.accountingRef` is now required.',
  },
  {
    name: 'a response has a value less',
    edit: (draft) => draft.drop([...schema('MandateError', 'code'), 'enum'], 'deliveryFailed'),
    text: '`MandateError.code` loses the value `deliveryFailed`.',
  },
  {
    name: 'an error code is no longer returned',
    edit: (draft) =>
      draft.remove(
        ...['components', 'responses', 'TooManyRequests', 'content'],
        'application/json',
        'examples',
      ),
    text: 'Error code `tooManyRequests` (429) is no longer returned.',
  },
  {
    name: 'a status of errors is no longer returned',
    edit: (draft) => draft.remove(...draft.operation('getCustomer'), 'responses', '404'),
    text: '`getCustomer` no longer returns 404.',
  },
];

/** Other ways to write the same. */
export const none: readonly Omit<SpecEdit, 'weight' | 'text'>[] = [
  { name: 'nothing changes', edit: () => {} },
  {
    name: 'an inline schema moves to the components',
    edit: (draft) => {
      const path = schema('SearchMandatesRequest', 'sort');
      draft.set(schema('MandateOrder'), draft.get(...path) ?? null);
      draft.set(path, { $ref: '#/components/schemas/MandateOrder' });
    },
  },
  {
    name: 'a schema of the components moves to its place',
    edit: (draft) =>
      draft.set(schema('ErrorBody', 'error'), draft.get(...schema('ErrorCode')) ?? null),
  },
  {
    name: 'a schema of the components is renamed',
    edit: (draft) => {
      draft.rename(schema('CodaMandate'), 'StatementMandate');
      const ref = '#/components/schemas/StatementMandate';
      draft.set([...schema('Mandate'), 'oneOf', 0], { $ref: ref });
      draft.set([...schema('Mandate'), 'discriminator', 'mapping', 'CODA'], ref);
    },
  },
  {
    name: 'a reference is written as allOf',
    edit: (draft) =>
      draft.set(schema('Customer', 'address'), {
        allOf: [{ $ref: '#/components/schemas/Address' }],
      }),
  },
  {
    name: 'alternatives change their order',
    edit: (draft) =>
      draft.set(
        [...schema('Mandate'), 'oneOf'],
        [
          { $ref: '#/components/schemas/CodbMandate' },
          { $ref: '#/components/schemas/CodaMandate' },
        ],
      ),
  },
  {
    name: 'the members of all objects change their order',
    edit: (draft) => {
      for (const key of Object.keys(draft.value))
        draft.set([key], reversed(draft.get(key) ?? null));
    },
  },
  {
    name: 'the values of an enum change their order',
    edit: (draft) => draft.set([...schema('Language'), 'enum'], ['en', 'de', 'nl', 'fr']),
  },
  {
    name: 'a parameter moves to the path item',
    edit: (draft) => {
      const path = draft.operation('getMandate');
      const parameters = draft.get(...path, 'parameters') ?? null;
      draft.remove(...path, 'parameters');
      draft.set([...path.slice(0, -1), 'parameters'], parameters);
    },
  },
  {
    name: 'the version of the document changes',
    edit: (draft) => draft.set(['info', 'version'], '1.1'),
  },
];

/** The same value with the members of its objects in reversed order. */
function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, reversed(member)]);
  return Object.fromEntries(members.reverse());
}
