import { expect, test } from 'vitest';
import { things } from '../../codegen/test/support/corpus.js';
import { generateInto } from '../../codegen/test/support/generate-into.js';
import { temporaryRepository } from '../../codegen/test/support/temporary-repository.js';
import { readGeneratedCode } from '../dev/generated-code.js';

test('dev: a change of prose changes no generated code, any other change does', async () => {
  const { root } = temporaryRepository(things);
  const codeOf = async (spec: string) => {
    await generateInto(root, spec);
    return readGeneratedCode(root);
  };
  const code = await codeOf(things);
  for (const [from, to] of [
    ['summary: Get token', 'summary: Sign in'],
    ['description: Signs a user in.', 'description: Signs a user in, or */ not.'],
    ['openapi: 3.1.0', '# A comment.\nopenapi: 3.1.0'],
  ] as const) {
    expect(things).toContain(from);
    expect(await codeOf(things.replace(from, to))).toBe(code);
  }
  for (const [from, to] of [
    ['^[0-9a-f]{4}$', '^[0-9a-f]{4,5}$'],
    ['operationId: getThing', 'operationId: readThing'],
  ] as const) {
    expect(things).toContain(from);
    expect(await codeOf(things.replace(from, to))).not.toBe(code);
  }
});
