import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scopes } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { conventions, requirements } from '../../codegen/src/rules/check-rules.js';
import { descriptionOfTag } from '../../docs/site/texts/spec-texts.js';
import { createProgram } from '../../packages/server/src/operator/program.js';
import { settings } from '../../packages/server/src/settings.js';
import { generators, redocly } from '../generated-clients/generators.js';
import { repository } from '../support/run-command.js';

const read = (path: string) => readFileSync(join(repository, path), 'utf8');

test('guides: running-in-production describes exactly the settings that exist', () => {
  const described = firstCells(read('docs/guides/running-in-production.md'), /^[A-Z][A-Z0-9_]+$/);
  expect(described.sort()).toEqual(Object.keys(settings.shape).sort());
});

test('guides: running-in-production has the defaults of the settings', () => {
  const page = read('docs/guides/running-in-production.md');
  const rows = [...page.matchAll(/^\| `([A-Z0-9_]+)` +\| `([^`]+)` +\|/gm)];
  const described = Object.fromEntries(rows.map(([, name, value]) => [name, value]));
  const defaults = Object.entries(settings.parse({})).map(([name, value]) => [name, String(value)]);
  expect(defaults.length).toBeGreaterThan(5);
  expect(described).toMatchObject(Object.fromEntries(defaults));
});

test('guides: operator-commands describes exactly the commands that exist, with all their options', () => {
  const described = firstCells(read('docs/guides/operator-commands.md'), /^[a-z]+/);
  expect(described.map(commandOf).sort()).toEqual(existingCommands().sort());
});

test('guides: operator-commands says what each scope of API keys is for', () => {
  const [, rest = ''] = read('docs/guides/operator-commands.md').split('### Scopes of an API key');
  const named = [...(rest.split('\n### ')[0] ?? '').matchAll(/`(\w+:\w+)`/g)];
  expect(named.map(([, scope]) => scope).sort()).toEqual(Object.keys(scopes).sort());
});

test('guides: the page of other languages names the generators whose clients are tested, with their commands', () => {
  const page = read('docs/pages/languages.md');
  const rows = [...page.matchAll(/^\| `(\S+@[\d.]+)`.*\| `npx ([^`]+)` +\|$/gm)];
  const { devDependencies } = JSON.parse(read('package.json'));
  const ownRedocly = `@redocly/cli@${devDependencies['@redocly/cli']}`;
  expect(rows.map(([, generator, command]) => [generator, command])).toEqual([
    ...Object.values(generators).map(({ packages, command }) => [packages[0], command]),
    ...Object.values(redocly).map((command) => [ownRedocly, command]),
  ]);
  const installed = [...page.matchAll(/^npm install --save-dev (.+)$/gm)].map(([, names]) => names);
  const wanted = Object.values(generators).map(({ packages }) => packages.join(' '));
  expect(installed).toEqual([...wanted, ownRedocly]);
});

test('D-32 the page about uploads explains each status of an upload', () => {
  expect(read('docs/pages/guide/uploads.md')).toContain('<!-- tag: Uploads -->');
  const text = descriptionOfTag(spec.tags, 'Uploads');
  const explained = [...text.matchAll(/^\| `(\w+)`/gm)].map(([, status]) => status);
  expect(explained).toEqual(spec.components.schemas['UploadStatus']?.['enum']);
});

test('guides: editing-the-spec names exactly the rules that exist, and those in force for this interface', () => {
  const page = read('docs/guides/editing-the-spec.md');
  const [before = '', after = ''] = page.split('## Another spec');
  expect(lastCells(before)).toEqual(conventions.map(({ name }) => name).sort());
  expect(lastCells(after)).toEqual(requirements.map(({ name }) => name).sort());
  const { rules } = parse(read('codegen/adx.yaml'));
  expect(Object.keys(rules).sort()).toEqual(conventions.map(({ name }) => name).sort());
});

/** Returns the code in the last column of the tables with three columns, sorted. */
function lastCells(page: string): string[] {
  const cells = [...page.matchAll(/^\|(?: [^|]+ \|){2} (`[^|]+`) \|$/gm)];
  return cells.flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', ')).sort();
}

/** Returns a command without its values: `firm set --name --codb-upload`. */
interface Command {
  readonly name: string;
  readonly options: readonly string[];
}

function commandOf(synopsis: string): string {
  const words = synopsis.replaceAll(/[[\]]/g, '').split(' ');
  const firstOther = words.findIndex((word) => !/^[a-z-]+$/.test(word) || word.startsWith('-'));
  const name = firstOther === -1 ? words : words.slice(0, firstOther);
  return show({
    name: name.join(' '),
    options: words.filter((word) => word.startsWith('--')),
  });
}

function existingCommands(): string[] {
  // The commands are not run, so they need no context.
  const program = createProgram({} as never);
  const leaves = (commands: typeof program.commands, before: string): Command[] =>
    commands.flatMap((command) => {
      const name = `${before}${command.name()}`;
      if (command.commands.length > 0) return leaves([...command.commands], `${name} `);
      const options = command.options.map(({ long }) => long ?? '');
      return [{ name, options: options.filter((long) => long !== '--json') }];
    });
  return leaves([...program.commands], '').map(show);
}

function show({ name, options }: Command): string {
  return [name, ...[...options].sort()].join(' ');
}

/** Returns the code in the first column of the tables of a page that matches `form`. */
function firstCells(page: string, form: RegExp): string[] {
  return [...page.matchAll(/^\| `([^`]+)` +\|/gm)]
    .map(([, cell = '']) => cell.replaceAll('\\|', '|'))
    .filter((cell) => form.test(cell));
}
