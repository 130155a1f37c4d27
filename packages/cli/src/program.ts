import { Command, CommanderError } from 'commander';
import { commandLineMessage } from './command-line-error.js';
import { addAccountCommands } from './commands/account-commands.js';
import { addCallCommand } from './commands/call-command.js';
import { addDoctorCommand, addHelloCommand } from './commands/check-commands.js';
import { addCompletionCommand } from './commands/completion-command.js';
import { addCustomerCommands } from './commands/customer-commands.js';
import { addFileCommands } from './commands/file-commands.js';
import { addLoginCommand, addLogoutCommand } from './commands/login-command.js';
import { addMandateCommands } from './commands/mandate-commands.js';
import { addPullCommand } from './commands/pull-command.js';
import { addPushCommand } from './commands/push-command.js';
import { addReferenceCommands } from './commands/reference-commands.js';
import { addUploadCommands } from './commands/upload-commands.js';
import { type Context, type GlobalOptions, report } from './context.js';
import { pageOf, reportOf, textOf } from './explain.js';
import { exitCodeOf, exitCodes, WrongUse } from './failure.js';
import { addHelp, documentationOf, homepage } from './help.js';
import { addressOf, variablesOf } from './settings/settings.js';
import { version } from './version.js';

/**
 * Runs a command line and returns its exit code (D-51). Messages go to the streams of the context.
 */
export async function runProgram(parameters: readonly string[], context: Context): Promise<number> {
  let help = '';
  const options = globalOptionsIn(parameters);
  const program = createProgram(context, await documentationIn(context, options), (text) => {
    help += text;
  });
  let command: Command | undefined;
  program.hook('preAction', (_, running) => {
    command = running;
  });
  try {
    await program.parseAsync(parameters, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      await reportError(context, options, error, command);
      return exitCodeOf(error);
    }
    if (error.exitCode === 0) return exitCodes.done;
    const isIncomplete = error.code === 'commander.help';
    if (isIncomplete && options.json !== true) report(context, help);
    else await reportError(context, options, new WrongUse(commandLineMessage(error)));
    return exitCodes.wrongUse;
  }
}

/** Returns the options of all commands: an error of the command line may stand before them. */
function globalOptionsIn(parameters: readonly string[]): GlobalOptions {
  const program = addGlobalOptions(new Command())
    .exitOverride()
    .configureOutput({ writeErr() {} });
  try {
    program.parseOptions([...parameters]);
  } catch {
    // It is reported when the whole command line is parsed.
  }
  return program.opts();
}

function addGlobalOptions(program: Command): Command {
  return program
    .option('--profile <name>', 'the profile to use, or ADX_PROFILE')
    .option('--json', 'print JSON');
}

/**
 * Writes an error to standard error, with the address of its page in the documentation of the
 * service.
 */
async function reportError(
  context: Context,
  options: GlobalOptions,
  error: unknown,
  command?: Command,
): Promise<void> {
  const page = pageOf(error);
  // `adx login` may have asked for it.
  const url = page && (command?.opts()['url'] ?? (await addressOf(context, options)));
  const env = variablesOf(context, options);
  const documentation = url && documentationOf(url) + page;
  const about = reportOf(error, env, command);
  if (options.json === true) {
    report(context, `${JSON.stringify({ ...about, documentation })}\n`);
  } else {
    const more = documentation === undefined ? '' : `       ${documentation}\n`;
    report(context, `error: ${textOf(about)}\n${more}`);
  }
}

/** Returns where the documentation is, for the help: that of the service, if it is known. */
async function documentationIn(context: Context, options: GlobalOptions): Promise<string> {
  // A mistake in the settings is told by the commands that need them.
  const address = await addressOf(context, options).catch(() => undefined);
  return address === undefined ? homepage : documentationOf(address);
}

/**
 * Creates the command line `adx`. Parsing wrong input throws a CommanderError.
 *
 * @param onError receives what commander would print about it: the error, or the help
 */
export function createProgram(
  context: Context,
  documentation: string = homepage,
  onError: (text: string) => void = () => {},
): Command {
  const program = addGlobalOptions(new Command('adx'))
    .description('The Accounting Data Exchange for partners')
    .version(version, '-V, --version', 'print the version')
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: onError,
    })
    .exitOverride();
  addLoginCommand(program, context);
  addLogoutCommand(program, context);
  addHelloCommand(program, context);
  addDoctorCommand(program, context);
  addCustomerCommands(program, context);
  addAccountCommands(program, context);
  addMandateCommands(program, context);
  addFileCommands(program, context);
  addPushCommand(program, context);
  addUploadCommands(program, context);
  addPullCommand(program, context);
  addReferenceCommands(program, context);
  addCallCommand(program, context);
  addCompletionCommand(program, context);
  addHelp(program, documentation);
  return program;
}
