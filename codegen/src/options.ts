import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface Options {
  readonly mode: 'generate' | 'check' | 'watch' | 'help' | 'upgrade';
  readonly spec: string;
  /** The same path as messages show it: relative if that is shorter. */
  readonly shownSpec: string;
  /** Absolute path of the folder that the paths of generated files start from. */
  readonly root: string;
  /** Absolute path of the configuration; undefined if there is none. */
  readonly config: string | undefined;
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
  const { check, watch, help, upgrade, spec, out, config } = parse(args);
  if (upgrade && ((spec === undefined || out) ?? config ?? check ?? watch)) {
    throw new UsageError('--upgrade takes --spec alone.');
  }
  if (check && watch) throw new UsageError('--check and --watch cannot be combined.');
  if (!upgrade && (spec === undefined) !== (out === undefined)) {
    throw new UsageError('--spec and --out belong together.');
  }
  if (config !== undefined && spec === undefined) throw new UsageError('--config needs --spec.');
  const specPath = resolve(folder, spec ?? `${repository}/openapi.yaml`);
  const ownConfig = spec === undefined ? resolve(repository, 'codegen/adx.yaml') : undefined;
  const short = relative(folder, specPath);
  return {
    mode: modeOf({ help, upgrade, check, watch }),
    spec: specPath,
    shownSpec: short.length < specPath.length ? short : specPath,
    root: resolve(folder, out ?? repository),
    config: config === undefined ? ownConfig : resolve(folder, config),
  };
}

function modeOf(given: Readonly<Record<string, boolean | undefined>>): Options['mode'] {
  const modes = ['help', 'upgrade', 'check', 'watch'] as const;
  return modes.find((mode) => given[mode]) ?? 'generate';
}

/** Returns true for a command line that asks for help, with whatever else. */
export function isHelp(args: readonly string[]): boolean {
  return args.some((arg) => ['--help', '-h'].includes(arg));
}

function parse(args: readonly string[]) {
  return orUsageError(() =>
    parseArgs({
      args: isHelp(args) ? ['--help'] : [...args],
      options: {
        check: { type: 'boolean' },
        watch: { type: 'boolean' },
        spec: { type: 'string' },
        out: { type: 'string' },
        config: { type: 'string' },
        upgrade: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }),
  ).values;
}

/** Throws a UsageError in place of a mistake that the parser throws. */
export function orUsageError<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
