import type { Bank, PayrollProvider } from '@adx/client';
import { formatTable } from '@adx/command/print-lines';
import type { Command } from 'commander';
import { type Context, type GlobalOptions, printResult } from '../context.js';
import { openClient } from '../settings/open-client.js';

/** `adx banks` and `adx payroll-providers` (§4.13, §4.14). */
export function addReferenceCommands(program: Command, context: Context): void {
  program
    .command('banks')
    .summary('list the Belgian banks, and whether they deliver statements')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const client = await openClient(context, options);
      const banks: Bank[] = [];
      for await (const bank of client.banks.list({ limit: 200 })) banks.push(bank);
      printResult(context, options, banks, () =>
        formatTable(
          ['BIC', 'CODA', 'NAME'],
          banks.map(({ bic, codaSupported, name }) => [bic, codaSupported ? 'yes' : 'no', name]),
        ),
      );
    });
  program
    .command('payroll-providers')
    .summary('list the codes of the payroll providers')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const client = await openClient(context, options);
      const providers: PayrollProvider[] = [];
      for await (const provider of client.payrollProviders.list({ limit: 200 })) {
        providers.push(provider);
      }
      printResult(context, options, providers, () =>
        formatTable(
          ['CODE', 'FRENCH', 'DUTCH'],
          providers.map(({ code, nameFr, nameNl }) => [code, nameFr, nameNl]),
        ),
      );
    });
}
