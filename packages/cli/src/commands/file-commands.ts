import type { MissingStatements, Product } from '@adx/client';
import { formatRecords } from '@adx/command/print-lines';
import type { Command } from 'commander';
import { type Context, type GlobalOptions, given } from '../context.js';
import { type ListedFile, listFiles, type ProductChoice } from '../folder/listed-files.js';
import { ibanOption, numberOption, productOption } from './options.js';
import { all, showing } from './showing.js';

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
    .action(
      showing(
        context,
        async (client, { product, number, acknowledged }: ListOptions) => {
          const filters = given({ redownload: acknowledged === true, enterpriseNumber: number });
          return (await listFiles(client, product, filters)).map(shownFile);
        },
        fileTable,
      ),
    );
  program
    .command('missing')
    .summary('list bank statements that should have come')
    .addOption(numberOption())
    .addOption(ibanOption())
    .action(
      showing(
        context,
        (client, { number, iban }: GlobalOptions & { number?: string; iban?: string }) => {
          const filters = given({ enterpriseNumber: number, iban });
          return all(client.codaFiles.missing({ ...filters, limit: 200 }));
        },
        missingTable,
      ),
    );
}

/** Returns a file without its URLs, which are secrets for 30 minutes. */
function shownFile({ product, enterpriseNumber, accountingRef, group, year, listed }: ListedFile) {
  const { urls: _, ...file } = listed;
  const account = accountOf[product](group);
  return { product, enterpriseNumber, accountingRef, ...account, year, ...file };
}

const accountOf: Readonly<
  Record<Product, (group: string) => { readonly iban?: string; readonly payrollProvider?: string }>
> = {
  CODA: (iban) => ({ iban }),
  CODB: (payrollProvider) => ({ payrollProvider }),
};

function fileTable(files: readonly ReturnType<typeof shownFile>[]): string {
  return formatRecords(files, (file) => ({
    ...{ ID: file.id, PRODUCT: file.product, CUSTOMER: file.enterpriseNumber },
    ACCOUNT: file.iban ?? file.payrollProvider,
    ...{ DATE: file.statementDate, FILE: file.fileName },
  }));
}

/** Returns the numbers that are missing, or the number after which something is. */
function numbersOf({ fromNumber, toNumber, afterNumber }: MissingStatements): string {
  if (fromNumber !== undefined) return `${fromNumber}-${toNumber}`;
  return afterNumber === undefined ? '' : `after ${afterNumber}`;
}

function missingTable(missing: readonly MissingStatements[]): string {
  return formatRecords(missing, (each) => ({
    ...{ CUSTOMER: each.enterpriseNumber, ACCOUNT: each.iban, KIND: each.kind },
    ...{ NUMBERS: numbersOf(each), AFTER: each.after, BEFORE: each.before },
    NAME: each.customerName,
  }));
}
