import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { runCodegen } from './support/run-codegen.js';
import { emptyProject } from './support/temporary-repository.js';

const former = `# The interface of a shop.
openapi: 3.0.3 # Very old.
info: { title: Shop, version: '1' }
paths:
  /things/{id}:
    # Things have a number.
    get:
      operationId: getThing
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer, minimum: 0, exclusiveMinimum: true } } # From 1.
      responses:
        200:
          description: The thing.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Thing' }
              example: { nullable: true, type: string, example: 3 }
components:
  schemas:
    Thing:
      type: object
      properties:
        # A property can have any name.
        nullable: { type: boolean, nullable: true }
        example: &kind
          type: string # Of all kinds.
          nullable: true
          enum: [a, 'b'] # Nothing else.
        again: *kind
        maker: { nullable: true, allOf: [{ $ref: '#/components/schemas/Maker' }] }

    Maker: { type: object }
`;

const upgraded = former
  .replace('3.0.3', '3.1.1')
  .replace('minimum: 0, exclusiveMinimum: true', 'exclusiveMinimum: 0')
  .replace('nullable: { type: boolean, nullable: true }', "nullable: { type: [ boolean, 'null' ] }")
  .replace(
    'type: string # Of all kinds.\n          nullable: true',
    "type: [ string, 'null' ] # Of all kinds.",
  )
  .replace("[a, 'b']", "[ a, 'b', null ]")
  .replace(
    "{ nullable: true, allOf: [{ $ref: '#/components/schemas/Maker' }] }",
    "{ anyOf: [ { allOf: [ { $ref: '#/components/schemas/Maker' } ] }, { type: 'null' } ] }",
  );

it('D-42 a spec in OpenAPI 3.0 is refused, and rewritten with its comments', async () => {
  const { root, write } = emptyProject();
  write('shop.yaml', former);
  const generate = () => runCodegen(root, '--spec', 'shop.yaml', '--out', 'out');
  expect((await generate()).stderr).toContain(
    'shop.yaml:2:10 openapi This is not OpenAPI 3.1 but 3.0; --upgrade rewrites it.',
  );
  const { exitCode, stdout } = await runCodegen(root, '--upgrade', '--spec', 'shop.yaml');
  expect(exitCode).toBe(0);
  expect(stdout).toContain(
    "shop.yaml:27:11 upgraded nullable belongs to OpenAPI 3.0; write type: [string, 'null'].\n",
  );
  expect(stdout).toMatch(/\nshop\.yaml is OpenAPI 3\.1\.1, with 4 changes\.\n$/);
  const text = readFileSync(join(root, 'shop.yaml'), 'utf8');
  expect(text).toBe(upgraded);
  expect(await generate()).toMatchObject({ exitCode: 0, stderr: '' });
});

const string = { type: 'string' };
const prose = { title: 'A', description: 'B.', deprecated: true, readOnly: true, writeOnly: true };
const shown = { default: 'a', example: 'b', examples: ['c'], ...prose };
const none = { type: 'null' };
const asAlternative = "nullable belongs to OpenAPI 3.0; write anyOf with { type: 'null' }.";

