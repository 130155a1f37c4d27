import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type CamtVersion, camtVersions } from '../convert/camt053-parts.js';
import { type FindingLanguage, findingLanguages } from '../finding-language.js';

/** The command was used wrongly: exit code 2. */
export class WrongUse extends Error {}

export const targets = ['json', 'csv', 'camt053'] as const;
export type Target = (typeof targets)[number];

/** The arguments of the command. */
export type CommandLine =
  /** To print a text: how the command is used, or its version. */
  | { readonly action: 'print'; readonly text: string }
  | (Read & { readonly action: 'check'; readonly json: boolean; readonly strict: boolean })
  | (Read & { readonly action: 'show' })
  | (Read & {
      readonly action: 'convert';
      readonly to: Target;
      /** The version of CAMT.053. */
      readonly version: CamtVersion | undefined;
      /** The file that is written; standard output if undefined. */
      readonly out: string | undefined;
    });

interface Read {
  readonly files: readonly string[];
  /** The language of findings and of what is shown. */
  readonly language: FindingLanguage;
}

const usage = `Usage: adx-statements check|show|convert <files>

  check    reports what is wrong in bank statements (CODA) and payroll files (CODB)
  show     shows them as text
  convert  writes them in another format

- is standard input, and after --out standard output.

Options:
  --json                 check: the findings as JSON
  --strict               check: exit with 1 also for what makes books wrong
  --to json|csv|camt053  convert: the format
  --version 02|04|08     convert: the version of CAMT.053 (053.001.02 and so on), by default 08
  --out FILE             convert: the file to write, standard output by default;
                         if all is refused, a former file is removed
  --language en|fr|nl|de the language of what is reported, by default English
  -h, --help
  -V, --version          alone: the version of adx-statements

Exit codes: 0 all is fine; 1 a finding refuses a statement or file, or convert wrote what makes books
wrong (details that do not add up to their total, a statement twice); 2 any failure, such as wrong use.
`;

/** The options of each action. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  check: ['json', 'strict', 'language'],
  show: ['language'],
  convert: ['to', 'version', 'out', 'language'],
};

/** @throws WrongUse */
export function parseCommandLine(args: readonly string[]): CommandLine {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    return { action: 'print', text: `${ownVersion()}\n` };
  }
  const { values, positionals } = parse(args);
  const [action, ...files] = positionals;
  if (values.help === true) return { action: 'print', text: usage };
  if (action === undefined) throw new WrongUse('an action is missing: check, show or convert');
  const options = Object.hasOwn(allowed, action) ? allowed[action] : undefined;
  if (options === undefined) throw new WrongUse(`there is no action "${action}"`);
  const foreign = Object.keys(values).find((name) => !options.includes(name));
  if (foreign !== undefined) throw new WrongUse(`${action} has no option --${foreign}`);
  if (files.length === 0) throw new WrongUse('a file is missing');
  if (files.filter((file) => file === '-').length > 1) {
    throw new WrongUse('standard input can be read only once');
  }
  if (values.out === '') throw new WrongUse('--out has to name a file');
  const language = findingLanguages.find((each) => each === (values.language ?? 'en'));
  if (language === undefined) {
    throw new WrongUse(`--language has to be one of ${findingLanguages.join(', ')}`);
  }
  if (action === 'check') {
    const { json = false, strict = false } = values;
    return { action, files, language, json, strict };
  }
  if (action === 'show') return { action, files, language };
  const to = targets.find((target) => target === values.to);
  if (to === undefined) throw new WrongUse(`--to has to be one of ${targets.join(', ')}`);
  const version = values.version === undefined ? undefined : camtVersionOf(values.version);
  if (version !== undefined && to !== 'camt053') {
    throw new WrongUse('only CAMT.053 has versions: --version needs --to camt053');
  }
  return {
    action: 'convert',
    files,
    language,
    to,
    version,
    out: values.out === '-' ? undefined : values.out,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'string' },
        json: { type: 'boolean' },
        strict: { type: 'boolean' },
        to: { type: 'string' },
        out: { type: 'string' },
        language: { type: 'string' },
      },
    });
  } catch (error) {
    // The next sentence, about names of files that start with a hyphen, would mislead.
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('. ');
    throw new WrongUse(reason.replace(/^U/, 'u'));
  }
}

/** Parses a version as `02`, `2` or `camt.053.001.02`. */
function camtVersionOf(text: string): CamtVersion {
  const [, digit] = /^(?:camt\.)?(?:053\.001\.)?0?(\d)$/.exec(text) ?? [];
  const version = camtVersions.find((each) => each === `0${digit}`);
  if (version !== undefined) return version;
  throw new WrongUse(`--version has to be one of ${camtVersions.join(', ')}`);
}

/** Returns the version of the package. */
function ownVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
