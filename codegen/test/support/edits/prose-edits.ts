import { type SpecEdit, schema } from '../spec-draft.js';

const body = ['requestBody', 'content', 'application/json'];

/** Edits of what only people read. */
export const proseEdits: readonly SpecEdit[] = [
  {
    weight: 'patch',
    name: 'the description of the interface changes',
    edit: (draft) => draft.set(['info', 'description'], 'Another.'),
    text: 'The `description` of `info` changes.',
  },
  {
    weight: 'patch',
    name: 'the text of a tag changes',
    edit: (draft) => draft.set(['tags', 1, 'description'], 'Another.'),
    text: 'Tag `Customers` changes.',
  },
  {
    weight: 'patch',
    name: 'a tag is new before others',
    edit: (draft) => draft.set(['tags'], [{ name: 'New' }, ...(draft.get('tags') as [])]),
    text: 'Tag `New` is new.',
  },
  {
    weight: 'patch',
    name: 'the description of a server changes',
    edit: (draft) => draft.set(['servers', 0, 'description'], 'Another.'),
    text: 'The `description` of the server `https://{host}/v1` changes.',
  },
  {
    weight: 'patch',
    name: 'a summary changes',
    edit: (draft) => draft.set([...draft.operation('getCustomer'), 'summary'], 'Another'),
    text: 'The `summary` of `getCustomer` changes.',
  },
  {
    weight: 'patch',
    name: 'an operation gets another tag',
    edit: (draft) => draft.set([...draft.operation('listBanks'), 'tags'], ['Customers']),
    text: 'The `tags` of `listBanks` changes.',
  },
  {
    weight: 'patch',
    name: 'the description of a field changes',
    edit: (draft) => draft.set([...schema('Customer', 'name'), 'description'], 'Another.'),
    text: 'The `description` of `Customer.name` changes.',
  },
  {
    weight: 'patch',
    name: 'the example of a field changes',
    edit: (draft) => draft.set([...schema('Customer', 'name'), 'examples'], ['Another']),
    text: 'The `examples` of `Customer.name` changes.',
  },
  {
    weight: 'patch',
    name: 'an example of a request is new',
    edit: (draft) =>
      draft.set([...draft.operation('searchCustomers'), ...body, 'examples', 'a'], { value: {} }),
    text: 'The example `a` is new.',
  },
  {
    weight: 'patch',
    name: 'the description of a parameter changes',
    edit: (draft) => draft.set(['components', 'parameters', 'iban', 'description'], 'Another.'),
    text: 'The `description` of `path.iban` changes.',
  },
];
