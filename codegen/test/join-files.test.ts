import { describe, expect, it } from 'vitest';
import { formatFinding } from '../src/document/finding.js';
import { SpecFiles } from '../src/document/spec-files.js';
import { loadSpec } from '../src/render.js';
import { configIn } from './support/generate-into.js';
import { temporaryRepository } from './support/temporary-repository.js';

const start = 'openapi: 3.1.0\ninfo: { title: Things, version: 1.0.0 }\n';
const noPaths = 'paths: {}\n';
const operation = 'operationId: list\nresponses: { "204": { description: Nothing. } }\n';

/** Loads a spec whose other files have these names. */
function load(spec: string, others: Readonly<Record<string, string>>, config = 'rules: {}') {
  const { write, pathOf } = temporaryRepository('');
  for (const [name, text] of Object.entries(others)) write(name, text);
  const files = new SpecFiles(pathOf('openapi.yaml'), 'openapi.yaml');
  return loadSpec(start + spec, { config: configIn(config), files });
}

async function findingsOf(...args: Parameters<typeof load>): Promise<string[]> {
  const outcome = await load(...args);
  return outcome.ok ? [] : outcome.findings.map(formatFinding);
}

async function joinedValue(...args: Parameters<typeof load>): Promise<unknown> {
  const outcome = await load(...args);
  if (!outcome.ok) throw new Error(outcome.findings.map(formatFinding).join('\n'));
  return outcome.value.document.value;
}

