import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Reads the spec and the files around it. */
export class SpecFiles {
  /** Absolute path of the spec. */
  readonly spec: string;
  readonly #shownSpec: string;
  readonly #willRead: (path: string) => void;

  /**
   * @param shownSpec the path of the spec as messages show it
   * @param willRead receives the absolute path of each file before it is read, even if it is missing
   */
  constructor(spec: string, shownSpec: string, willRead: (path: string) => void = () => undefined) {
    this.spec = spec;
    this.#shownSpec = shownSpec;
    this.#willRead = willRead;
  }

  /** The text of a file, or undefined if it cannot be read. */
  read(path: string): string | undefined {
    this.#willRead(path);
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  }

  /** The path of a file as messages show it: like that of the spec. */
  shown(path: string): string {
    return join(dirname(this.#shownSpec), relative(dirname(this.spec), path));
  }

  /** The names of the files in the folder of a path. */
  namesBeside(path: string): string[] {
    try {
      const entries = readdirSync(dirname(path), { withFileTypes: true });
      return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    } catch {
      return [];
    }
  }
}
