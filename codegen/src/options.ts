import { dirname, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** What to do, all defaults filled in. */
export interface Options {
  readonly mode: 'generate' | 'check' | 'watch' | 'help';
  /** Absolute path of the specification. */
  readonly spec: string;
  /** Absolute path of the folder the generated files' paths start from. */
  readonly root: string;
}

/** A command line that makes no sense; the message says why. */
export class UsageError extends Error {}

export const usage = `adx-codegen [--check | --watch] [--spec <path>] [--out <root>]

Writes every generated file of the repository from openapi.yaml.

  --check        write nothing; report drift, and end with 1 where there is any
  --watch        write on every save of the specification, until interrupted
  --spec <path>  the specification (openapi.yaml in the root)
  --out <root>   the root of the repository to write to (where the specification is)
  --help         this text
`;

/**
 * @param root the repository this program belongs to
 * @throws UsageError
 */
export function parseOptions(args: readonly string[], root: string): Options {
  const { check, watch, help, spec, out } = parse(args);
  if (check && watch) throw new UsageError('--check and --watch exclude each other.');
  const specPath = resolve(spec ?? `${out ?? root}/openapi.yaml`);
  return {
    mode: help ? 'help' : check ? 'check' : watch ? 'watch' : 'generate',
    spec: specPath,
    root: resolve(out ?? (spec === undefined ? root : dirname(specPath))),
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

/** A path as messages show it: relative where that is shorter. */
export function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.length < path.length ? short : path;
}
