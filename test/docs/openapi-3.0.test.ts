import { join } from 'node:path';
import { spec, specYaml } from '@adx/contract/spec';
import SwaggerParser from '@apidevtools/swagger-parser';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../codegen/src/document/json.js';
import { runCodegen } from '../../codegen/test/support/run-codegen.js';
import { emptyProject } from '../../codegen/test/support/temporary-repository.js';
import { asOpenApi30 } from '../../docs/reference/openapi-3.0.js';
import { repository, runCommand } from '../support/run-command.js';

test('D-54 openapi-3.0.json is valid, and says what openapi.yaml says, but for what generators cannot read', async () => {
  const { root, write } = emptyProject();
  write('openapi.yaml', specYaml);
  write('openapi-3.0.json', JSON.stringify(asOpenApi30(spec)));
  await SwaggerParser.validate(join(root, 'openapi-3.0.json'));
  const rules = ['media-type', 'schema', 'parameter'].map((part) => `no-invalid-${part}-examples`);
  write('redocly.yaml', `rules:\n${rules.map((rule) => `  ${rule}: error\n`).join('')}`);
  const redocly = join(repository, 'node_modules/@redocly/cli/bin/cli.js');
  const lint = ['lint', '--format=stylish', 'openapi-3.0.json'];
  await runCommand(process.execPath, [redocly, ...lint], { cwd: root });

  await runCodegen(root, '--upgrade', '--spec', 'openapi-3.0.json');
  const { stdout } = await runCodegen(root, 'diff', 'openapi.yaml', 'openapi-3.0.json');
  const changes = stdout
    .split('\n')
    .filter((line) => /^openapi\S+ (major|minor|patch) /.test(line));
  const meant = [
    / no longer has `pattern: .*\\u/,
    / no longer requires `apiKey \w+:\w+`/,
    / now has `format: int64`/,
    /`TokenRequest` has `anyOf` instead of `oneOf`/,
    /\.status` loses the alternative `\w+Status`/,
    / patch The `(examples?|summary|license)` of /,
    / patch The `description` of `\w+\.status` changes/,
  ];
  expect(changes.length).toBeGreaterThan(0);
  expect(changes.filter((line) => !meant.some((each) => each.test(line)))).toEqual([]);
});

/** A schema of OpenAPI 3.1, and what becomes of it. */
const schemas: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  'null among types': [{ type: ['string', 'null'] }, { type: 'string', nullable: true }],
  'several types': [
    { type: ['string', 'array'], minLength: 1 },
    { minLength: 1, allOf: [{ anyOf: [{ type: 'string' }, { type: 'array', items: {} }] }] },
  ],
  'null as an alternative': [
    { anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] },
    { allOf: [{ $ref: '#/components/schemas/A' }], nullable: true },
  ],
  'a constant': [{ const: 'a' }, { enum: ['a'] }],
  examples: [
    { type: 'string', examples: ['a', 'b'] },
    { example: 'a', type: 'string' },
  ],
  'excluded limits': [
    { exclusiveMinimum: 0, exclusiveMaximum: 9 },
    { minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
  ],
  'limits beside others that are excluded': [
    { minimum: 5, exclusiveMinimum: 3, maximum: 9, exclusiveMaximum: 9 },
    { minimum: 5, maximum: 9, exclusiveMaximum: true },
  ],
  'keywords beside a reference': [
    { $ref: '#/components/schemas/A', description: 'A.' },
    { description: 'A.', allOf: [{ $ref: '#/components/schemas/A' }] },
  ],
  bytes: [{ contentMediaType: 'application/pdf' }, { type: 'string', format: 'binary' }],
  'a file among other parts of a form': [
    { properties: { file: { type: 'string', contentMediaType: 'image/png' } } },
    { properties: { file: { type: 'string', format: 'binary' } } },
  ],
  'JSON in a text': [{ type: 'string', contentMediaType: 'application/json' }, { type: 'string' }],
  'bytes in Base64': [
    { type: 'string', contentEncoding: 'base64' },
    { type: 'string', format: 'byte' },
  ],
  'integers of more than 32 bits': [
    { type: 'integer', maximum: 2 ** 53 - 1 },
    { type: 'integer', maximum: 2 ** 53 - 1, format: 'int64' },
  ],
  'a property that is a schema of one word': [
    { properties: { a: true, b: false } },
    { properties: { a: {}, b: { not: {} } } },
  ],
  'an array of anything': [{ type: 'array' }, { type: 'array', items: {} }],
  'items after others': [
    { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    { type: 'array', items: {} },
  ],
  'properties besides those of a pattern': [
    { patternProperties: { '^x': {} }, additionalProperties: false },
    {},
  ],
  'what must not be': [
    { not: { $ref: '#/components/schemas/A' }, type: 'array', items: {} },
    { type: 'array', items: {} },
  ],
  'one of two that 3.0 cannot tell apart': [
    { oneOf: [{ type: 'object', dependentRequired: { a: ['b'] } }, { type: 'object' }] },
    { anyOf: [{ type: 'object' }, { type: 'object' }] },
  ],
  'one of two patterns, of which one is left out': [
    {
      oneOf: [
        { type: 'string', pattern: '^\\u00a0$' },
        { type: 'string', pattern: '^a' },
      ],
    },
    { anyOf: [{ type: 'string' }, { type: 'string', pattern: '^a' }] },
  ],
  'one of two references, of which one loses a pattern': [
    {
      properties: {
        a: { oneOf: [{ $ref: '#/components/schemas/A/properties/b' }, { type: 'boolean' }] },
        b: { items: { $ref: '#/components/schemas/A/properties/c' } },
        c: { type: 'string', pattern: '^\\u00a0$', items: { $ref: '#/components/schemas/A' } },
      },
    },
    {
      properties: {
        a: { anyOf: [{ $ref: '#/components/schemas/A/properties/b' }, { type: 'boolean' }] },
        b: { items: { $ref: '#/components/schemas/A/properties/c' } },
        c: { type: 'string', items: { $ref: '#/components/schemas/A' } },
      },
    },
  ],
  'bytes among other types': [
    { type: ['string', 'integer'], contentMediaType: 'image/png' },
    { allOf: [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }] },
  ],
  'one value or a list of them in a request': [
    {
      additionalProperties: false,
      properties: {
        a: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      },
    },
    {
      additionalProperties: false,
      properties: { a: { type: 'array', items: { type: 'string' } } },
    },
  ],
  'a property called like a keyword': [
    { properties: { examples: { type: 'string' } }, example: { const: 1 } },
    { properties: { examples: { type: 'string' } }, example: { const: 1 } },
  ],
};

