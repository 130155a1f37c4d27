import { diff } from './diff/diff-command.js';
import { systemReason } from './document/spec-files.js';
import { generate, type Output } from './generate.js';
import type { Libraries } from './libraries/libraries-thread.js';
import { type Options, parseOptions, UsageError, usage } from './options.js';
import { upgrade } from './upgrade.js';
import { watchFiles } from './watch.js';

interface CommandContext {
  /** Absolute path of the repository that this program belongs to. */
  readonly repository: string;
  /** Absolute path of the folder that relative paths start from. */
  readonly folder: string;
  readonly output: Output;
  readonly startLibraries: () => Libraries;
  /** Catches interrupts. After this call they end `--watch` instead of the process. */
  readonly catchInterrupts: () => AbortSignal;
}

/**
 * @returns the exit code: 0, 1 for findings, drift or a major change, 2 for a wrong command line
 */
export async function runCommand(
  args: readonly string[],
  { repository, folder, output, startLibraries, catchInterrupts }: CommandContext,
): Promise<number> {
  const options = parse(args, repository, folder, output);
  if (options === undefined) return 2;
  if (options.mode === 'diff') return diff(options, folder, output);
  if (options.mode === 'help') {
    output.say(usage);
    return 0;
  }
  if (options.mode === 'upgrade') return (await attempt(() => upgrade(options, output))) ? 0 : 1;

  const libraries = startLibraries();
  const run = (willRead?: (path: string) => void) =>
    attempt(() => generate(options, libraries, output, willRead));
  try {
    if (options.mode !== 'watch') return (await run()) ? 0 : 1;
    await watchFiles(catchInterrupts(), run);
    return 0;
  } finally {
    await libraries.stop();
  }

  /** Returns false after an error. One of the file system, such as a full disk, is no bug. */
  async function attempt(work: () => boolean | Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const reason = systemReason(error);
      const place = 'path' in error ? error.path : 'The output';
      const message = reason && `${place} cannot be read or written: ${reason}.`;
      output.complain(message ?? error.stack ?? error.message);
      return false;
    }
  }
}

function parse(
  args: readonly string[],
  repository: string,
  folder: string,
  { complain }: Output,
): Options | undefined {
  try {
    return parseOptions(args, repository, folder);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(`${error.message}\n\n${usage}`);
    return undefined;
  }
}
