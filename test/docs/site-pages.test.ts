import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCatalogue, operations } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import { expect, test } from 'vitest';
import { assemble } from '../../docs/site/assemble.js';
import { journeyFiles } from '../../docs/site/journey-texts.js';
import { lifecyclePicture } from '../../docs/site/lifecycle-picture.js';
import { withLinksToPages } from '../../docs/site/links.js';
import { descriptionOfTag, sectionOf } from '../../docs/site/spec-texts.js';
import { repository } from '../support/run-command.js';

const decisions = await readdir(join(repository, 'docs/decisions'));
const assembled = await assemble(repository, ['1.0.0'], decisions);
const pages = new Map(assembled.map(({ path, markdown }) => [path, markdown]));

test.each(Object.entries(errorCatalogue))(
  'D-52 the page of %s says when, what to do, and which operations answer it',
  (code, { status, message }) => {
    const page = pages.get(`errors/${code}`) ?? '';
    expect(page).toContain(`# ${code}\n\nStatus **${status}**: ${message}\n\n## When\n\n`);
    const [, listed = ''] = page.split('## Operations');
    const all = Object.values(operations);
    const named = all.filter(({ operationId }) => listed.includes(`/${operationId})`));
    const answering = all.filter(({ errors }) => errors.some((each) => each === code));
    const others = all.filter((each) => !answering.includes(each));
    const isNegative = listed.includes('All operations');
    expect(named).toEqual(isNegative ? others : answering);
  },
);

test('D-24 the pictures of the lifecycle show every status of a mandate', () => {
  const pictures = ['coda', 'lightConnector', 'codb'].map(lifecyclePicture).join('');
  const shown = [...pictures.matchAll(/<text[^>]*>(\w+)<\/text>/g)].map(([, text]) => text);
  const statuses = spec.components.schemas['MandateStatus']?.['enum'];
  expect(statuses).toHaveLength(14);
  expect(shown).toEqual(expect.arrayContaining([...new Set(statuses as string[])]));
  expect(() => lifecyclePicture('other')).toThrow('There is no kind of mandate other');
});

test('D-52 the text of the interface is that of the spec', () => {
  expect(pages.get('guide/limits')).toContain('## Paging\n\n*Search customers*, *Search mandates*');
  expect(pages.get('guide/mandates')).toContain('| `renewalRequired`            | CODA');
  expect(() => sectionOf('## Limits\n\nMany.', 'Limit')).toThrow('has no section "Limit"');
  expect(() => descriptionOfTag([{ name: 'Uploads' }], 'Uploads')).toThrow('no tag "Uploads"');
});

test('D-40 the changes of the interface are those between its versions', () => {
  expect(pages.get('interface/changes')).toMatch(
    /## Not released yet\n\n\[Reference\]\(\.\.\/reference\/index\.html\)\n\n### Added\n\n.*## 1\.0\.0\n\n\[Reference\]\(\.\.\/reference\/1\.0\.0\/index\.html\)\n\nThe first version\./s,
  );
});

test('D-40 the changes of the interface are without those that only the generator of the client reads', () => {
  expect(pages.get('interface/changes')).not.toMatch(/`x-/);
});

test('D-54 the site has the journeys, whose sources are in the site too', async () => {
  const files = await journeyFiles(repository);
  const sources = [...files.values()].flatMap((text) =>
    [...text.matchAll(/^ +url: (\S+\.yaml)$/gm)].map(([, url = '']) => join('journeys', url)),
  );
  expect(sources).toContain('reference/openapi.yaml');
  const missing = sources.filter((path) => path !== 'reference/openapi.yaml' && !files.has(path));
  expect(missing).toEqual([]);
  expect(pages.get('interface/journeys')).toContain('](../journeys/onboarding.arazzo.yaml)');
});

test('D-52 a link between files becomes one between pages, or its text', () => {
  const sources = new Map([
    ['docs/guides/commands.md', 'operators/commands'],
    ['README.md', 'index'],
  ]);
  const converted = (text: string) =>
    withLinksToPages(text, 'docs/guides/production.md', 'operators/production', sources);
  expect(converted('[A](commands.md#keys), [B](../../README.md)')).toBe(
    '[A](./commands.md#keys), [B](../index.md)',
  );
  expect(converted('[a test](../../test/a.test.ts), [below](#backup)')).toBe(
    'a test, [below](#backup)',
  );
  expect(converted('[`notFound`](/errors/notFound.md)')).toBe(
    '[`notFound`](../errors/notFound.md)',
  );
  expect(converted('[Get](#operation/getBank)')).toBe(
    '[Get](../reference/index.html#operation/getBank)',
  );
  expect(converted('[RFC](https://www.rfc-editor.org)')).toBe('[RFC](https://www.rfc-editor.org)');
  expect(converted('```md\n[A](commands.md)\n```')).toBe('```md\n[A](commands.md)\n```');
});
