import { type SpecEdits, schema } from '../spec-draft.js';

const body = ['requestBody', 'content', 'application/json'];
const ok = ['responses', '200'];

export const messageEdits: SpecEdits = {
  major: {
    '`createCustomer body` can no longer be `application/json`.': (draft) =>
      draft.rename([...draft.operation('createCustomer'), ...body], 'application/xml'),
    '`listBanks 200` can no longer be `application/json`.': (draft) =>
      draft.set([...draft.operation('listBanks'), ...ok, 'content'], {}),
    'Response `200` is removed.': (draft) =>
      draft.rename([...draft.operation('createCustomer'), ...ok], '201'),
    'Response `202` is new.': (draft) =>
      draft.set([...draft.operation('getMandate'), 'responses', '202'], { description: 'Later.' }),
    'Header `X-Request-Id` is removed from `listBanks 200`.': (draft) =>
      draft.remove(...draft.operation('listBanks'), ...ok, 'headers', 'X-Request-Id'),
    '`listCodaFiles` no longer has a body.': (draft) =>
      draft.remove(...draft.operation('listCodaFiles'), 'requestBody'),
    '`getMandate` now has a required body.': (draft) =>
      draft.set([...draft.operation('getMandate'), 'requestBody'], { required: true, content: {} }),
    'Parameter `path.mandateId` is renamed to `id`.': (draft) => {
      draft.rename(['paths', '/mandates/{mandateId}'], '/mandates/{id}');
      draft.set(['components', 'parameters', 'mandateId', 'name'], 'id');
    },
    'Parameter `query.firm` is new and required.': (draft) =>
      draft.set(
        [...draft.operation('listCustomers'), 'parameters'],
        [{ name: 'firm', in: 'query', required: true, schema: { type: 'string' } }],
      ),
    'The `maxLength` of `path.iban` goes from `64` to `34`.': (draft) =>
      draft.set(['components', 'parameters', 'iban', 'schema', 'maxLength'], 34),
    'Error code `mandateNotRequestable` comes with status 403 instead of 409.': (draft) => {
      const responses = ['components', 'responses'];
      const path = ['content', 'application/json', 'examples', 'mandateNotRequestable'];
      const example = draft.get(...responses, 'MandateNotRequestable', ...path) ?? null;
      draft.remove(...draft.operation('requestMandate'), 'responses', '409');
      draft.set([...responses, 'Forbidden', ...path], example);
    },
  },
  minor: {
    'Parameter `header.X-Trace` is new.': (draft) =>
      draft.set(
        [...draft.operation('listBanks'), 'parameters'],
        [{ name: 'X-Trace', in: 'header', schema: { type: 'string' } }],
      ),
    '`listBanks 200` has the new header `ETag`.': (draft) =>
      draft.set([...draft.operation('listBanks'), ...ok, 'headers', 'ETag'], {
        schema: { type: 'string' },
      }),
    '`ErrorCode` gains the value `customerLocked`.': (draft) =>
      draft.add([...schema('ErrorCode'), 'enum'], 'customerLocked'),
    'Error code `customerLocked` (404) is new.': (draft) => {
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
    'Response `404` is new.': (draft) => {
      const responses = [...draft.operation('listBanks'), 'responses'];
      draft.set([...responses, '404'], { $ref: '#/components/responses/NotFound' });
    },
  },
  patch: {
    'Error code `tooManyRequests` (429) is no longer returned.': (draft) =>
      draft.remove(
        ...['components', 'responses', 'TooManyRequests', 'content'],
        'application/json',
        'examples',
      ),
    'Response `404` is removed.': (draft) =>
      draft.remove(...draft.operation('getCustomer'), 'responses', '404'),
  },
};
