import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { plainConfig } from '../src/config.js';
import { methodComment } from '../src/emit/client/method-comment.js';
import { targetOf } from '../src/emit/target.js';
import { buildApiModel } from '../src/model/build-api-model.js';
import { validSpec } from './support/corpus.js';
import { filesOf } from './support/generate-into.js';
import { api } from './support/small-api.js';

it.each(['^[a-z/]+[.]cod$', '^[a-z\\/]+\\/?[.]cod$', '^[a-z]+[.]cod(\\\\/)?$'])(
  'D-50 codegen: the client has the pattern %s of names as it is, for each response with them',
  async (pattern) => {
    const changed = validSpec('file-names.yaml').replaceAll('^[a-z]+[.]cod$', () => pattern);
    const client = (await filesOf(changed)).get('packages/client/src/generated/client.gen.ts');
    const literals = [...(client ?? '').matchAll(/fileName: (\/.*\/u)/g)];
    expect(literals).toHaveLength(1);
    for (const [, literal = ''] of literals) {
      expect(String(runInNewContext(literal))).toBe(String(new RegExp(pattern, 'u')));
    }
  },
);

it('D-40 codegen: the client marks a deprecated operation, with what the spec says about its end', async () => {
  const files = await filesOf(validSpec('deprecation.yaml'));
  const client = files.get('packages/client/src/generated/client.gen.ts') ?? '';
  expect(client.match(/@deprecated.*/g)).toEqual([
    '@deprecated Since 2026-12-01. From 2027-06-30 on it may be gone. Call `things.get` instead.',
    '@deprecated Since 2026-12-01.',
    '@deprecated',
  ]);
});

it('D-42 codegen: the comment of a method names the errors of default, and what its options can do', () => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } };
  const commentOf = (responses: object) => {
    const spec = api({ responses: { ...responses, default: { content } } }, { Problem: {} });
    const [operation] = buildApiModel(spec, plainConfig).operations;
    return operation && methodComment(operation, targetOf(plainConfig.layout, 'client'));
  };
  const withSuccess = commentOf({ '204': { description: 'Done.' } });
  expect(withSuccess).toContain('@throws {ResponseError}\n   * default `Problem`\n');
  expect(withSuccess).toContain('@param options Can cancel the call, and see its response.\n');
  expect(commentOf({})).not.toContain('default `');
});
