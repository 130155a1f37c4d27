import { dirname, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** The command line, with every default filled in. */
export interface Options {
  readonly mode: 'generate' | 'check' | 'watch' | 'help';
  /** Absolute path of the spec. */
  readonly spec: string;
  /** The same path as messages show it: relative if that is shorter. */
  readonly shownSpec: string;
  /** Absolute path of the folder that the paths of generated files start from. */
  readonly root: string;
}

/** A mistake in the command line, which the message describes. */
export class UsageError extends Error {}

export const usage = `adx-codegen [--check | --watch] [--spec <path>] [--out <root>]
adx-codegen --diff [<revision> | <file>] [--usage <file>] [--json] [--spec <path>]
adx-codegen diff <old> <new> [--usage <file>] [--json]

Writes the repository's generated files from openapi.yaml, or weighs its changes.

  --check        write nothing; report files that are out of date and exit with 1
  --watch        generate again on every save of the spec, until interrupted
  --diff         write nothing; print what changed since the newest release beside the spec, or
                 since a revision of git or a file, and what it weighs; exit with 1 if it is major
  --usage <file> with --diff or diff: name the partners that a change concerns, by the output of
                 \`adx-server usage --json\`
  --json         with --diff or diff: print JSON
  --spec <path>  the spec; by default openapi.yaml in the root
  --out <root>   the root of the repository to write to; by default the spec's folder
  --help         print this text`;

/**
 * @param repository the default root: the repository that this program belongs to
 * @param folder the folder that relative paths start from
 * @throws UsageError
 */
export function parseOptions(args: readonly string[], repository: string, folder: string): Options {
  const { check, watch, help, spec, out } = parse(args);
  if (check && watch) throw new UsageError('--check and --watch cannot be combined.');
  const specPath = resolve(folder, spec ?? `${out ?? repository}/openapi.yaml`);
  const root = out ?? (spec === undefined ? repository : dirname(specPath));
  const short = relative(folder, specPath);
  return {
    mode: help ? 'help' : check ? 'check' : watch ? 'watch' : 'generate',
    spec: specPath,
    shownSpec: short.length < specPath.length ? short : specPath,
    root: resolve(folder, root),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        check: { type: 'boolean' },
        watch: { type: 'boolean' },
        spec: { type: 'string' },
        out: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
