import type { Mandate, MandateStatus } from '@adx/client';
import { formatLines, formatRecords } from '@adx/command/print-lines';
import { type Command, Option } from 'commander';
import { type Context, type GlobalOptions, given, hint, printResult } from '../context.js';
import { type ProductName, productNames, products } from '../folder/listed-files.js';
import { openClient } from '../settings/open-client.js';
import { openFetch, watchClock } from '../settings/open-fetch.js';
import { ibanOption, numberOption, parseId, sinceOption } from './options.js';
import { all, showing } from './showing.js';

interface SearchOptions extends GlobalOptions {
  readonly customer?: string;
  readonly number?: string;
  readonly iban?: string;
  readonly product?: ProductName;
  readonly status?: MandateStatus;
  readonly active?: true;
}

/** `adx mandates` (§4.15, §4.16). */
export function addMandateCommands(program: Command, context: Context): void {
  const mandates = program.command('mandates').summary('list, show, watch and request mandates');
  addFilters(mandates.command('list'))
    .summary('list mandates, the latest first')
    .option(
      '--active',
      'also those that are active (finished), as with --customer, --number, --iban or --status finished',
    )
    .action(
      showing(
        context,
        (client, options: SearchOptions) => {
          const filters = { ...filtersOf(options), includeFinished: asksForActive(options) };
          return all(client.mandates.search({ ...filters, limit: 200 }));
        },
        (found, options) =>
          found.length > 0 || asksForActive(options) || options.status !== undefined
            ? mandateTable(found)
            : 'None. Those that are active (finished) are listed with --active.\n',
      ),
    );
  mandates
    .command('show')
    .summary('show a mandate')
    .argument('<id>', 'id of the mandate', parseId)
    .action(showing(context, (client, _, id) => client.mandates.get(id), mandateText));
  addFilters(mandates.command('watch'))
    .summary('print the latest status of each changed mandate, without end')
    .description(
      'Looks for changed mandates every minute, and prints the latest status of each, until Ctrl-C.',
    )
    .addOption(sinceOption('the first change, by default now'))
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<SearchOptions & { since?: string }>();
      const clock = watchClock(await openFetch(context.env));
      const client = await openClient(context, options, { fetch: clock.fetch });
      // The clock of the service counts: with one that is ahead, changes would be missed.
      if (options.since === undefined) await client.auth.hello();
      const since = options.since ?? clock.serviceTime() ?? new Date();
      hint(context, options, 'Looking for changes every minute. Ctrl-C ends it.');
      for await (const mandate of client.mandates.changes({ ...filtersOf(options), since })) {
        printResult(context, options, mandate, () => mandateLine(mandate), 0);
      }
    });
  mandates
    .command('request')
    .summary('ask the contact again to sign a mandate')
    .argument('<id>', 'id of the mandate', parseId)
    .action(
      showing(
        context,
        (client, _, id) => client.mandates.request(id),
        (mandate) => mandateTable([mandate]),
      ),
    );
}

/** The compiler finds a status that is missing here. */
const statuses: Readonly<Record<MandateStatus, true>> = {
  created: true,
  waitingForSigner: true,
  expired: true,
  rejectedBySigner: true,
  waitingForBank: true,
  confirmedByBank: true,
  rejectedByBank: true,
  unsupportedBank: true,
  waitingForPayrollProvider: true,
  rejectedByPayrollProvider: true,
  unsupportedPayrollProvider: true,
  finished: true,
  renewalRequired: true,
  error: true,
};

function addFilters(command: Command): Command {
  return command
    .option('--customer <id>', 'of this customer', parseId)
    .addOption(numberOption())
    .addOption(ibanOption())
    .addOption(new Option('--product <product>', 'of this product').choices(productNames))
    .addOption(new Option('--status <status>', 'with this status').choices(Object.keys(statuses)));
}

function asksForActive({ active, customer, number, iban, status }: SearchOptions): boolean {
  const isNarrow = [active, customer, number, iban].some((each) => each !== undefined);
  return isNarrow || status === 'finished';
}

function filtersOf({ customer, number, iban, product, status }: SearchOptions) {
  const filters = { customerId: customer, enterpriseNumber: number, iban, status };
  return given({ ...filters, product: product && products[product] });
}

function subjectOf(mandate: Mandate): string {
  return 'iban' in mandate ? mandate.iban : mandate.payrollProviderCode;
}

function mandateTable(mandates: readonly Mandate[]): string {
  return formatRecords(mandates, (each) => ({
    ...{ ID: each.id, STATUS: each.status, PRODUCT: each.product, ACCOUNT: subjectOf(each) },
    ...{ CUSTOMER: each.customerName, UPDATED: each.updatedOn },
  }));
}

function mandateText(mandate: Mandate): string {
  return formatLines({
    id: mandate.id,
    status: mandate.status,
    product: mandate.product,
    account: subjectOf(mandate),
    customer: mandate.customerName,
    number: mandate.enterpriseNumber,
    ...('validUntil' in mandate && { until: mandate.validUntil, renewal: mandate.renewal }),
    error: mandate.error && `${mandate.error.message} [${mandate.error.code}]`,
    created: mandate.createdOn,
    updated: mandate.updatedOn,
  });
}

function mandateLine(mandate: Mandate): string {
  const { updatedOn, id, status, customerName } = mandate;
  return `${updatedOn}  ${id}  ${status}  ${subjectOf(mandate)}  ${customerName}\n`;
}
