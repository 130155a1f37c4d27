import type { MissingStatements, Product } from '@adx/client';
import { formatTable } from '@adx/command/print-lines';
import type { Command } from 'commander';
import { type Context, type GlobalOptions, given, printResult } from '../context.js';
import { type ListedFile, listFiles, type ProductChoice } from '../folder/listed-files.js';
import { openClient } from '../settings/open-client.js';
import { ibanOption, numberOption, productOption } from './options.js';

interface ListOptions extends GlobalOptions {
  readonly product: ProductChoice;
  readonly acknowledged?: true;
  readonly number?: string;
}

/** `adx files` (§4.17, §4.18) and `adx missing` (D-30). */
export function addFileCommands(program: Command, context: Context): void {
  program
    .command('files')
    .summary('list files')
    .command('list')
    .summary('list the files that are not acknowledged')
    .addOption(productOption())
    .addOption(numberOption())
    .option('--acknowledged', 'also those that are acknowledged')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>();
      const client = await openClient(context, options);
      const { product, number, acknowledged = false } = options;
      const filters = given({ redownload: acknowledged, enterpriseNumber: number });
      const files = await listFiles(client, product, filters);
      printResult(context, options, files.map(shownFile), () => fileTable(files));
    });
  program
    .command('missing')
    .summary('list bank statements that should have come')
    .addOption(numberOption())
    .addOption(ibanOption())
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { number?: string; iban?: string }>();
      const client = await openClient(context, options);
      const { number, iban } = options;
      const filters = given({ enterpriseNumber: number, iban });
      const missing: MissingStatements[] = [];
      for await (const each of client.codaFiles.missing({ ...filters, limit: 200 })) {
        missing.push(each);
      }
      printResult(context, options, missing, () => missingTable(missing));
    });
}

/** Returns a file without its URLs, which are secrets for 30 minutes. */
function shownFile({ product, enterpriseNumber, accountingRef, group, year, listed }: ListedFile) {
  const { urls: _, ...file } = listed;
  const account = { [accountFields[product]]: group };
  return { product, enterpriseNumber, accountingRef, ...account, year, ...file };
}

const accountFields: Readonly<Record<Product, string>> = {
  CODA: 'iban',
  CODB: 'payrollProvider',
};

function fileTable(files: readonly ListedFile[]): string {
  return formatTable(
    ['ID', 'PRODUCT', 'CUSTOMER', 'ACCOUNT', 'DATE', 'FILE'],
    files.map(({ id, product, enterpriseNumber, group, fileName, listed }) => [
      ...[id, product, enterpriseNumber, group, listed.statementDate, fileName],
    ]),
  );
}

/** Returns the numbers that are missing, or the number after which something is. */
function numbersOf({ fromNumber, toNumber, afterNumber }: MissingStatements): string {
  if (fromNumber !== undefined) return `${fromNumber}-${toNumber}`;
  return afterNumber === undefined ? '' : `after ${afterNumber}`;
}

function missingTable(missing: readonly MissingStatements[]): string {
  return formatTable(
    ['CUSTOMER', 'ACCOUNT', 'KIND', 'NUMBERS', 'AFTER', 'BEFORE', 'NAME'],
    missing.map((each) => [
      ...[each.enterpriseNumber, each.iban, each.kind],
      ...[numbersOf(each), each.after, each.before, each.customerName],
    ]),
  );
}
