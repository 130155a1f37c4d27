import { Command } from 'commander';
import { addApiKeyCommands } from './api-key-commands.js';
import { addBankCommands } from './bank-commands.js';
import { addCustomerCommands } from './customer-commands.js';
import { addDeliveryCommands } from './delivery-commands.js';
import { addFirmCommands } from './firm-commands.js';
import { addIngestCommand } from './ingest-commands.js';
import { addMandateCommands } from './mandate-commands.js';
import { addMigrateCommand } from './migrate-command.js';
import type { OperatorContext } from './operator-context.js';
import { addServeCommand } from './serve-command.js';
import { addSigningKeyCommands } from './signing-key-commands.js';
import { addUploadCommands } from './upload-commands.js';
import { addUserCommands } from './user-commands.js';
import { addWorkerCommand } from './worker-command.js';

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
