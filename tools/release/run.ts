import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

/** The reason why a release is refused or stops, for the person who asked for it. */
export class Refusal extends Error {}

/** A command that failed. */
export class CommandError extends Error {
  readonly stdout: string;

  constructor(message: string, stdout: string) {
    super(message);
    this.stdout = stdout;
  }
}

/**
 * @throws CommandError with the standard error, or the reason why the command could not be started
 */
export async function run(folder: string, command: string, ...args: string[]): Promise<string> {
  try {
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
    return (await promisify(execFile)(command, args, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & Record<string, string>;
    throw new CommandError(stderr.trim() || stdout.trim() || message, stdout);
  }
}

/** Shows the output of a command, and returns true if it succeeds. */
export async function show(folder: string, command: string, ...args: string[]): Promise<boolean> {
  const child = spawn(command, args, { cwd: folder, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code === 0;
}