/** Schemas of OpenAPI 3.0, what is written instead, and what is said of it. */
const schemas: Readonly<Record<string, readonly [former: object, plain: object, said?: string]>> = {
  'a reference': [
    { $ref: '#/components/schemas/A', nullable: true },
    { anyOf: [{ $ref: '#/components/schemas/A' }, none] },
    asAlternative,
  ],
  'alternatives, which keep what is said of them all': [
    { anyOf: [string], nullable: true, ...shown },
    { ...shown, anyOf: [{ anyOf: [string] }, none] },
    asAlternative,
  ],
  'one of several': [
    { oneOf: [string], nullable: true },
    { anyOf: [{ oneOf: [string] }, none] },
    asAlternative,
  ],
  'a single value': [
    { const: 'a', nullable: true },
    { anyOf: [{ const: 'a' }, none] },
    asAlternative,
  ],
  'values without a type': [{ enum: ['a'], nullable: true }, { enum: ['a', null] }, asAlternative],
  'null already': [
    { type: ['string', 'null', 'integer'], enum: ['a', null], nullable: true },
    { type: ['string', 'integer', 'null'], enum: ['a', null] },
    "nullable belongs to OpenAPI 3.0; write type: [string, integer, 'null'].",
  ],
  'never null': [
    { ...string, nullable: false },
    string,
    'nullable belongs to OpenAPI 3.0; write nothing.',
  ],
  'a keyword that nobody knows': [
    { ...string, sortable: true },
    { ...string, sortable: true },
    'sortable is not a keyword of schemas, and has no effect; write x-sortable.',
  ],
  'a limit that is excluded': [
    { maximum: 9, exclusiveMaximum: true },
    { exclusiveMaximum: 9 },
    'exclusiveMaximum: true belongs to OpenAPI 3.0; write exclusiveMaximum: 9, without maximum.',
  ],
  'a limit that is included': [
    { minimum: 1, exclusiveMinimum: false },
    { minimum: 1 },
    'exclusiveMinimum: false belongs to OpenAPI 3.0; write nothing.',
  ],
  'no limit': [
    { ...string, exclusiveMinimum: true },
    string,
    'exclusiveMinimum: true belongs to OpenAPI 3.0; write nothing.',
  ],
  'the dialect of OpenAPI': [
    { $schema: 'https://spec.openapis.org/oas/3.1/dialect/base', ...string },
    string,
  ],
  'another dialect': [
    { $schema: 'https://example.org/https://json-schema.org/draft/2020-12/' },
    { $schema: 'https://example.org/https://json-schema.org/draft/2020-12/' },
  ],
};

it.each(Object.entries(schemas))(
  'D-42 a schema is rewritten: %s',
  async (_, [old, plain, said]) => {
    const { root, write } = emptyProject();
    const spec = (A: object) => ({ openapi: '3.1.1', components: { schemas: { A } } });
    write('a.json', JSON.stringify(spec(old)));
    const { stdout } = await runCodegen(root, '--upgrade', '--spec', 'a.json');
    expect(JSON.parse(readFileSync(join(root, 'a.json'), 'utf8'))).toEqual(spec(plain));
    const reported = stdout.split('\n').slice(0, -2);
    expect(reported.map((line) => line.replace(/^\S+ upgraded /, ''))).toEqual(said ? [said] : []);
  },
);

it('D-42 a spec in JSON is rewritten as JSON, and nothing else is', async () => {
  const { root, write } = emptyProject();
  write('shop.json', JSON.stringify(parse(former)));
  write('swagger.yaml', 'info:\nswagger: "2.0"\n');
  write('broken.yaml', 'a: [');
  const run = (file: string) => runCodegen(root, '--upgrade', '--spec', file);
  expect((await run('shop.json')).exitCode).toBe(0);
  expect(JSON.parse(readFileSync(join(root, 'shop.json'), 'utf8'))).toEqual(parse(upgraded));
  for (const [file, message] of Object.entries({
    'swagger.yaml': 'swagger.yaml is neither OpenAPI 3.0 nor 3.1.\n',
    'broken.yaml': /^broken\.yaml:1:\d+ yaml /,
    'absent.yaml': 'absent.yaml cannot be read: no such file or directory.\n',
  })) {
    expect(await run(file)).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  }
  const generated = await runCodegen(root, '--spec', 'swagger.yaml', '--out', 'out');
  expect(generated.stderr).toContain(
    'swagger.yaml:2:10 openapi This is not OpenAPI 3.1 but Swagger 2.0; rewrite it with swagger2openapi, then with --upgrade.',
  );
  expect((await runCodegen(root, '--upgrade')).exitCode).toBe(2);
  expect((await runCodegen(root, '--upgrade', '--spec', 'shop.json', '--check')).exitCode).toBe(2);
});
