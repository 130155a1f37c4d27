import { formatLines } from '@adx/command/print-lines';
import type { Command } from 'commander';
import type { Context } from '../context.js';
import { customerId } from './customer-commands.js';
import { customerArgument, parseIban } from './options.js';
import { messageOf, showing } from './showing.js';

/** `adx accounts` (§4.9, §4.10). */
export function addAccountCommands(program: Command, context: Context): void {
  const accounts = program.command('accounts').summary('add and disable bank accounts');
  const add = accounts
    .command('add')
    .summary('add a bank account to a customer, and ask its contact to sign')
    .action(
      showing(
        context,
        async (client, _, customer, iban) =>
          client.customers.addBankAccount(await customerId(client, customer), iban),
        (account) => formatLines({ ...account }),
      ),
    );
  const disable = accounts
    .command('disable')
    .summary('disable a bank account of a customer, which closes its mandate')
    .action(
      showing(
        context,
        async (client, _, customer, iban) =>
          client.customers.disableBankAccount(await customerId(client, customer), iban),
        messageOf,
      ),
    );
  for (const command of [add, disable]) {
    command.addArgument(customerArgument()).argument('<iban>', 'IBAN of the account', parseIban);
  }
}
