import type { Client } from '@adx/client';
import { formatLines } from '@adx/command/print-lines';
import type { Command } from 'commander';
import type { Context } from '../context.js';
import { customerId } from './customer-commands.js';
import { customerArgument, parseIban } from './options.js';
import { messageOf, showing } from './showing.js';

/** `adx accounts` (§4.9, §4.10). */
export function addAccountCommands(program: Command, context: Context): void {
  const accounts = program.command('accounts').summary('add and disable bank accounts');

  add(
    'add',
    'add a bank account to a customer, and ask its contact to sign',
    ({ customers }, id, iban) => customers.addBankAccount(id, iban),
    ({ iban, ...rest }) =>
      `${formatLines({ iban, ...rest })}\`adx mandates list --iban ${iban}\` says whether its contact is asked to sign.\n`,
  );
  add(
    'disable',
    'disable a bank account of a customer, which closes its mandate',
    ({ customers }, id, iban) => customers.disableBankAccount(id, iban),
    messageOf,
  );

  /** Adds a command that changes a bank account of a customer. */
  function add<Answer extends object>(
    name: string,
    summary: string,
    change: (client: Client, customerId: string, iban: string) => Promise<Answer>,
    textOf: (answer: Answer) => string,
  ): void {
    accounts
      .command(name)
      .summary(summary)
      .addArgument(customerArgument())
      .argument('<iban>', 'IBAN of the account', parseIban)
      .action(
        showing(
          context,
          async (client, _, customer, iban) =>
            change(client, await customerId(client, customer), iban),
          textOf,
        ),
      );
  }
}
