import { type Command, InvalidArgumentError } from 'commander';
import { listSilentBanks } from '../../continuity/silent-banks.js';
import { type Bic, formatBic, parseBic } from '../../identifiers/bic.js';
import { createReferenceStore } from '../../reference/reference-store.js';
import { type OperatorContext, OperatorFailure } from '../operator-context.js';

export function addBankCommands(program: Command, context: OperatorContext): void {
  const bank = program.command('bank').description('banks and their light connectors');

  bank
    .command('list')
    .description('list the banks')
    .option(
      '--silent',
      'list those that should have delivered through their light connector by now, and did not',
    )
    .action((options: { silent?: true }) => {
      if (options.silent) {
        return context.printList({
          read: (knex) => listSilentBanks(knex, new Date()),
          cells: (each) => ({
            BIC: each.bic,
            NAME: each.name,
            CONNECTOR: each.connectorId,
            CONSENTS: each.consents,
            'LAST DELIVERY': each.lastDelivery ?? 'none',
            'USUALLY BY': each.usualTime,
          }),
        });
      }
      return context.printList({
        read: (knex) => createReferenceStore(knex).allBanks(),
        cells: (each) => ({
          BIC: each.bic,
          NAME: each.name,
          CODA: each.codaSupported ? 'yes' : '',
          CONNECTOR: each.connectorId,
        }),
      });
    });

  bank
    .command('show')
    .description('show a bank with its national bank codes and its light connector')
    .argument('<bic>', 'BIC of the bank', parseTypedBic)
    .action(async (bic: Bic) => {
      const shown = await context.withDatabase((knex) => createReferenceStore(knex).findBank(bic));
      if (shown === undefined) throw noBank(bic);
      context.printResult(shown, {
        BIC: shown.bic,
        name: shown.names.join(', '),
        'bank codes': shown.bankCodes.join(', ') || 'none',
        CODA: shown.codaSupported ? 'yes' : 'no',
        connector: shown.connectorId ?? 'none',
      });
    });

  bank
    .command('set')
    .description('set the light connector of a bank, for accounts that are linked from then on')
    .argument('<bic>', 'BIC of the bank', parseTypedBic)
    .requiredOption('--connector <id>', 'id of the connector; none removes it', parseConnector)
    .action(async (bic: Bic, options: { connector: number | 'none' }) => {
      const connector = options.connector === 'none' ? null : options.connector;
      const known = await context.change((knex) =>
        createReferenceStore(knex).setConnector(bic, connector),
      );
      if (!known) throw noBank(bic);
      context.printResult(
        { bic: formatBic(bic), connectorId: connector ?? undefined },
        connector === null
          ? `${formatBic(bic)} has no light connector.\n`
          : `${formatBic(bic)} uses light connector ${connector}.\n`,
      );
    });
}

function noBank(bic: Bic): OperatorFailure {
  return new OperatorFailure(`There is no bank with the BIC ${formatBic(bic)}.`);
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
