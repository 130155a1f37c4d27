import type { SpecEdit } from '../spec-draft.js';

const host = ['servers', 0, 'variables', 'host'];

/**
 * Edits of operations as a whole: their names and paths, the methods of the client, credentials and
 * servers.
 */
export const operationEdits: readonly SpecEdit[] = [
  {
    weight: 'major',
    name: 'an operation is removed',
    edit: (draft) => draft.remove(...draft.operation('getMandate')),
    text: '`getMandate` (`GET /mandates/{mandateId}`) is removed.',
  },
  {
    weight: 'major',
    name: 'a path is removed',
    edit: (draft) => draft.remove('paths', '/hello-world'),
    text: '`helloWorld` (`GET /hello-world`) is removed.',
  },
  {
    weight: 'major',
    name: 'a path is renamed',
    edit: (draft) => draft.rename(['paths', '/hello-world'], '/hello'),
    text: '`helloWorld` moves from `GET /hello-world` to `GET /hello`.',
  },
  {
    weight: 'major',
    name: 'an operation gets another method',
    edit: (draft) => draft.rename(draft.operation('updateCustomer'), 'put'),
    text: '`updateCustomer` moves from `PATCH /customers/{customerId}` to `PUT /customers/{customerId}`.',
  },
  {
    weight: 'major',
    name: 'an operationId is renamed',
    edit: (draft) => draft.set([...draft.operation('getCustomer'), 'operationId'], 'readCustomer'),
    text: 'The `operationId` of `getCustomer` becomes `readCustomer`.',
  },
  {
    weight: 'major',
    name: 'a method of the client is renamed',
    edit: (draft) =>
      draft.set([...draft.operation('getCustomer'), 'x-client-method'], 'customers.read'),
    text: "The client's method `customers.get` becomes `customers.read`.",
  },
  {
    weight: 'major',
    name: 'x-paginated is removed',
    edit: (draft) => draft.remove(...draft.operation('searchMandates'), 'x-paginated'),
    text: '`x-paginated` of `searchMandates` is removed.',
  },
  {
    weight: 'major',
    name: 'x-idempotent is removed',
    edit: (draft) => draft.remove(...draft.operation('searchCustomers'), 'x-idempotent'),
    text: '`x-idempotent` of `searchCustomers` is removed.',
  },
  {
    weight: 'major',
    name: 'x-paginated is new',
    edit: (draft) => draft.set([...draft.operation('listCodaFiles'), 'x-paginated'], true),
    text: '`x-paginated` of `listCodaFiles` is new.',
  },
  {
    weight: 'major',
    name: 'a scope is required',
    edit: (draft) =>
      draft.add([...draft.operation('requestMandate'), 'security', 0, 'apiKey'], 'mandates:read'),
    text: '`requestMandate` now requires `apiKey mandates:read`.',
  },
  {
    weight: 'major',
    name: 'another scope is required',
    edit: (draft) =>
      draft.set([...draft.operation('listBanks'), 'security', 0, 'apiKey'], ['files:read']),
    text: '`listBanks` now requires `apiKey files:read`.',
  },
  {
    weight: 'major',
    name: 'another credential is required',
    edit: (draft) => draft.set([...draft.operation('getToken'), 'security', 0, 'idToken'], []),
    text: '`getToken` now requires `idToken`.',
  },
  {
    weight: 'major',
    name: 'a credential is sent in another header',
    edit: (draft) => draft.set(['components', 'securitySchemes', 'apiKey', 'name'], 'api-key'),
    text: 'The `name` of the credential `apiKey` changes.',
  },
  {
    weight: 'major',
    name: 'the URL of the server changes',
    edit: (draft) => draft.set(['servers', 0, 'url'], 'https://{host}/v2'),
    text: 'Server `https://{host}/v1` is removed.',
  },
  {
    weight: 'major',
    name: 'a variable of the server gets another default',
    edit: (draft) => draft.set([...host, 'default'], 'api.example.org'),
    text: 'The `default` of `server.host` goes from `adx.example.org` to `api.example.org`.',
  },
  {
    weight: 'minor',
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
    weight: 'minor',
    name: 'a scope is no longer required',
    edit: (draft) => draft.set([...draft.operation('listBanks'), 'security', 0, 'apiKey'], []),
    text: '`listBanks` no longer requires `apiKey customers:read`.',
  },
  {
    weight: 'minor',
    name: 'a server is new',
    edit: (draft) => draft.add(['servers'], { url: 'https://staging.adx.example.org/v1' }),
    text: 'Server `https://staging.adx.example.org/v1` is new.',
  },
];
