import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spec } from '@adx/contract/spec';
import { expect, test } from 'vitest';
import { repository } from '../support/run-command.js';

const folder = join(repository, 'docs/decisions');

const records = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .map((name) => {
    const [title = '', ...lines] = readFileSync(join(folder, name), 'utf8').split('\n');
    const inSpec = lines
      .slice(0, 3)
      .join('\n')
      .match(/^In the spec: (yes|no)$/m)?.[1];
    return { name, number: name.slice(0, 4), title, inSpec };
  });

const decisions = records.filter(({ number }) => number.startsWith('D-'));

test('decisions: each D record says whether the spec names it', () => {
  const silent = decisions.filter(({ inSpec }) => inSpec === undefined);
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test('decisions: the spec names exactly the records that say so', () => {
  const named = decisions.filter(({ inSpec }) => inSpec === 'yes').map(({ number }) => number);
  expect([...new Set(decisionsIn(spec))].sort()).toEqual(named.sort());
});

test('decisions: every number is used once', () => {
  const numbers = records.map(({ number }) => number);
  expect(numbers).toEqual([...new Set(numbers)]);
});

test('decisions: the title of a record starts with its number, and the index lists it', () => {
  const index = readFileSync(join(folder, 'README.md'), 'utf8').replaceAll(/ +\|/g, ' |');
  for (const { name, number, title, inSpec } of records) {
    expect(title).toMatch(new RegExp(`^# ${number} `));
    const entry = `| [${title.slice(2)}](${name}) |`;
    expect(index).toContain(inSpec ? `${entry} ${inSpec} |` : entry);
  }
});

/** Returns every value of `x-decision`, which is one number or a list of them. */
function decisionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'x-decision' ? [child].flat() : decisionsIn(child),
  );
}

test('decisions: each record is named in the source that it governs', () => {
  const sources = [
    ...['cli', 'command', 'contract', 'client', 'sandbox', 'server', 'statements'].map(
      (name) => `packages/${name}/src`,
    ),
    ...['codegen/src', 'tools/release', 'docs', 'test/browser'],
  ].map((folder) => join(repository, folder));
  const texts = sources.flatMap((source) =>
    readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.gen)\.tsx?$/.test(name) && !name.includes('node_modules'))
      .map((name) => readFileSync(join(source, name), 'utf8')),
  );
  const text = texts.join('\n');
  const unnamed = records.filter(({ number }) => !new RegExp(`\\b${number}\\b`).test(text));
  expect(unnamed.map(({ name }) => name)).toEqual([]);
});
