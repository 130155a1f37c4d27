import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.js';
import type { ServiceOptions } from '../service.js';
import { version } from '../version.js';
import { auditedCommand } from './audited-command.js';
import { addApiKeyCommands } from './commands/api-key-commands.js';
import { addAuditCommands } from './commands/audit-commands.js';
import { addBankCommands } from './commands/bank-commands.js';
import { addCustomerCommands } from './commands/customer-commands.js';
import { addDeliveryCommands } from './commands/delivery-commands.js';
import { addFileCommands } from './commands/file-commands.js';
import { addFirmCommands } from './commands/firm-commands.js';
import { addIngestCommand } from './commands/ingest-commands.js';
import { addMandateCommands } from './commands/mandate-commands.js';
import { addMissingCommands } from './commands/missing-commands.js';
import { addServiceCommands } from './commands/service-commands.js';
import { addUploadCommands } from './commands/upload-commands.js';
import { addUserCommands } from './commands/user-commands.js';
import { explain } from './explain.js';
import { createProcessContext, type OperatorContext, OperatorFailure } from './operator-context.js';

/**
 * Runs a command line and returns its exit code: 0, 1 if it failed, 2 if it or a setting is wrong
 * (D-33).
 */
export async function runProgram(
  parameters: readonly string[],
  context: OperatorContext,
): Promise<number> {
  try {
    await createProgram(context).parseAsync(parameters, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the error, or the help with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    context.printError(`error: ${explain(error)}\n`);
    if (error instanceof ConfigError) return 2;
    return error instanceof OperatorFailure ? error.exitCode : 1;
  }
}

/** 128 + SIGPIPE: the exit code of programs whose output nobody reads. */
const brokenPipe = 141;

/**
 * Runs a command line and sets the exit code of the process. A command whose output ends early, as
 * in `firm list | head -1`, completes its work without a message.
 *
 * @param options - for the service that `serve` starts
 */
export async function runProcess(
  parameters: readonly string[] = process.argv.slice(2),
  env: Readonly<Record<string, string | undefined>> = process.env,
  options: Pick<ServiceOptions, 'inFront'> = {},
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
    createProcessContext({ env, stdin, stdout, stderr, ...options }),
  );
  process.exitCode = exitCode || outputFailure;
}

/**
 * Runs `adx-server` within this process, to save the time that another one needs to load. It is not
 * for `serve` and `worker`, which listen to signals.
 */
export async function captureProgram(
  parameters: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  standardInput = '',
) {
  let [stdout, stderr] = ['', ''];
  const context = createProcessContext({
    env,
    stdin: (async function* () {
      yield standardInput;
    })(),
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
  });
  const exitCode = await runProgram(parameters, context);
  return { exitCode, stdout, stderr };
}

/** Creates the command line. Parsing wrong input throws a CommanderError. */
export function createProgram(context: OperatorContext): Command {
  const program = new Command('adx-server')
    .description('The Accounting Data Exchange service and its operator commands')
    .version(version, '-V, --version', 'print the version')
    // The subcommands inherit both.
    .configureOutput({
      writeOut: (text) => context.print(text),
      writeErr: (text) => context.printError(text),
    })
    .exitOverride()
    .hook('preAction', (_program, command) =>
      context.begin(auditedCommand(command), command.opts()['json'] === true),
    );
  addServiceCommands(program, context);
  addFileCommands(program, context);
  addFirmCommands(program, context);
  addUserCommands(program, context);
  addApiKeyCommands(program, context);
  addCustomerCommands(program, context);
  addBankCommands(program, context);
  addMandateCommands(program, context);
  addMissingCommands(program, context);
  addUploadCommands(program, context);
  addIngestCommand(program, context);
  addDeliveryCommands(program, context);
  addAuditCommands(program, context);
  const commands = program.commands.flatMap((each) =>
    each.commands.length > 0 ? each.commands : each,
  );
  for (const command of commands) {
    const printsResult = command.name() !== 'serve' && command.name() !== 'worker';
    if (printsResult) command.option('--json', 'print JSON');
  }
  return program;
}
