import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { things } from './support/corpus.js';
import { filesOf, openapi } from './support/generate-into.js';
import { runCodegen } from './support/run-codegen.js';
import { temporaryRepository } from './support/temporary-repository.js';

/** Parts that an interface has in common, before a spec without errors and headers of its own. */
const shared = `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
x-derived:
  values:
    - &name '^[a-z]+$'
  headers:
    X-Request-Id: { $ref: '#/components/headers/RequestId' }
  errors:
    application/json: { schema: { $ref: '#/components/schemas/Error' } }
  responses:
    requestBody:
      '400': { $ref: '#/components/responses/BadBody' }
    parameters.path:
      '404': { $ref: '#/components/responses/NotFound' }
    parameters:
      '409': { $ref: '#/components/responses/BadBody' }
    parameters.query:
      '422': { $ref: '#/components/responses/BadBody' }
    security.key:
      '401': { $ref: '#/components/responses/BadBody' }
    security.token:
      '401': { $ref: '#/components/responses/NoToken' }
    always:
      '400': { $ref: '#/components/responses/BadQuery' }
`;
const paths = `paths:
  /notes:
    get:
      operationId: listNotes
      security: []
      responses:
        200: { description: The notes. }
    post:
      operationId: createNote
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses:
        200: { description: The note., headers: { X-Note: { schema: { type: string } } } }
  /notes/{name}:
    parameters: [{ name: name, in: path, required: true, schema: { type: string, pattern: *name } }]
    get:
      operationId: getNote
      parameters: [{ name: full, in: query, schema: { type: boolean } }]
      responses:
        200: { description: The note. }
        401: { description: Own., x-own-headers: true }
`;
const components = `security: [{ token: [] }]
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
    key: { type: apiKey, in: header, name: X-Key }
  headers: { RequestId: { schema: { type: string } } }
  responses:
    BadBody: { description: Bad body., x-errors: [bad, long] }
    BadQuery: { description: Bad query., x-errors: [query] }
    NotFound: { description: Not found., x-errors: [none] }
    NoToken: { description: No token., x-errors: [noToken] }
  examples:
    bad: { value: { error: bad } }
    long: { value: { error: tooLong } }
    query: { value: { error: bad } }
    none: { value: { error: notFound } }
    noToken: { value: { error: noToken } }
  schemas:
    Error: { type: object, required: [error], properties: { error: { type: string } } }
    Note: { type: object, properties: { text: { type: string } } }
`;
const notes = shared + paths + components;

const contract = 'contract/openapi.gen.json';

async function generate(spec: string, more: Readonly<Record<string, string>> = {}) {
  const { root, write, pathOf } = temporaryRepository(spec);
  for (const [name, text] of Object.entries(more)) write(name, text);
  const outcome = await runCodegen(root, '--spec', 'openapi.yaml', '--out', '.');
  return {
    ...outcome,
    root,
    write,
    document: () => JSON.parse(readFileSync(pathOf(contract), 'utf8')),
  };
}

