import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** The options that each mode takes. */
const taken = {
  help: [],
  upgrade: ['spec'],
  check: ['spec', 'out', 'config'],
  watch: ['spec', 'out', 'config'],
  diff: ['spec', 'usage', 'json'],
  generate: ['spec', 'out', 'config'],
} as const;

type Mode = keyof typeof taken;

export interface Options {
  readonly mode: Mode;
  readonly spec: string;
  /** The same path as messages show it: relative if that is shorter. */
  readonly shownSpec: string;
  /** Absolute path of the folder that the paths of generated files start from. */
  readonly root: string;
  /** Absolute path of the configuration; undefined if there is none. */
  readonly config: string | undefined;
  /** The older spec of `diff`: a file or a revision of git; by default the newest release. */
  readonly released: string | undefined;
  /** The path of a file with the output of `adx-server usage --json`. */
  readonly usage: string | undefined;
  readonly json: boolean;
}

export class UsageError extends Error {}

export const usage = `adx-codegen [--check | --watch] [--spec <file> --out <folder> [--config <file>]]
adx-codegen --upgrade --spec <file>
adx-codegen --diff [<revision> | <file>] [--usage <file>] [--json] [--spec <file>]
adx-codegen diff <old> <new> [--usage <file>] [--json]

Generates the contract, the server and the client of an OpenAPI 3.1 spec, or weighs its changes.
Without --spec: those of the repository that this program belongs to.

  --check          write nothing; report files that are out of date and exit with 1
  --watch          generate again on every save of the spec, until interrupted
  --spec <file>    the spec
  --out <folder>   the folder to write to
  --config <file>  layout and conventions, in YAML
  --upgrade        rewrite a spec in OpenAPI 3.0 as 3.1, in place
  --diff           write nothing; print what changed since the newest release beside the spec, or
                   since a revision of git or a file, and what it weighs; exit with 1 if it is major
  --usage <file>   with --diff or diff: name the partners that a change concerns, by the output of
                   \`adx-server usage --json\`
  --json           with --diff or diff: print JSON
  --help           print this text`;

/**
 * @param folder the folder that relative paths start from
 * @throws UsageError
 */
export function parseOptions(args: readonly string[], repository: string, folder: string): Options {
  const { values, positionals } = parse(args);
  const { spec, out, config, usage, json = false } = values;
  const isCommand = args[0] === 'diff' && !values.help;
  const modes = Object.keys(taken) as Mode[];
  const mode = modes.find((each) => values[each as keyof typeof values]) ?? 'generate';
  const names: readonly string[] = isCommand ? ['usage', 'json'] : taken[mode];
  const wrong = Object.keys(values).find((name) => name !== mode && !names.includes(name));
  if (wrong !== undefined) {
    const shown = isCommand ? 'diff' : `--${mode}`;
    const place = mode === 'generate' ? 'without --diff' : `with ${shown}`;
    throw new UsageError(`--${wrong} cannot be used ${place}.`);
  }
  for (const path of [...positionals, spec, out, config, usage]) checkPath(path);
  const [released, second] = positionals;
  if (isCommand && positionals.length !== 2) {
    throw new UsageError('diff takes two files, the old spec and the new one.');
  }
  if (mode === 'upgrade' && spec === undefined) throw new UsageError('--upgrade needs --spec.');
  if (!isCommand && positionals.length > (mode === 'diff' ? 1 : 0)) {
    const message =
      mode === 'diff' ? '--diff takes one revision or file.' : `${released} is no option.`;
    throw new UsageError(message);
  }
  const generates = names.includes('out');
  if (generates && (spec === undefined) !== (out === undefined)) {
    throw new UsageError('--spec and --out belong together.');
  }
  if (config !== undefined && spec === undefined) throw new UsageError('--config needs --spec.');
  const specPath = resolve(folder, spec ?? second ?? `${repository}/openapi.yaml`);
  const ownConfig = spec === undefined ? resolve(repository, 'codegen/adx.yaml') : undefined;
  const short = relative(folder, specPath) || '.';
  return {
    ...{ mode, released, json, usage: usage && resolve(folder, usage), spec: specPath },
    shownSpec: short.length < specPath.length ? short : specPath,
    root: resolve(folder, out ?? repository),
    config: config === undefined ? ownConfig : resolve(folder, config),
  };
}

function checkPath(path: string | undefined): void {
  if (path === '') throw new UsageError('A path is empty.');
  if (path !== undefined && /^[a-z][a-z\d+.-]+:\/\//i.test(path)) {
    throw new UsageError(`${path} is an address, not a path. Download the file first.`);
  }
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const isHelp = args.some((arg) => ['--help', '-h'].includes(arg));
  const written = args[0] === 'diff' ? ['--diff', ...args.slice(1)] : [...args];
  return orUsageError(() =>
    parseArgs({
      // A command line that asks for help has whatever else.
      args: isHelp ? ['--help'] : written,
      allowPositionals: true,
      options: {
        ...{ check: flag, watch: flag, upgrade: flag, diff: flag, json: flag, help: flag },
        ...{ spec: text, out: text, config: text, usage: text },
      },
    }),
  );
}

/** Throws a UsageError in place of a mistake that the parser throws. */
export function orUsageError<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    // The other sentences are about values that begin with a hyphen.
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${message.split(/\.?\n|\. |\.$/, 1)}.`);
  }
}
