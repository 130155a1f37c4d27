import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { corpus } from './support/corpus.js';
import { filesOf, openapi } from './support/generate-into.js';

const folder = 'packages/contract/src/generated';

describe('codegen: the specification as JSON', () => {
  it.each([...corpus('valid'), { name: 'openapi.yaml', text: openapi }])(
    'holds $name as a value and as lines, whatever is in it',
    async ({ text }) => {
      const files = await filesOf(text);
      const read = (name: string) => JSON.parse(files.get(`${folder}/${name}`) ?? '');
      expect(read('openapi.gen.json')).toEqual(parse(text));
      expect(read('openapi-lines.gen.json').join('\n')).toBe(text.replaceAll('\r\n', '\n'));
    },
  );
});
