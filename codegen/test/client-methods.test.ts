import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { validSpec } from './support/corpus.js';
import { filesOf } from './support/generate-into.js';

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
