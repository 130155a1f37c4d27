import { Command, CommanderError } from 'commander';
import { OperatorFailure } from '../api/operator-failure.js';
import { ConfigError } from '../config.js';
import { isUnavailable } from '../db/unavailable.js';
import { addApiKeyCommands } from './api-key-commands.js';
import { addBankCommands } from './bank-commands.js';
import { addCustomerCommands } from './customer-commands.js';
import { addDeliveryCommands } from './delivery-commands.js';
import { addFirmCommands } from './firm-commands.js';
import { addIngestCommand } from './ingest-commands.js';
import { addMandateCommands } from './mandate-commands.js';
import type { OperatorContext } from './operator-context.js';
import {
  addMigrateCommand,
  addServeCommand,
  addSigningKeyCommands,
  addWorkerCommand,
} from './service-commands.js';
import { addUploadCommands } from './upload-commands.js';
import { addUserCommands } from './user-commands.js';

/**
 * Runs a command line to its end.
 *
 * @returns the exit code: 0 done, 1 could not be done, 2 the command line or a setting is wrong
 */
export async function runProgram(
  parameters: readonly string[],
  context: OperatorContext,
): Promise<number> {
  try {
    await createProgram(context).parseAsync(parameters, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has said itself what was wrong; having asked for help is not wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    context.printError(`error: ${explain(error)}\n`);
    return error instanceof ConfigError ? 2 : 1;
  }
}

/** SQLSTATEs of a wrong user, password or database name; PostgreSQL's text names no secret. */
const REFUSED_LOGIN = /^(28...|3D000)$/;

/** One sentence for a failure: never a stack trace, never the values of a query. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.errors.length > 0) return explain(error.errors[0]);
  const isOurs = error instanceof OperatorFailure || error instanceof ConfigError;
  if (isOurs) return error.message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return 'The port is taken: set PORT to another, or to 0 for a free one.';
  if (isUnavailable(error)) return `The database cannot be reached (${code ?? error.message}).`;
  if (code !== undefined && REFUSED_LOGIN.test(code)) {
    return `The database refused the connection: ${error.message}.`;
  }
  // An error of PostgreSQL: knex puts the whole query before its text.
  if ('severity' in error) return `The database refused the command (SQLSTATE ${code}).`;
  return error.message;
}

/** `adx-server`: the service and the operator's commands. Wrong input throws a CommanderError. */
export function createProgram(context: OperatorContext): Command {
  const program = new Command('adx-server')
    .description('The Accounting Data Exchange service and its operator commands')
    // The subcommands inherit both.
    .configureOutput({
      writeOut: (text) => context.print(text),
      writeErr: (text) => context.printError(text),
    })
    .exitOverride();
  addServeCommand(program, context);
  addWorkerCommand(program, context);
  addMigrateCommand(program, context);
  addFirmCommands(program, context);
  addUserCommands(program, context);
  addApiKeyCommands(program, context);
  addCustomerCommands(program, context);
  addBankCommands(program, context);
  addMandateCommands(program, context);
  addUploadCommands(program, context);
  addIngestCommand(program, context);
  addDeliveryCommands(program, context);
  addSigningKeyCommands(program, context);
  return program;
}
