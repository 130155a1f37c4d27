import { CommandError, Refusal, run, show } from './run.js';
import type { Tarball } from './tarball.js';

/** An npm registry. */
export class Registry {
  readonly #root: string;
  readonly url: string;

  /** @param root the folder of the repository, whose `.npmrc` counts */
  constructor(root: string, url: string) {
    this.#root = root;
    this.url = url;
  }

  /**
   * Returns the integrity of a published version (`sha512-…`); undefined if it is not published.
   *
   * @throws Refusal if the registry cannot be read
   */
  async integrityOf(name: string, version: string): Promise<string | undefined> {
    try {
      const what = [`${name}@${version}`, 'dist.integrity', '--json', '--fetch-retries=0'];
      const found = await run(this.#root, 'npm', 'view', ...what, ...this.#options());
      return found === '' ? undefined : JSON.parse(found);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      const { code, summary } = failureOf(error);
      if (code === 'E404') return undefined;
      throw new Refusal(`The registry ${this.url} cannot be read: ${summary}`);
    }
  }

  /**
   * Publishes a tarball. npm asks for a one-time password if the registry wants one.
   *
   * @param provenance true to sign a statement of its origin, which needs continuous integration
   *   that npm knows
   * @throws Refusal
   */
  async publish({ name, file }: Tarball, provenance: boolean): Promise<void> {
    const what = [file, ...(provenance ? ['--provenance'] : [])];
    if (await show(this.#root, 'npm', 'publish', ...what, ...this.#options())) return;
    throw new Refusal(
      `${name} cannot be published. Mend the reason and run the command again: it goes on from here.`,
    );
  }

  /** Returns options that also count for scopes with another registry in a `.npmrc`. */
  #options(): string[] {
    return [`--registry=${this.url}`, `--@adx:registry=${this.url}`, '--loglevel=error'];
  }
}

interface Failure {
  readonly code?: string;
  readonly summary: string;
}

function failureOf({ message, stdout }: CommandError): Failure {
  try {
    return JSON.parse(stdout).error;
  } catch {
    return { summary: message };
  }
}
