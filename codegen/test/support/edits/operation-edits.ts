import type { SpecEdits } from '../spec-draft.js';

const host = ['servers', 0, 'variables', 'host'];

/** Edits of operations as a whole, the methods of the client, credentials and servers. */
export const operationEdits: SpecEdits = {
  major: {
    '`getMandate` (`GET /mandates/{mandateId}`) is removed.': (draft) =>
      draft.remove(...draft.operation('getMandate')),
    '`helloWorld` (`GET /hello-world`) is removed.': (draft) =>
      draft.remove('paths', '/hello-world'),
    '`helloWorld` moves from `GET /hello-world` to `GET /hello`.': (draft) =>
      draft.rename(['paths', '/hello-world'], '/hello'),
    '`updateCustomer` moves from `PATCH /customers/{customerId}` to `PUT /customers/{customerId}`.':
      (draft) => draft.rename(draft.operation('updateCustomer'), 'put'),
    'The `operationId` of `getCustomer` becomes `readCustomer`.': (draft) =>
      draft.set([...draft.operation('getCustomer'), 'operationId'], 'readCustomer'),
    "The client's method `customers.get` becomes `customers.read`.": (draft) =>
      draft.set([...draft.operation('getCustomer'), 'x-client-method'], 'customers.read'),
    '`x-paginated` of `searchMandates` is removed.': (draft) =>
      draft.remove(...draft.operation('searchMandates'), 'x-paginated'),
    '`x-paginated` of `listCodaFiles` is new.': (draft) =>
      draft.set([...draft.operation('listCodaFiles'), 'x-paginated'], true),
    '`requestMandate` now requires `apiKey mandates:read`.': (draft) =>
      draft.add([...draft.operation('requestMandate'), 'security', 0, 'apiKey'], 'mandates:read'),
    '`getToken` now requires `idToken`.': (draft) =>
      draft.set([...draft.operation('getToken'), 'security', 0, 'idToken'], []),
    'The `name` of the credential `apiKey` changes.': (draft) =>
      draft.set(['components', 'securitySchemes', 'apiKey', 'name'], 'api-key'),
    'Server `https://{host}/v1` is removed.': (draft) =>
      draft.set(['servers', 0, 'url'], 'https://{host}/v2'),
    'The `default` of `server.host` goes from `adx.example.org` to `api.example.org`.': (draft) =>
      draft.set([...host, 'default'], 'api.example.org'),
  },
  minor: {
    '`restoreCustomer` (`POST /customers/{customerId}/restore`) is new.': (draft) => {
      const read = draft.get(...draft.operation('getCustomer')) as object;
      const restore = {
        ...read,
        operationId: 'restoreCustomer',
        'x-client-method': 'customers.restore',
      };
      draft.set(['paths', '/customers/{customerId}/restore'], { post: restore });
    },
    '`listBanks` no longer requires `apiKey customers:read`.': (draft) =>
      draft.set([...draft.operation('listBanks'), 'security', 0, 'apiKey'], []),
    'Server `https://staging.adx.example.org/v1` is new.': (draft) =>
      draft.add(['servers'], { url: 'https://staging.adx.example.org/v1' }),
  },
};
