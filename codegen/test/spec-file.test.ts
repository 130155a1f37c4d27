import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { corpus } from './support/corpus.js';
import { filesOf, openapi } from './support/generate-into.js';

describe('codegen: spec.gen.ts', () => {
  it.each([...corpus('valid'), { name: 'openapi.yaml', text: openapi }])(
    'holds $name as a value and as text, whatever is in it',
    async ({ text }) => {
      const source = (await filesOf(text)).get('packages/contract/src/generated/spec.gen.ts') ?? '';
      const { code } = transformSync(source, { loader: 'ts' });
      const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
      expect(module.spec).toEqual(parse(text));
      expect(module.specYaml).toBe(text.replaceAll('\r\n', '\n'));
    },
  );
});
