import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../..', import.meta.url));

export interface CommandSettings {
  /** The folder that it runs in, by default that of the repository. */
  readonly cwd?: string;
  /** Environment variables that it gets besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a command until it ends, and returns its standard output.
 *
 * @throws Error with all its output, or with the reason why it could not be started
 */
export function runCommand(
  command: string,
  parameters: readonly string[],
  { cwd = repository, env = {} }: CommandSettings = {},
): Promise<string> {
  const settings = {
    cwd,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, FORCE_COLOR: '0', ...env },
  };
  return new Promise((resolve, reject) => {
    execFile(command, parameters, settings, (error, stdout) => {
      // The message has the command, and standard error or the reason why it could not be started.
      if (error === null) resolve(stdout);
      else reject(new Error(`${error.message}\n${stdout}`));
    });
  });
}
