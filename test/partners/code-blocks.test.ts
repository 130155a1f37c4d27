import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../support/run-command.js';
import { guides, pages, readCodeBlocks, readmes } from './code-blocks.js';
import { executedElsewhere, executedOfPages, reasonsNotToRun } from './executed-blocks.js';

const blocks = [...pages, ...guides, ...readmes].flatMap(readCodeBlocks);

test('D-54 every code block for partners and operators is executed, or says why not', () => {
  expect(blocks.length).toBeGreaterThan(50);
  const neither = blocks.filter(({ path, language, note }) => {
    const [, reason] = /^not-run:(\w+)$/.exec(note) ?? [];
    if (reason !== undefined) return !Object.hasOwn(reasonsNotToRun, reason);
    const executed = pages.includes(path) ? executedOfPages : executedElsewhere[path];
    return executed?.[language] === undefined;
  });
  expect(
    neither.map(({ path, line, language, note }) => `${path}:${line} ${language} ${note}`),
  ).toEqual([]);
});

test('D-54 every reason not to execute a code block is used', () => {
  const used = blocks.flatMap(({ note }) => (note.startsWith('not-run:') ? [note.slice(8)] : []));
  expect(Object.keys(reasonsNotToRun).sort()).toEqual([...new Set(used)].sort());
});

test('D-54 the tests that are said to execute code blocks read them from the page', () => {
  for (const [page, executed] of Object.entries(executedElsewhere)) {
    const [name = ''] = page.split('/').slice(-1);
    for (const path of Object.values(executed)) {
      expect(readFileSync(join(repository, path), 'utf8'), path).toContain(name);
    }
  }
});

test('D-20 every call with curl in a page ends with an error at a redirect', () => {
  const commands = pages.flatMap(readCodeBlocks).flatMap(({ source }) => {
    return source.split(/(?=\bcurl )/).filter((text) => text.startsWith('curl '));
  });
  expect(commands.length).toBeGreaterThan(5);
  expect(commands.filter((text) => !text.includes(' --location --max-redirs 0 '))).toEqual([]);
});
