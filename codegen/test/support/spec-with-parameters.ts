import { isMap, parseDocument, type YAMLMap } from 'yaml';
import { openapi } from './generate-into.js';

const region = {
  name: 'X-Region',
  in: 'header',
  description: 'Region.',
  schema: { type: 'string' },
};

/**
 * Adds `findContacts`, whose response has a header, `searchContacts`, which is paginated, and
 * `getContact`.
 */
export function specWithParameters(): string {
  const document = parseDocument(openapi);
  const copy = (path: string, method: string, id: string): YAMLMap => {
    const operation = document.getIn(['paths', path, method]);
    if (!isMap(operation)) throw new Error(`There is no operation ${method} ${path}`);
    const copied = operation.clone() as YAMLMap;
    copied.set('operationId', `${id}Contacts`);
    copied.set('x-client-method', `contacts.${id}`);
    copied.delete('x-decision');
    return copied;
  };
  const contact = { $ref: '#/components/schemas/Contact' };
  const example = {
    ...{ name: 'Jan', function: 'Zaakvoerder', email: 'jan@example.org', language: 'nl' },
  };
  const languages = {
    name: 'languages',
    in: 'query',
    description: 'Languages.',
    schema: { type: 'array', items: { type: 'string', enum: ['nl', 'fr', 'de'] } },
  };
  const query = (name: string, schema: object, required = false) => ({
    ...{ name, in: 'query', description: `The ${name}.`, required, schema },
  });
  const setContent = (operation: YAMLMap, schema: object, value: unknown) =>
    operation.setIn(
      ['responses', '200', 'content', 'application/json'],
      document.createNode({ schema, examples: { some: { value } } }),
    );

  const find = copy('/customers', 'get', 'find');
  const text = { type: 'string', minLength: 2, pattern: '^[^\\u202a-\\u202e]*$' };
  const count = {
    name: 'X-Count',
    in: 'header',
    description: 'Count.',
    schema: { type: 'integer' },
  };
  find.set(
    'parameters',
    document.createNode([
      query('name', text, true),
      languages,
      query('atMost', { type: 'integer', minimum: 1, default: 10 }),
      query('isActive', { type: 'boolean' }),
      query('count', { type: 'integer' }),
      query('counts', { type: 'array', items: { type: 'integer' } }),
      query('ratio', { type: 'number' }),
      query('word', { type: 'string' }),
      ...[region, count],
    ]),
  );
  const total = { description: 'All of them.', schema: { type: 'integer' } };
  find.setIn(['responses', '200', 'headers', 'X-Total'], document.createNode(total));
  setContent(find, { type: 'array', items: contact }, [example]);

  const search = copy('/customers', 'post', 'search');
  search.set('parameters', document.createNode([languages, region]));
  const records = { type: 'array', description: 'This page.', items: contact };
  const number = { type: 'integer', description: 'A number.' };
  document.setIn(
    ['components', 'schemas', 'ContactPage'],
    document.createNode({
      type: 'object',
      description: 'One page of contacts.',
      required: ['records', 'recordsTotal', 'recordsFiltered'],
      properties: { records, recordsTotal: number, recordsFiltered: number },
    }),
  );
  const page = { records: [example], recordsTotal: 1, recordsFiltered: 1 };
  setContent(search, { $ref: '#/components/schemas/ContactPage' }, page);
  const get = copy('/customers', 'get', 'get');
  const place = { ...query('number', { type: 'integer' }, true), in: 'path' };
  get.set('parameters', document.createNode([place]));
  const notFound = { $ref: '#/components/responses/NotFound' };
  get.setIn(['responses', '404'], document.createNode(notFound));
  setContent(get, contact, example);

  document.setIn(['paths', '/contacts/{number}'], document.createNode({ get }));
  document.setIn(['paths', '/contacts'], document.createNode({}));
  document.setIn(['paths', '/contacts', 'get'], find);
  document.setIn(['paths', '/contacts', 'post'], search);
  return document.toString();
}
