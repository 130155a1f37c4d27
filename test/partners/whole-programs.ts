import { programsNamed } from '../../docs/site/texts/code-groups.js';
import { missingFor } from '../support/languages.js';
import { isShortPart } from '../support/rounds.js';
import { repository } from '../support/run-command.js';
import { languageOf } from './code-blocks.js';
import type { SampleLanguage } from './run-samples.js';

/** A program of `docs/samples`, which pages show in all languages. */
export interface WholeProgram {
  readonly name: 'sync' | 'sync payroll' | 'upload';
  readonly language: SampleLanguage;
  readonly source: string;
}

/** The output of each program, where it is not that of the other languages. */
type Prints = Readonly<Partial<Record<SampleLanguage, RegExp>>> & { readonly others: RegExp };

const prints: Readonly<Record<WholeProgram['name'], Prints>> = {
  sync: {
    TypeScript: /^(\S+\.cod\n)+No more new files\n$/,
    curl: /^(statements\/\S+\.cod\n)+No more new files\n$/,
    others: /^\d+ new files\n(\S+\.cod\n)+$/,
  },
  'sync payroll': {
    TypeScript: /^(\S+\.xml\n)+No more new files\n$/,
    curl: /^(payroll\/\S+\.xml\n)+No more new files\n$/,
    others: /^\d+ new files\n(\S+\.xml\n)+$/,
  },
  upload: {
    TypeScript: /^rejected 0\nerror \w+ .+\n/,
    curl: /"status":"rejected".*"key":"statement\.cod"/,
    others: /^statement\.cod rejected\nerror headerMissing .*\n$/,
  },
};

export const wholePrograms = (
  await Promise.all((Object.keys(prints) as WholeProgram['name'][]).map(programsOf))
).flat();

async function programsOf(name: WholeProgram['name']): Promise<WholeProgram[]> {
  const sources = await programsNamed(repository, name);
  return [...sources].flatMap(([fence, source]) => {
    const language = languageOf[fence];
    return language === undefined ? [] : [{ name, language, source }];
  });
}

/**
 * Returns a program in the languages that this machine can run; in the short part of the tests
 * without those that have a compiler, which takes much CPU time.
 */
export function installedPrograms(name: WholeProgram['name']): WholeProgram[] {
  return wholePrograms.filter((program) => program.name === name && isInstalled(program.language));
}

function isInstalled(language: SampleLanguage): boolean {
  // The tests bring what these need.
  if (language === 'TypeScript' || language === 'curl') return true;
  if (isShortPart && (language === 'C#' || language === 'Java')) return false;
  return missingFor(language) === undefined;
}

export function printsOf({ name, language }: WholeProgram): RegExp {
  return prints[name][language] ?? prints[name].others;
}
