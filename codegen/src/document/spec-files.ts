import { isUtf8 } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { getSystemErrorMap } from 'node:util';

/** Reads the spec and the files around it. */
export class SpecFiles {
  readonly spec: string;
  readonly #shownSpec: string;
  readonly #options: Options;

  /** @param shownSpec the path of the spec as messages show it */
  constructor(spec: string, shownSpec: string, options: Options = {}) {
    this.spec = spec;
    this.#shownSpec = shownSpec;
    this.#options = options;
  }

  read(path: string): string | undefined {
    this.#options.willRead?.(path);
    try {
      const { revision } = this.#options;
      return revision === undefined ? readText(path) : this.#readFrom(revision, path);
    } catch {
      return undefined;
    }
  }

  /** Returns the message about a file that could not be read. */
  failureOf(path: string): string {
    return `${this.shown(path)} cannot be read: ${reasonOf(path)}.`;
  }

  #readFrom(revision: string, path: string): string {
    const folder = dirname(this.spec);
    const name = `${revision}:./${relative(folder, path)}`;
    return execFileSync('git', ['show', '--end-of-options', name], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }

  /** Returns the path of a file as messages show it: like that of the spec. */
  shown(path: string): string {
    const { revision } = this.#options;
    const beside = join(dirname(this.#shownSpec), relative(dirname(this.spec), path));
    const shown = path === this.spec ? this.#shownSpec : beside;
    return revision === undefined ? shown : `${revision}:${shown}`;
  }

  namesBeside(path: string): string[] {
    if (this.#options.revision !== undefined) return [];
    try {
      const entries = readdirSync(dirname(path), { withFileTypes: true });
      return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    } catch {
      return [];
    }
  }
}

function readText(path: string): string {
  const stats = statSync(path);
  // Devices and pipes may never end.
  if (!stats.isFile()) throw new Error(stats.isDirectory() ? 'it is a folder' : 'it is no file');
  return decode(readFileSync(path));
}

function reasonOf(path: string): string {
  try {
    readText(path);
    return 'it was written meanwhile';
  } catch (error) {
    return systemReason(error) ?? (error instanceof Error ? error.message : String(error));
  }
}

/** Returns the reason of an error of the file system, such as `permission denied`. */
export function systemReason(error: unknown): string | undefined {
  if (!(error instanceof Error && 'errno' in error)) return undefined;
  return getSystemErrorMap().get(Number(error.errno))?.[1];
}

/** Decodes UTF-8. The reader of YAML refuses U+0000, which stands for bytes that are not UTF-8. */
function decode(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return isUtf8(bytes) ? text : text.replaceAll('\uFFFD', '\0');
}

interface Options {
  /** Receives the absolute path of each file before it is read, even if it is missing. */
  readonly willRead?: ((path: string) => void) | undefined;
  /** The revision of git to read from, instead of the working tree. */
  readonly revision?: string;
}
