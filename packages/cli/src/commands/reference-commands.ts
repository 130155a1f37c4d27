import { formatRecords } from '@adx/command/print-lines';
import type { Command } from 'commander';
import type { Context } from '../context.js';
import { all, showing } from './showing.js';

/** `adx banks` and `adx payroll-providers` (§4.13, §4.14). */
export function addReferenceCommands(program: Command, context: Context): void {
  const banks = showing(
    context,
    (client) => all(client.banks.list({ limit: 200 })),
    (found) =>
      formatRecords(found, ({ bic, codaSupported, name }) => ({
        ...{ BIC: bic, CODA: codaSupported ? 'yes' : 'no', NAME: name },
      })),
  );
  program
    .command('banks')
    .summary('list the Belgian banks, and whether they deliver statements')
    .action(banks);
  const providers = showing(
    context,
    (client) => all(client.payrollProviders.list({ limit: 200 })),
    (found) =>
      formatRecords(found, ({ code, nameFr, nameNl }) => ({
        ...{ CODE: code, FRENCH: nameFr, DUTCH: nameNl },
      })),
  );
  program
    .command('payroll-providers')
    .summary('list the codes of the payroll providers')
    .action(providers);
}
