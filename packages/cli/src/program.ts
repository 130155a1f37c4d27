import { Command, CommanderError } from 'commander';
import { addDoctorCommand, addHelloCommand } from './commands/check-commands.js';
import { addCompletionCommand } from './commands/completion-command.js';
import { addCustomerCommands } from './commands/customer-commands.js';
import { addFileCommands } from './commands/file-commands.js';
import { addLoginCommand } from './commands/login-command.js';
import { addMandateCommands } from './commands/mandate-commands.js';
import { addPullCommand } from './commands/pull-command.js';
import { addPushCommand } from './commands/push-command.js';
import { type Context, type GlobalOptions, report } from './context.js';
import { explain, pageOf, reportOf } from './explain.js';
import { exitCodeOf, exitCodes } from './failure.js';
import { addressOf, variablesOf } from './settings/settings.js';
import { version } from './version.js';

/**
 * Runs a command line and returns its exit code (D-51). Messages go to the streams of the context.
 */
export async function runProgram(parameters: readonly string[], context: Context): Promise<number> {
  const program = createProgram(context);
  try {
    await program.parseAsync(parameters, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    // Commander has already printed the error, or the help with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.wrongUse;
    await reportError(context, program.opts(), error);
    return exitCodeOf(error);
  }
}

/**
 * Writes an error to standard error, with the address of its page in the documentation of the
 * service.
 */
async function reportError(
  context: Context,
  options: GlobalOptions,
  error: unknown,
): Promise<void> {
  const page = pageOf(error);
  const address = page === undefined ? undefined : await addressOf(context, options);
  const env = variablesOf(context, options);
  const documentation = address && `${address.replace(/v1$/, 'docs/')}${page}`;
  if (options.json === true) {
    report(context, `${JSON.stringify({ ...reportOf(error, env), documentation })}\n`);
  } else {
    const more = documentation === undefined ? '' : `       ${documentation}\n`;
    report(context, `error: ${explain(error, env)}\n${more}`);
  }
}

/** Creates the command line `adx`. Parsing wrong input throws a CommanderError. */
export function createProgram(context: Context): Command {
  const program = new Command('adx')
    .description('The Accounting Data Exchange for partners')
    .version(version, '-V, --version', 'print the version')
    .option('--profile <name>', 'the profile to use, or ADX_PROFILE')
    .option('--json', 'print JSON')
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => report(context, text),
    })
    .showHelpAfterError('(add --help for help)')
    .exitOverride();
  addLoginCommand(program, context);
  addHelloCommand(program, context);
  addDoctorCommand(program, context);
  addCustomerCommands(program, context);
  addMandateCommands(program, context);
  addFileCommands(program, context);
  addPushCommand(program, context);
  addPullCommand(program, context);
  addCompletionCommand(program, context);
  return program;
}
