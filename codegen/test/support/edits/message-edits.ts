import { type SpecEdit, schema } from '../spec-draft.js';

const body = ['requestBody', 'content', 'application/json'];
const ok = ['responses', '200'];

/** Edits of the parts of requests and responses around their schemas. */
export const messageEdits: readonly SpecEdit[] = [
  {
    weight: 'major',
    name: 'a media type of a request is replaced',
    edit: (draft) =>
      draft.rename([...draft.operation('createCustomer'), ...body], 'application/xml'),
    text: '`createCustomer body` can no longer be `application/json`.',
  },
  {
    weight: 'major',
    name: 'a media type of a response is removed',
    edit: (draft) => draft.set([...draft.operation('listBanks'), ...ok, 'content'], {}),
    text: '`listBanks 200` can no longer be `application/json`.',
  },
  {
    weight: 'major',
    name: 'a success gets another status',
    edit: (draft) => draft.rename([...draft.operation('createCustomer'), ...ok], '201'),
    text: '`createCustomer` no longer returns 200.',
  },
  {
    weight: 'major',
    name: 'another status of success is new',
    edit: (draft) =>
      draft.set([...draft.operation('getMandate'), 'responses', '202'], { description: 'Later.' }),
    text: '`getMandate` can now return 202.',
  },
  {
    weight: 'major',
    name: 'a header of a response is removed',
    edit: (draft) =>
      draft.remove(...draft.operation('listBanks'), ...ok, 'headers', 'X-Request-Id'),
    text: 'Header `X-Request-Id` is removed from `listBanks 200`.',
  },
  {
    weight: 'major',
    name: 'a body is no longer taken',
    edit: (draft) => draft.remove(...draft.operation('listCodaFiles'), 'requestBody'),
    text: '`listCodaFiles` no longer has a body.',
  },
  {
    weight: 'major',
    name: 'a body becomes required',
    edit: (draft) =>
      draft.set([...draft.operation('getMandate'), 'requestBody'], { required: true, content: {} }),
    text: '`getMandate` now has a required body.',
  },
  {
    weight: 'major',
    name: 'a parameter of the path is renamed',
    edit: (draft) => {
      draft.rename(['paths', '/mandates/{mandateId}'], '/mandates/{id}');
      draft.set(['components', 'parameters', 'mandateId', 'name'], 'id');
    },
    text: 'Parameter `path.mandateId` is renamed to `id`.',
  },
  {
    weight: 'major',
    name: 'a required query parameter is new',
    edit: (draft) =>
      draft.set(
        [...draft.operation('listCustomers'), 'parameters'],
        [{ name: 'firm', in: 'query', required: true, schema: { type: 'string' } }],
      ),
    text: 'Parameter `query.firm` is new and required.',
  },
  {
    weight: 'major',
    name: 'the pattern of a parameter is tightened',
    edit: (draft) => draft.set(['components', 'parameters', 'iban', 'schema', 'maxLength'], 34),
    text: 'The `maxLength` of `path.iban` goes from `64` to `34`.',
  },
  {
    weight: 'major',
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
    weight: 'minor',
    name: 'an optional parameter is new',
    edit: (draft) =>
      draft.set(
        [...draft.operation('listBanks'), 'parameters'],
        [{ name: 'X-Trace', in: 'header', schema: { type: 'string' } }],
      ),
    text: 'Parameter `header.X-Trace` is new.',
  },
  {
    weight: 'minor',
    name: 'a header of a response is new',
    edit: (draft) =>
      draft.set([...draft.operation('listBanks'), ...ok, 'headers', 'ETag'], {
        schema: { type: 'string' },
      }),
    text: '`listBanks 200` has the new header `ETag`.',
  },
  {
    weight: 'minor',
    name: 'an error code is new',
    edit: (draft) => draft.add([...schema('ErrorCode'), 'enum'], 'customerLocked'),
    text: '`ErrorCode` gains the value `customerLocked`.',
  },
  {
    weight: 'minor',
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
    weight: 'minor',
    name: 'an operation can return another status of errors',
    edit: (draft) => {
      const responses = [...draft.operation('listBanks'), 'responses'];
      draft.set([...responses, '404'], { $ref: '#/components/responses/NotFound' });
    },
    text: '`listBanks` can now return 404.',
  },
  {
    weight: 'patch',
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
    weight: 'patch',
    name: 'a status of errors is no longer returned',
    edit: (draft) => draft.remove(...draft.operation('getCustomer'), 'responses', '404'),
    text: '`getCustomer` no longer returns 404.',
  },
];
