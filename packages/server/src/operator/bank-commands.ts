import { type Command, InvalidArgumentError } from 'commander';
import { type Bic, formatBic, parseBic } from '../identifiers/bic.js';
import { createReferenceStore } from '../reference/reference-store.js';
import { type OperatorContext, OperatorFailure } from './operator-context.js';
import { formatTable, type JsonOption, printResult } from './print-result.js';

/** Adds `adx-server bank …`, the commands for banks and their light connectors. */
export function addBankCommands(program: Command, context: OperatorContext): void {
  const bank = program.command('bank').description('banks and their light connectors');

  bank
    .command('list')
    .description('list the banks')
    .action(async (options: JsonOption) => {
      const banks = await context.withDatabase((knex) => createReferenceStore(knex).allBanks());
      printResult(context, options, banks, () =>
        formatTable(
          ['BIC', 'NAME', 'CODA', 'CONNECTOR'],
          banks.map(({ bic, name, codaSupported, connectorId }) => [
            bic,
            name,
            codaSupported ? 'yes' : '',
            connectorId === undefined ? '' : String(connectorId),
          ]),
        ),
      );
    });

  bank
    .command('set')
    .description('set the light connector of a bank; existing mandates keep theirs')
    .argument('<bic>', 'BIC of the bank', parseTypedBic)
    .requiredOption('--connector <id>', 'id of the connector, or none to remove it', parseConnector)
    .action(async (bic: Bic, options: JsonOption & { connector: number | 'none' }) => {
      const connector = options.connector === 'none' ? null : options.connector;
      const known = await context.withDatabase((knex) =>
        createReferenceStore(knex).setConnector(bic, connector),
      );
      if (!known) throw new OperatorFailure(`There is no bank with the BIC ${formatBic(bic)}.`);
      printResult(
        context,
        options,
        { bic: formatBic(bic), connectorId: connector ?? undefined },
        () =>
          connector === null
            ? `${formatBic(bic)} has no light connector.\n`
            : `${formatBic(bic)} uses light connector ${connector}.\n`,
      );
    });
}

function parseTypedBic(text: string): Bic {
  const bic = parseBic(text.replaceAll(' ', '').toUpperCase());
  if (bic === undefined) throw new InvalidArgumentError('This is not a BIC.');
  return bic;
}

function parseConnector(text: string): number | 'none' {
  if (text === 'none') return text;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected a positive whole number or 'none'.");
}
