import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../support/run-command.js';
import { filesIn, foldTitles, withRun } from './proofs-page.js';

test('docs: docs/proofs.md has the results of all proofs, and none failed', async () => {
  const page = await readFile(join(repository, 'docs/proofs.md'), 'utf8');
  const folders = ['codegen', 'packages', 'test', 'tools'].map(async (folder) =>
    (await readdir(join(repository, folder), { recursive: true }))
      .filter((file) => file.endsWith('.prove.ts') && !file.includes('node_modules'))
      .map((file) => `${folder}/${file}`),
  );
  const proofs = (await Promise.all(folders)).flat();
  expect(filesIn(page)).toEqual(proofs.toSorted());
  expect(page).not.toContain('**');
});

test('docs: a proof that is run again replaces its results, and those of a file that is gone are removed', () => {
  const run = (file: string, state = 'passed', results: string[] = []) => ({
    ...{ file, startedAt: new Date('2026-11-26T21:00:00Z'), minutes: 30, load: 0.5 },
    machine: file === 'a' ? '4 cores' : '2 cores',
    tests: [{ title: `title of ${file}`, state, results }],
  });
  const runs = [run('b'), run('gone'), run('a', 'failed'), run('b', 'passed', ['kills 100'])];
  let page = '# Proofs\n\nThey took 0.0 hours on 2 cores.\n';
  for (const each of runs) page = withRun(page, each, (file) => file !== 'gone');
  expect(page).toBe(`# Proofs

They took 1.0 hours on 2 cores.

### \`a\`

2026-11-26, 30.0 minutes; 4 cores, load 0.5.

- **failed:** title of a

### \`b\`

2026-11-26, 30.0 minutes; load 0.5.

- title of b
  - kills 100
`);
});

test('docs: titles of proofs that differ in one place are folded, with what stands there or what they did', () => {
  const list = (...titles: string[]) => titles.map((title) => `- ${title}`).join('\n');
  const seeds = ['7', '8', '9'].map((seed) => `D-28 events from seed ${seed}: nothing is lost`);
  expect(foldTitles(list('D-04 another one', ...seeds, 'D-28 many'))).toBe(
    list('D-04 another one', 'D-28 events from seed …: nothing is lost\n  - 7 to 9', 'D-28 many'),
  );
  const withResults = seeds.map(
    (title, i) => `${title}\n  - seed ${i + 7}, kills ${9 - i}, lost 0`,
  );
  expect(foldTitles(list(...withResults))).toBe(
    list('D-28 events from seed …: nothing is lost\n  - seed 7 to 9, kills 7 to 9, lost 0'),
  );
  const otherWords = seeds.map((title, i) => `${title}\n  - ${'kill '.repeat(i)}`);
  expect(foldTitles(list(...otherWords))).toContain('\n  - kill kill ');
  expect(foldTitles(list(...seeds.slice(1)))).toBe(list(...seeds.slice(1)));
});