const info = { title: 'A', version: '1' };

test.each(Object.entries(schemas))(
  'D-54 OpenAPI 3.0 says as much of %s',
  async (_, [given, said]) => {
    const ofSchema = (A: JsonObject) => ({
      openapi: '3.1.1',
      info,
      paths: {},
      components: { schemas: { A } },
    });
    const document = asOpenApi30(ofSchema(given));
    expect(document).toEqual({ ...ofSchema(said), openapi: '3.0.3' });
    await SwaggerParser.validate(structuredClone(document) as never);
  },
);

test('D-54 OpenAPI 3.0 has paths, also of an interface that has only webhooks', () => {
  const webhooks = { happened: { post: { responses: {} } } };
  expect(asOpenApi30({ openapi: '3.1.0', info, webhooks })).toEqual({
    ...{ openapi: '3.0.3', info, paths: {} },
  });
});

test('D-54 OpenAPI 3.0 has roles only where it knows them, and responses of each operation', async () => {
  const oauth2 = { type: 'oauth2', flows: {} };
  const components = {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'key' }, oauth2 },
  };
  const paths = { '/things': { get: { security: [{ key: ['read'] }, { oauth2: ['read'] }] } } };
  const security = [{ key: ['write'] }];
  const document = asOpenApi30({ openapi: '3.1.0', info, security, components, paths });
  expect(document).toMatchObject({
    security: [{ key: [] }],
    paths: { '/things': { get: { security: [{ key: [] }, { oauth2: ['read'] }] } } },
  });
  await SwaggerParser.validate(structuredClone(document) as never);
});

const things = (parts: JsonObject) => ({ '/things': parts });
const $defs = { B: { type: 'string' } };
const unsaid: readonly (readonly [string, JsonObject])[] = [
  [
    '#/components/schemas/A/$defs/B',
    { components: { schemas: { A: { $defs, $ref: '#/components/schemas/A/$defs/B' } } } },
  ],
  ['#b', { components: { schemas: { A: { $ref: '#b' } } } }],
  [
    '#/components/schemas/A/not',
    { components: { schemas: { A: { not: {} }, B: { $ref: '#/components/schemas/A/not' } } } },
  ],
  ['#/components/pathItems/A', { paths: things({ $ref: '#/components/pathItems/A' }) }],
  ['mutualTLS', { components: { securitySchemes: { tls: { type: 'mutualTLS' } } } }],
];
test.each(unsaid)('D-54 OpenAPI 3.0 is refused for a document with %s', (name, parts) => {
  const document = { openapi: '3.1.0', info, paths: {}, ...parts };
  expect(() => asOpenApi30(document)).toThrow(`OpenAPI 3.0 cannot say ${name}.`);
});
