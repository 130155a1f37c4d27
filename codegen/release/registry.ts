import { CommandError, Refusal, run } from './run.js';
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

  /** @throws Refusal if the registry does not answer */
  async ping(): Promise<void> {
    try {
      await this.#npm('ping', '--fetch-retries=0');
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      throw new Refusal(`The registry ${this.url} does not answer.\n${error.message}`);
    }
  }

  /** Returns the integrity of a published version (`sha512-…`); undefined if it is not published. */
  async integrityOf(name: string, version: string): Promise<string | undefined> {
    try {
      const found = await this.#npm('view', `${name}@${version}`, 'dist.integrity', '--json');
      return found === '' ? undefined : JSON.parse(found);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      if (/"code": "E404"/.test(error.stdout)) return undefined;
      throw new Refusal(`The registry ${this.url} cannot be read.\n${error.message}`);
    }
  }

  /**
   * Publishes a tarball.
   *
   * @param provenance whether to sign a statement of its origin, which needs continuous integration that npm knows
   * @throws Refusal
   */
  async publish({ name, file }: Tarball, provenance: boolean): Promise<void> {
    try {
      await this.#npm('publish', file, ...(provenance ? ['--provenance'] : []));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      throw new Refusal(
        `${name} cannot be published. Mend the reason and run the command again: it goes on from here.\n${error.message}`,
      );
    }
  }

  /** Runs npm with this registry, which also counts for scopes that have another one in a `.npmrc`. */
  #npm(...args: string[]): Promise<string> {
    const registries = [`--registry=${this.url}`, `--@adx:registry=${this.url}`];
    return run(this.#root, 'npm', ...args, ...registries, '--loglevel=error');
  }
}