describe('codegen: files of a spec are joined', () => {
  it('a mistake at the very end of a file is in that file', async () => {
    const spec = `${noPaths}components:\n  schemas: { A: { $ref: a.yaml }, B: { $ref: b.yaml } }\n`;
    const [finding] = await findingsOf(spec, {
      'a.yaml': 'type: object\nrequired:\n-',
      'b.yaml': 'type: string',
    });
    expect(finding).toMatch(/^a\.yaml:3:2 /);
  });

  it('nothing is reported inside an element that could not be read, however many files it is in', async () => {
    const findings = await findingsOf(
      'paths: [{ $ref: path.yaml }]\n',
      { 'path.yaml': 'get: { $ref: operation.yaml }', 'operation.yaml': `${operation}x-nope: 1\n` },
      'rules: { extension: our guide }',
    );
    expect(findings).toEqual(['openapi.yaml:3:1 openapi paths must be object.']);
  });

  it('a device or pipe is not read, because it may never end', async () => {
    const spec = `${noPaths}components:\n  schemas: { A: { $ref: /dev/null } }\n`;
    const [finding] = await findingsOf(spec, {});
    expect(finding).toMatch(/dev\/null cannot be read/);
  });

  it('a pointer goes through references', async () => {
    const spec = `${noPaths}components:\n  schemas: { A: { $ref: 'a.yaml#/part/properties/size' } }\n`;
    const others = {
      'a.yaml': 'part: { $ref: b.yaml }',
      'b.yaml': 'properties: { size: { type: integer } }',
    };
    expect(await joinedValue(spec, others)).toMatchObject({
      components: { schemas: { A: { type: 'integer' } } },
    });
  });

  it('an alias of a reference gets what the reference leads to', async () => {
    const spec = 'paths:\n  /a: &path { $ref: path.yaml }\ncomponents: { x-kept: *path }\n';
    const path = { get: { operationId: 'list', responses: { 204: { description: 'Nothing.' } } } };
    const value = await joinedValue(spec, { 'path.yaml': JSON.stringify(path) });
    expect(value).toMatchObject({ paths: { '/a': path } });
  });

  it('the mapping of a discriminator alone can name a file', async () => {
    const spec = `${noPaths}components:\n  schemas:\n    A: { type: object, discriminator: { propertyName: kind, mapping: { b: b.yaml } } }\n`;
    expect(await joinedValue(spec, { 'b.yaml': 'type: object' })).toMatchObject({
      components: {
        schemas: {
          A: { discriminator: { mapping: { b: '#/components/schemas/B' } } },
          B: { type: 'object' },
        },
      },
    });
  });

  it('a mistake in the name of a new component is at the key that it is named after', async () => {
    const spec = `${noPaths}components:\n  schemas: { A: { items: { $ref: 'b.yaml#/parts/client' } } }\n`;
    const others = { 'b.yaml': 'parts:\n  client: { type: object }' };
    expect(await findingsOf(spec, others, 'rules: { schema-name: our guide }')).toEqual([
      'b.yaml:2:3 schema-name Schema Client has the name of a type in the generated code. (our guide)',
    ]);
  });

  it('D-42 what is made a component, or gets an id, has no name that is taken', async () => {
    const spec = `paths:
  /a-b: { get: { responses: { 204: { $ref: '#/components/responses/A' } } } }
  /a_b: { get: { responses: { 204: { $ref: '#/components/responses/A' } } } }
  /c: { get: { responses: { 204: { $ref: '#/components/responses/A' } } } }
  /d: { get: { operationId: getC, responses: { 204: { $ref: '#/components/responses/A' } } } }
components:
  responses: { A: { description: A. } }
  schemas:
    Size: { allOf: [{ type: string }] }
    A:
      properties:
        size: { type: integer, nullable: true }
        again: { $ref: '#/components/schemas/A/properties/size' }
        operationId: { $ref: '#/components/schemas/Size/allOf/0' }
        part: { properties: { part: { $ref: '#/components/schemas/A/properties/part' } } }
`;
    const { paths, components } = JSON.parse(JSON.stringify(await joinedValue(spec, {})));
    const ids = Object.values<{ get: object }>(paths).map(({ get }) => Object(get).operationId);
    expect(ids).toEqual(['getAB', 'getAB2', 'getC2', 'getC']);
    const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(components.schemas).toMatchObject({
      Size: { allOf: [{ type: 'string' }] },
      Size2: { type: ['integer', 'null'] },
      Schemas0: { type: 'string' },
      Part: { properties: { part: to('Part') } },
      A: { properties: { again: to('Size2'), operationId: to('Schemas0') } },
    });
  });

  it('D-42 what a reference leads to is written there, unless it is a component', async () => {
    const spec = `paths:
  /a: { get: { ${operation.trim().replace('\n', ', ')} } }
  /b: { get: { operationId: b, responses: { 204: { $ref: '#/paths/~1a/get/responses/204' } } } }
  /c: { $ref: '#/components/pathItems/Item' }
webhooks:
  seen: { $ref: '#/components/pathItems/Item' }
components:
  pathItems:
    Item: { put: { operationId: c, responses: { 204: { $ref: '#/components/responses/None' } } } }
  responses: { None: { description: None. } }
`;
    const item = { $ref: '#/components/pathItems/Item' };
    const put = { operationId: 'c', responses: { 204: { $ref: '#/components/responses/None' } } };
    expect(await joinedValue(spec, {})).toMatchObject({
      paths: { '/b': { get: { responses: { 204: { description: 'Nothing.' } } } }, '/c': { put } },
      webhooks: { seen: item },
    });
  });

  it('D-42 an operation without responses gets one, and a note', async () => {
    const spec = 'paths:\n  /a: { get: { operationId: a, responses: {} } }\n';
    const value = await joinedValue(spec, {});
    const responses = { default: { description: '' } };
    expect(value).toMatchObject({ paths: { '/a': { get: { responses } } } });
    expect(value).not.toHaveProperty('components');
    expect(await findingsOf(spec, {}, 'rules: { plain-form: our guide }')).toEqual([
      'openapi.yaml:4:32 plain-form GET /a has no responses. (our guide)',
    ]);
  });

  it.each(['example', 'default', 'const', 'x-sample'])(
    'D-42 a $ref in a value is no reference: %s',
    async (keyword) => {
      const value = { $ref: '#/nowhere', all: [{ $ref: 'lamp.yaml' }] };
      const schema = { properties: { $ref: { type: 'string' } }, [keyword]: value };
      const spec = `${noPaths}components:\n  schemas: { A: ${JSON.stringify(schema)} }\n`;
      expect(await joinedValue(spec, {})).toMatchObject({ components: { schemas: { A: schema } } });
    },
  );
});
