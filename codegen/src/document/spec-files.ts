import { isUtf8 } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

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
      if (revision !== undefined) return this.#readFrom(revision, path);
      // Devices and pipes may never end.
      return statSync(path).isFile() ? decode(readFileSync(path)) : undefined;
    } catch {
      return undefined;
    }
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
    const shown = join(dirname(this.#shownSpec), relative(dirname(this.spec), path));
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