describe('D-40 the shared parts of a spec', () => {
  it('D-40 openapi.yaml means the same as the document that is served, which has no shared parts', async () => {
    const files = await filesOf(openapi);
    const lines = files.get('packages/contract/src/generated/openapi-lines.gen.json') ?? '[]';
    const served = JSON.parse(lines).join('\n');
    expect(served).not.toMatch(/x-derived|x-errors|x-own-headers|pattern: \*/);
    const { root, write } = temporaryRepository(openapi);
    write('served.yaml', served);
    const { stdout } = await runCodegen(root, 'diff', 'served.yaml', 'openapi.yaml');
    expect(stdout).toBe('Nothing changed since served.yaml.\n');
  });

  it('D-42 a shared response can stand where it is shared', async () => {
    const spec = notes
      .replace(/'404': .*/, "'404': { description: Not found., x-errors: [none] }")
      .replace(/ {4}NotFound: .*\n/, '');
    const [here, there] = [await generate(spec), await generate(notes)];
    const { NotFound, ...responses } = there.document().components.responses;
    const expected = there.document();
    expected.paths['/notes/{name}'].get.responses['404'] = NotFound;
    expected.components.responses = responses;
    expect(here.document()).toEqual(expected);
  });

  it('D-42 shared parts can be in other files', async () => {
    const own = "{ $ref: '#/components/headers/RequestId' }";
    const spec = notes.replace(own, '{ $ref: id.yaml }');
    const { document } = await generate(spec, { 'id.yaml': 'schema: { type: integer }' });
    const { components, paths } = document();
    expect(paths['/notes'].get.responses[200].headers).toEqual({
      'X-Request-Id': { $ref: '#/components/headers/Id' },
    });
    expect(components.headers.Id).toEqual({ schema: { type: 'integer' } });
  });

  it('D-42 each operation gets the responses whose condition it meets, and keeps its own', async () => {
    const { document } = await generate(notes);
    const { '/notes': list, '/notes/{name}': one } = document().paths;
    const to = (name: string) => ({ $ref: `#/components/responses/${name}` });
    expect(list.get.responses).toEqual({ 200: expect.anything(), 400: to('BadQuery') });
    expect(list.post.responses).toMatchObject({ 400: to('BadBody'), 401: to('NoToken') });
    expect(Object.keys(list.post.responses)).toEqual(['200', '400', '401']);
    expect(one.get.responses).toMatchObject({ 400: to('BadQuery'), 404: to('NotFound') });
    expect(Object.keys(one.get.responses)).toEqual(['200', '400', '401', '404', '409', '422']);
    expect(one.get.responses[401]).toEqual({ description: 'Own.' });
    expect(one.parameters[0].schema.pattern).toBe('^[a-z]+$');
  });

  it('D-42 each response gets the headers, and an error its examples by error code', async () => {
    const { document } = await generate(notes);
    const { paths, components } = document();
    const id = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
    expect(paths['/notes'].get.responses[200].headers).toEqual(id);
    expect(paths['/notes'].post.responses[200].headers).toEqual({
      ...id,
      'X-Note': { schema: { type: 'string' } },
    });
    const example = (name: string) => ({ $ref: `#/components/examples/${name}` });
    expect(components.responses.BadBody).toEqual({
      description: 'Bad body.',
      headers: id,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: { bad: example('bad'), tooLong: example('long') },
        },
      },
    });
  });

  it('D-42 a path that is in another file gets them too', async () => {
    const item = parse(`${shared}${paths}`).paths['/notes'];
    const split = notes.replace(
      / {2}\/notes:\n.*(?= {2}\/notes\/)/s,
      "  /notes: { $ref: './notes.yaml' }\n",
    );
    const local = stringify(item).replaceAll('#/', 'openapi.yaml#/');
    const { document } = await generate(split, { 'notes.yaml': local });
    expect(document()).toEqual((await generate(notes)).document());
  });

  it('D-40 a shared response that changes is weighed at its place for all that have it', async () => {
    const { root, write } = await generate(notes);
    write('new.yaml', notes.replace("responses/BadQuery' }", "responses/NotFound' }"));
    const { stdout } = await runCodegen(root, 'diff', 'openapi.yaml', 'new.yaml');
    expect(stdout).toContain(
      'new.yaml:60:13 minor Error code `notFound` (400) is new.\n    in errors of `listNotes` and `getNote`\n',
    );
    write(
      'new.yaml',
      notes.replace('  errors:', '    X-Count: { schema: { type: integer } }\n  errors:'),
    );
    const more = await runCodegen(root, 'diff', 'openapi.yaml', 'new.yaml');
    expect(more.stdout).toContain('new.yaml:8:5 minor');
  });

  it('D-42 without the section, its words are ordinary extensions', async () => {
    const plain = notes.replace(/x-derived:.*(?=paths:)/s, '').replace('*name', '.');
    const { document, exitCode } = await generate(plain);
    expect(exitCode).toBe(0);
    expect(document()).toEqual(parse(plain));
  });

  it('D-42 in the served text statuses stand in order, and headers after the description', async () => {
    const files = await filesOf(openapi);
    const lines = files.get('packages/contract/src/generated/openapi-lines.gen.json') ?? '[]';
    const served: string = JSON.parse(lines).join('\n');
    const statuses = served.split(/^ {6}responses:\n/m).map((block) => {
      const [own = ''] = block.split(/^ {0,6}\S/m);
      return [...own.matchAll(/^ {8}'(\d+)':/gm)].map(([, status]) => status);
    });
    expect(statuses.flat().length).toBeGreaterThan(100);
    expect(statuses).toEqual(statuses.map((list) => list.toSorted()));
    expect(served).toMatch(/^( +)description: .*\n(\1 .*\n)*\1headers:/m);
  });

  it('D-42 the served text keeps its comments, and quotes what YAML 1.1 would take for a date or false', async () => {
    const spec = things.replace('summary: Get thing\n', 'summary: no # A comment.\n');
    const files = await filesOf(spec.replace('description: One thing.', 'description: 2027-06-30'));
    const lines = files.get('packages/contract/src/generated/openapi-lines.gen.json') ?? '[]';
    expect(JSON.parse(lines)).toContain("      summary: 'no' # A comment.");
    expect(JSON.parse(lines)).toContain("      description: '2027-06-30'");
  });
});
