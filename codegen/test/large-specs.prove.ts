import { expect, onTestFinished, test, vi } from 'vitest';
import { things } from './support/corpus.js';
import { runProgram } from './support/run-codegen.js';
import { temporaryRepository } from './support/temporary-repository.js';

const schemaCount = 500;
const operationCount = 400;
const fieldCount = 32;

/** Returns a spec of three megabytes in which all schemas refer to each other in circles. */
function largeSpec(limit: number): string {
  const schemas = Array.from({ length: schemaCount }, (_none, index) => {
    const fields = Array.from({ length: fieldCount }, (_field, field) => [
      `field${field}`,
      { type: 'string', maxLength: limit, description: `A field of the object, number ${field}.` },
    ]);
    const references = Array.from({ length: 8 }, (_reference, reference) => {
      const target = (index * 7 + reference * 61 + 1) % schemaCount;
      return [`to${reference}`, { $ref: `#/components/schemas/S${target}` }];
    });
    return [
      `S${index}`,
      { type: 'object', properties: Object.fromEntries([...fields, ...references]) },
    ];
  });
  const paths = Array.from({ length: operationCount }, (_none, index) => {
    const schema = { $ref: `#/components/schemas/S${index % schemaCount}` };
    const content = { 'application/json': { schema } };
    const responses = { 200: { description: 'The object.', content } };
    const operation = { operationId: `put${index}`, requestBody: { content }, responses };
    return [`/things/${index}`, { put: operation }];
  });
  return JSON.stringify(
    {
      openapi: '3.1.0',
      info: { title: 'Large', version: '1.0.0' },
      paths: Object.fromEntries(paths),
      components: { schemas: Object.fromEntries(schemas) },
    },
    undefined,
    2,
  );
}

test('D-40 two specs of 3 MB with schemas in circles are compared in 1 GB', async () => {
  const { root, write } = temporaryRepository(things);
  const [before, after] = [largeSpec(30), largeSpec(31)];
  expect(before.length).toBeGreaterThan(3_000_000);
  write('old.json', before);
  write('new.json', after);
  vi.stubEnv('NODE_OPTIONS', '--max-old-space-size=1000');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { exitCode, stdout, stderr } = await runProgram(root, 'diff', 'old.json', 'new.json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
  const count = fieldCount * schemaCount;
  expect(stdout).toContain(`${count} changes since old.json: ${count} major`);
  expect(stdout).toContain('in responses of all operations');
});
