import { type SpecEdits, schema } from '../spec-draft.js';

const mandateId = ['components', 'parameters', 'mandateId'];

/** Other ways to write the same. */
export const sameMeaningEdits: SpecEdits = {
  none: {
    'nothing changes': () => {},
    'an inline schema moves to the components': (draft) => {
      const path = schema('SearchMandatesRequest', 'sort');
      draft.set(schema('MandateOrder'), draft.get(...path) ?? null);
      draft.set(path, { $ref: '#/components/schemas/MandateOrder' });
    },
    'a schema of the components moves to its place': (draft) =>
      draft.set(schema('ErrorBody', 'error'), draft.get(...schema('ErrorCode')) ?? null),
    'a schema of the components is renamed': (draft) => {
      draft.rename(schema('CodaMandate'), 'StatementMandate');
      const ref = '#/components/schemas/StatementMandate';
      draft.set([...schema('Mandate'), 'oneOf', 0], { $ref: ref });
      draft.set([...schema('Mandate'), 'discriminator', 'mapping', 'CODA'], ref);
    },
    'a reference is written as allOf': (draft) =>
      draft.set(schema('Customer', 'address'), {
        allOf: [{ $ref: '#/components/schemas/Address' }],
      }),
    'alternatives change their order': (draft) =>
      draft.set(
        [...schema('Mandate'), 'oneOf'],
        [
          { $ref: '#/components/schemas/CodbMandate' },
          { $ref: '#/components/schemas/CodaMandate' },
        ],
      ),
    'the members of all objects change their order': (draft) => {
      for (const key of Object.keys(draft.value))
        draft.set([key], reversed(draft.get(key) ?? null));
    },
    'the values of an enum change their order': (draft) =>
      draft.set([...schema('Language'), 'enum'], ['en', 'de', 'nl', 'fr']),
    'a parameter moves to the path item': (draft) => {
      const path = draft.operation('getMandate');
      const parameters = draft.get(...path, 'parameters') ?? null;
      draft.remove(...path, 'parameters');
      draft.set([...path.slice(0, -1), 'parameters'], parameters);
    },
    'defaults of OpenAPI are written': (draft) => {
      draft.set([...draft.operation('getMandate'), 'deprecated'], false);
      draft.set([...mandateId, 'style'], 'simple');
      draft.set([...mandateId, 'explode'], false);
    },
    'the version of the document changes': (draft) => draft.set(['info', 'version'], '1.1'),
  },
};

/** Returns the same value with the members of its objects in reversed order. */
function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, reversed(member)]);
  return Object.fromEntries(members.reverse());
}
