import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Operation, operations } from '@adx/contract';
import type { Samples } from '../../../codegen/src/emit/samples/samples.js';
import { setVariable, shells } from '../../../packages/sandbox/src/demo/first-call.js';

/** The languages of samples in the order of their tabs: the word after a fence, and files. */
export const languages = [
  { name: 'TypeScript', fence: 'ts', extension: '.ts' },
  { name: 'C#', fence: 'csharp', extension: '.cs' },
  { name: 'PHP', fence: 'php', extension: '.php' },
  { name: 'Python', fence: 'python', extension: '.py' },
  { name: 'Java', fence: 'java', extension: '.java' },
  { name: 'curl', fence: 'sh', extension: '.sh' },
] as const;

type Fence = (typeof languages)[number]['fence'];

/** Code by the fence of its language. */
export type Sources = ReadonlyMap<Fence, string>;

/** Returns code as a group of tabs in VitePress, without languages that have none. */
function codeGroup(sources: Sources): string {
  const blocks = languages.flatMap(({ name, fence }) => {
    const source = sources.get(fence);
    return source === undefined ? [] : [`\`\`\`${fence} [${name}]\n${source}\`\`\`\n`];
  });
  return groupOf(blocks);
}

function groupOf(blocks: readonly string[]): string {
  return `::: code-group\n\n${blocks.join('\n')}\n:::`;
}

/** The word after a fence, and the name, of each shell. */
const tabsOfShells = {
  sh: 'sh [bash, zsh]',
  fish: 'fish [fish]',
  powershell: 'powershell [PowerShell]',
  cmd: 'bat [cmd]',
};

/**
 * Replaces `<!-- shells -->`, together with the block after it, which sets variables in a POSIX
 * shell, by a group that sets them in each shell.
 */
export function withShells(markdown: string): string {
  return markdown.replaceAll(
    /^<!-- shells -->\n\n```.*\n((?:export \w+=.*\n)+)```$/gm,
    (_, lines: string) => {
      const variables = [...lines.matchAll(/^export (\w+)=(.*)$/gm)];
      const blocks = shells.map((shell) => {
        const set = variables.map(([, name = '', value = '']) => setVariable(shell, name, value));
        return `\`\`\`${tabsOfShells[shell]}\n${set.join('\n')}\n\`\`\`\n`;
      });
      return groupOf(blocks);
    },
  );
}

/**
 * Replaces `<!-- samples: createCustomer -->`, together with the blocks of code that follow it, by
 * a group with the samples of this operation, in which these blocks take the place of those of
 * their languages. With `<!-- samples: createCustomer, name: value -->` the samples send this
 * header too.
 */
export function withSampleGroups(markdown: string, samples: Samples): string {
  return markdown.replaceAll(
    /^<!-- samples: (\w+)(?:, ([\w-]+): (.+))? -->\n((?:\n```\w+(?: not-run:\w+)?\n(?:(?!```).*\n)*```\n)*)/gm,
    (_, operation: string, header: string | undefined, value = '', blocks = '') => {
      const generated = sourcesOf(operation, samples);
      const own = [...blocks.matchAll(/```(\w+).*\n([\s\S]*?)```/g)];
      const all = [
        ...(header === undefined ? generated : withHeader(generated, header, value)),
        ...own.map(([, fence, source]) => [fence, source] as const),
      ];
      return `${codeGroup(new Map(all as [Fence, string][]))}\n`;
    },
  );
}

function sourcesOf(operation: string, samples: Samples): (readonly [Fence, string])[] {
  const found = samples.get(operation);
  const described = Object.values<Operation>(operations).find(
    ({ operationId }) => operationId === operation,
  );
  if (!found || !described) throw new Error(`There is no operation ${operation}`);
  const values = valuesInPath(described, found.map(({ source }) => source).join('\n'));
  return found.flatMap(({ lang, source }) =>
    languages
      .filter(({ name }) => name === lang)
      .map(({ fence }) => [
        fence,
        values.reduce((text, [value, word]) => text.replaceAll(value, word), source),
      ]),
  );
}

/** Returns the values in the path of samples, such as an id, each with its word: `<MANDATE_ID>`. */
function valuesInPath(
  { path, pathParameters }: Operation,
  sources: string,
): (readonly [string, string])[] {
  const [, ...values] =
    new RegExp(path.replaceAll(/\{\w+\}/g, '([^/\\s"\']+)')).exec(sources) ?? [];
  return pathParameters.map((name, index) => [
    values[index] ?? '',
    `<${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}>`,
  ]);
}

/** Each language but TypeScript writes a header on a line of its own. */
function withHeader(
  sources: readonly (readonly [Fence, string])[],
  header: string,
  value: string,
): (readonly [Fence, string])[] {
  return sources.map(([fence, source]) => [
    fence,
    source.replace(
      /^.*x-api-key.*\n/m,
      (line) => line + line.replace('x-api-key', header).replace('<API_KEY>', value),
    ),
  ]);
}

/**
 * Returns a program of `docs/samples` in all languages: `sync`, or `sync payroll`, which is the
 * same for payroll files.
 */
export async function programsNamed(root: string, value: string): Promise<Sources> {
  const [name = '', variant] = value.split(' ');
  const folder = join(root, 'docs/samples');
  const files = (await readdir(folder)).filter((file) => file.toLowerCase().startsWith(`${name}.`));
  const sources = files.map(async (file) => {
    const language = languages.find(({ extension }) => extension === extname(file));
    if (language === undefined) throw new Error(`${file} is in no language of the samples`);
    const source = await readFile(join(folder, file), 'utf8');
    return [language.fence, variant === 'payroll' ? forPayrollFiles(source) : source] as const;
  });
  return new Map(await Promise.all(sources));
}

const wordsForPayroll = { coda: 'codb', ibans: 'payrollProviders', statements: 'payroll' };

function forPayrollFiles(source: string): string {
  return Object.entries(wordsForPayroll).reduce(
    (text, [word, other]) => text.replaceAll(word, other),
    source,
  );
}

/** Returns a program of `docs/samples` as a group. */
export async function programGroup(root: string, value: string): Promise<string> {
  return codeGroup(await programsNamed(root, value));
}

/** Returns Markdown without groups, which only VitePress understands: their labels come first. */
export function withoutGroups(markdown: string): string {
  return markdown.replaceAll(
    /^::: code-group\n\n(.*?)^:::\n/gms,
    (_, blocks: string) => `One of ${labelsIn(blocks).join(', ')}:\n\n${blocks}`,
  );
}

function labelsIn(blocks: string): string[] {
  return [...blocks.matchAll(/^```\w+ \[(.+)\]$/gm)].map(([, label = '']) => label);
}
