import { type SpecEdits, schema } from '../spec-draft.js';

const body = ['requestBody', 'content', 'application/json'];

/** Edits of what only people read. */
export const proseEdits: SpecEdits = {
  patch: {
    'The `description` of `info` changes.': (draft) =>
      draft.set(['info', 'description'], 'Another.'),
    'Tag `Customers` changes.': (draft) => draft.set(['tags', 1, 'description'], 'Another.'),
    'Tag `New` is new.': (draft) =>
      draft.set(['tags'], [{ name: 'New' }, ...(draft.get('tags') as [])]),
    'The `description` of the server `https://{host}/v1` changes.': (draft) =>
      draft.set(['servers', 0, 'description'], 'Another.'),
    'The `tags` of `listBanks` changes.': (draft) =>
      draft.set([...draft.operation('listBanks'), 'tags'], ['Customers']),
    'The `description` of `Customer.name` changes.': (draft) =>
      draft.set([...schema('Customer', 'name'), 'description'], 'Another.'),
    'The example `a` is new.': (draft) =>
      draft.set([...draft.operation('searchCustomers'), ...body, 'examples', 'a'], { value: {} }),
  },
};
