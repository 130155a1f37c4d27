import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The output and exit code of a command. */
export interface CommandResult {
  readonly exitCode: number;
  /** Standard output and standard error, together. */
  readonly output: string;
}

/** Runs a command in the repository until it ends. A failure is a result, not an exception. */
export function runCommand(command: string, ...parameters: string[]): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      command,
      parameters,
      { cwd: repository, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, FORCE_COLOR: '0' } },
      (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ exitCode, output: `${stdout}${stderr}` });
      },
    );
  });
}
