import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages } from '../../docs/site/texts/code-groups.js';
import { repository } from '../support/run-command.js';
import type { SampleLanguage } from './run-samples.js';

export interface CodeBlock {
  readonly path: string;
  readonly line: number;
  /** The first word after the fence; empty if there is none. */
  readonly language: string;
  /** The rest of the line, which readers do not see. */
  readonly note: string;
  readonly source: string;
}

/** The language of a sample by the word after its fence. */
export const languageOf: Readonly<Record<string, SampleLanguage | undefined>> = Object.fromEntries(
  languages.map(({ name, fence }) => [fence, name]),
);

const pagesIn = (folder: string) =>
  readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
    .sort();

export const pages = pagesIn('docs/pages');

export const guides = pagesIn('docs/guides');

/** The READMEs of the packages that partners install. */
export const readmes = readdirSync(join(repository, 'packages'))
  .filter((name) => ['cli', 'client', 'sandbox', 'statements'].includes(name))
  .map((name) => `packages/${name}/README.md`);

export function readCodeBlocks(path: string): CodeBlock[] {
  const text = readFileSync(join(repository, path), 'utf8');
  return [...text.matchAll(/^```(\S*) *(.*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = '', note = '', source = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    return { path, line, language, note, source };
  });
}
