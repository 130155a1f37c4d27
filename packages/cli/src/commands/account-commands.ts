import { formatLines } from '@adx/command/print-lines';
import { Argument, type Command } from 'commander';
import { type Context, type GlobalOptions, printResult } from '../context.js';
import { openClient } from '../settings/open-client.js';
import { customerId } from './customer-commands.js';
import { customerArgument, parseIban } from './options.js';

const ibanArgument = () => new Argument('<iban>', 'IBAN of the account').argParser(parseIban);

/** `adx accounts` (§4.9, §4.10). */
export function addAccountCommands(program: Command, context: Context): void {
  const accounts = program.command('accounts').summary('add and disable bank accounts');
  accounts
    .command('add')
    .summary('add a bank account to a customer, and ask its contact to sign')
    .addArgument(customerArgument())
    .addArgument(ibanArgument())
    .action(async (customer: string, iban: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const client = await openClient(context, options);
      const id = await customerId(client, customer);
      const account = await client.customers.addBankAccount(id, iban);
      printResult(context, options, account, () => formatLines({ ...account }));
    });
  accounts
    .command('disable')
    .summary('disable a bank account of a customer, which closes its mandate')
    .addArgument(customerArgument())
    .addArgument(ibanArgument())
    .action(async (customer: string, iban: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const client = await openClient(context, options);
      const id = await customerId(client, customer);
      const confirmation = await client.customers.disableBankAccount(id, iban);
      printResult(context, options, confirmation, () => `${confirmation.message}\n`);
    });
}
