import type { Mandate, MandateStatus } from '@adx/client';
import { type Command, Option } from 'commander';
import { type Context, given, type JsonOption, printEvent, printResult } from '../context.js';
import { formatTable } from '../printable.js';
import { openClient } from '../settings/open-client.js';
import type { ProfileOption } from '../settings/settings.js';

interface SearchOptions extends JsonOption, ProfileOption {
  readonly customer?: string;
  readonly number?: string;
  readonly iban?: string;
  readonly product?: 'CODA' | 'CODB';
  readonly status?: MandateStatus;
  readonly active?: true;
}

/** `adx mandates` (§4.15, §4.16). */
export function addMandateCommands(program: Command, context: Context): void {
  const mandates = program.command('mandates').summary('list, watch and request mandates');
  addFilters(mandates.command('list'))
    .summary('list mandates, the latest first')
    .option('--active', 'also those that are active (finished)')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<SearchOptions>();
      const client = await openClient(context, options);
      const found: Mandate[] = [];
      const filters = { ...filtersOf(options), ...given({ includeFinished: options.active }) };
      for await (const mandate of client.mandates.search({ ...filters, limit: 200 })) {
        found.push(mandate);
      }
      printResult(context, options, found, () => mandateTable(found));
    });
  addFilters(mandates.command('watch'))
    .summary('print each change of a mandate, without end')
    .option('--since <instant>', 'the first change, such as 2026-03-02T08:00:00Z; by default now')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<SearchOptions & { since?: string }>();
      const client = await openClient(context, options);
      const since = options.since ?? new Date();
      for await (const mandate of client.mandates.changes({ ...filtersOf(options), since })) {
        printEvent(context, options, mandate, () => mandateLine(mandate));
      }
    });
  mandates
    .command('request')
    .summary('ask the contact again to sign a mandate')
    .argument('<id>', 'id of the mandate')
    .action(async (id: string, _, command: Command) => {
      const options = command.optsWithGlobals<JsonOption & ProfileOption>();
      const client = await openClient(context, options);
      const mandate = await client.mandates.request(id);
      printResult(context, options, mandate, () => mandateTable([mandate]));
    });
}

function addFilters(command: Command): Command {
  return command
    .option('--customer <id>', 'of this customer')
    .option('--number <number>', 'of the customer with this enterprise number')
    .option('--iban <iban>', 'of this bank account')
    .addOption(new Option('--product <product>', 'of this product').choices(['CODA', 'CODB']))
    .option('--status <status>', 'with this status');
}

function filtersOf({ customer, number, iban, product, status }: SearchOptions) {
  return given({ customerId: customer, enterpriseNumber: number, iban, product, status });
}

function subjectOf(mandate: Mandate): string {
  return mandate.product === 'CODA' ? mandate.iban : mandate.payrollProviderCode;
}

function mandateTable(mandates: readonly Mandate[]): string {
  return formatTable(
    ['ID', 'STATUS', 'PRODUCT', 'ACCOUNT', 'CUSTOMER', 'UPDATED'],
    mandates.map((each) => [
      ...[each.id, each.status, each.product, subjectOf(each), each.customerName, each.updatedOn],
    ]),
  );
}

function mandateLine(mandate: Mandate): string {
  const { updatedOn, id, status, customerName } = mandate;
  return `${updatedOn}  ${id}  ${status}  ${subjectOf(mandate)}  ${customerName}\n`;
}
