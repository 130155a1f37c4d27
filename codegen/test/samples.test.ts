import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { multipleOf } from '../src/openapi/schema-parts.js';
import { runCodegen } from './support/run-codegen.js';
import { emptyProject } from './support/temporary-repository.js';

const Named = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

const bodies: Readonly<Record<string, object>> = {
  limits: {
    type: 'object',
    required: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
    properties: {
      a: { type: 'string', minLength: 6 },
      b: { type: 'string', maxLength: 3 },
      c: { type: 'integer', minimum: 7, multipleOf: 5 },
      d: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 },
      e: { type: 'integer', maximum: -2 },
      f: { type: 'array', minItems: 3, uniqueItems: true, items: { type: 'string' } },
      g: { type: 'array', maxItems: 0, items: { type: 'integer' } },
      h: { type: 'number', minimum: 0.25, multipleOf: 0.1 },
    },
  },
  patterns: {
    type: 'array',
    prefixItems: [
      '^[A-Z]{2}[0-9]{2}(?: [0-9]{4}){3}$',
      '^(0|[1-9][0-9]*)$',
      '^\\d{4}-(0[1-9]|1[0-2])$',
      '^[^a-z\\s]+\\.(?<kind>pdf|txt)$',
      'payTo|upi_collect',
      '^\\u00e9?[\\w.-]+@[a-z]+$',
      '^#[0-9a-f]{6}$',
      '^[^\\u202a-\\u202e]*$',
      '^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)(?=.*[^a-zA-Z\\d]).{8,}$',
      '^(?!000)[0-9]{3}-(?!00)[0-9]{2}$',
      '^(?<quote>["\'])\\w+\\k<quote>$',
      '^\\p{Script=Cyrillic}{3}[\\u4e00-\\u9fa5][\\u{1F600}-\\u{1F64F}]$',
      '^[a-z]{1,10000}\\b.*$',
    ].map((pattern) => ({ type: 'string', pattern, minLength: 1 })),
  },
  formats: {
    type: 'array',
    prefixItems: 'date date-time time duration email hostname ipv4 ipv6 uri uuid byte json-pointer'
      .split(' ')
      .map((format) => ({ type: 'string', format })),
  },
  wrongExamples: {
    type: 'object',
    required: ['code', 'date', 'state', 'size'],
    properties: {
      code: { type: 'string', example: 1234 },
      date: { type: 'string', format: 'date', examples: ['yesterday', '2026-05-04'] },
      state: { enum: ['sold', 'shown'], example: 'lost' },
      size: { type: 'integer', example: 'large' },
    },
    example: { code: 'x' },
  },
  parts: {
    allOf: [
      { $ref: '#/components/schemas/Named', example: { nickname: 'x' } },
      { required: ['kind', 'other'], properties: { kind: { const: 'a' } } },
      { oneOf: [{ required: ['a'], properties: { a: { type: 'null' } } }, { required: ['b'] }] },
    ],
  },
  alternatives: {
    type: 'object',
    required: ['value', 'kind'],
    properties: {
      kind: { type: 'string', enum: ['b'] },
      value: {
        anyOf: [false, { type: 'string', minLength: 9, maxLength: 2 }, { type: 'integer' }],
      },
    },
    oneOf: [
      { properties: { kind: { const: 'a' } } },
      { properties: { kind: { const: 'b' }, more: Named }, required: ['more'] },
    ],
  },
  text: { type: 'string', minLength: 3 },
  maps: { type: 'object', minProperties: 2, additionalProperties: { type: 'integer' } },
  itself: { $ref: '#/components/schemas/Tree' },
  endless: {
    type: 'array',
    prefixItems: [
      { type: 'string', minLength: 1e9, pattern: '^a+$' },
      { type: 'string', pattern: '^a{1000000000}$' },
    ],
  },
};

const spec = {
  openapi: '3.1.0',
  info: { title: 'Samples', version: '1' },
  servers: [{ url: 'https://example.org/Train+Travel' }],
  paths: Object.fromEntries(
    Object.entries(bodies).map(([name, schema]) => [
      `/${name}`,
      {
        post: {
          operationId: name,
          tags: ['t'],
          parameters: [{ name: 'none', in: 'query', schema: { not: {} } }],
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { '204': { description: 'Fine.' } },
        },
      },
    ]),
  ),
  components: {
    schemas: {
      Named,
      Tree: {
        type: 'object',
        required: ['children', 'parent'],
        properties: {
          children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
          parent: { anyOf: [{ $ref: '#/components/schemas/Tree' }, { type: 'null' }] },
        },
      },
    },
  },
};

/** Returns the arguments of the calls in the comments of a client, by method. */
function exampleArguments(client: string): Map<string, unknown[]> {
  const comments = client.matchAll(
    /await client\.\w+\.(\w+)\((.*?)\);\n(?: +\* [^\n]*\n)* +\* ```/gs,
  );
  return new Map(
    [...comments].map(([, method = '', text = '']) => {
      const code = text.replaceAll(/^ +\* ?/gm, '');
      return [method, new Function('form', 'content', `return [${code}]`)('form', 'content')];
    }),
  );
}

const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
addFormats.default(ajv);
ajv.removeKeyword('multipleOf').addKeyword(multipleOf);
ajv.addSchema(spec, 'spec');

function errorsOf(name: string, body: unknown): unknown[] {
  const content = `spec#/paths/~1${name}/post/requestBody/content`;
  const schema = { $ref: `${content}/application~1json/schema` };
  return ajv.validate(schema, body) ? [] : (ajv.errors ?? []);
}

it('D-42 the samples in the comments of the client are valid', async () => {
  const { root, write } = emptyProject();
  write('openapi.yaml', stringify(spec));
  expect(await runCodegen(root, '--spec', 'openapi.yaml', '--out', '.')).toMatchObject({
    exitCode: 0,
  });
  const samples = exampleArguments(readFileSync(join(root, 'client/client.gen.ts'), 'utf8'));
  expect([...samples.keys()]).toEqual(Object.keys(bodies));
  for (const [name, [body]] of samples) {
    // Nobody wants to see a sample of `endless`.
    const errors = name === 'endless' ? [] : errorsOf(name, body);
    expect([name, body, errors]).toEqual([name, body, []]);
  }
  expect(samples.get('wrongExamples')).toEqual([
    { code: '1234', date: '2026-05-04', state: 'sold', size: 1 },
    {},
  ]);
  expect(samples.get('itself')).toEqual([{ children: [], parent: null }, {}]);
});
