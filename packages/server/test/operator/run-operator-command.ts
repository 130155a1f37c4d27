import { createProcessContext } from '../../src/operator/operator-context.js';
import { runProgram } from '../../src/operator/program.js';
import type { CommandResult, Settings } from './adx-server.js';

/**
 * Runs `adx-server` within this process, which saves the seconds that a separate process needs to load
 * it. Not for `serve` and `worker`, which listen to signals.
 */
export async function runOperatorCommand(
  parameters: readonly string[],
  settings: Settings,
  standardInput = '',
): Promise<CommandResult> {
  let [stdout, stderr] = ['', ''];
  const context = createProcessContext({
    env: settings,
    stdin: (async function* () {
      yield standardInput;
    })(),
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
  });
  const exitCode = await runProgram(parameters, context);
  return { exitCode, stdout, stderr };
}
