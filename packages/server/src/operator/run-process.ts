import { createProcessContext } from './operator-context.js';
import { runProgram } from './program.js';

/** 128 + SIGPIPE: with this exit code other programs end when nothing reads their output. */
const brokenPipe = 141;

/**
 * Runs a command line, by default that of this process, and sets the exit code of the process. A
 * command whose output ends early, as in `firm list | head -1`, completes its work and ends without a
 * message.
 */
export async function runProcess(
  parameters: readonly string[] = process.argv.slice(2),
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<void> {
  let outputFailure = 0;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const isClosed = error.code === 'EPIPE';
    if (!isClosed && outputFailure === 0) {
      process.stderr.write(`error: The output cannot be written (${error.code}).\n`);
    }
    outputFailure = isClosed ? brokenPipe : 1;
    process.exitCode ||= outputFailure;
  });
  // There is nowhere to report it.
  process.stderr.on('error', () => {});
  const { stdin, stdout, stderr } = process;
  const exitCode = await runProgram(
    parameters,
    createProcessContext({ env, stdin, stdout, stderr }),
  );
  process.exitCode = exitCode || outputFailure;
}
