import { formatTable } from '@adx/command/print-lines';
import { type Command, Option } from 'commander';
import { listMissing, type ShownMissing } from '../../continuity/missing-store.js';
import { parseId } from '../arguments.js';
import type { OperatorContext } from '../operator-context.js';
import { type JsonOption, type List, printList } from '../print-result.js';

interface ListOptions extends JsonOption {
  readonly firm?: string;
  readonly customer?: string;
  readonly kind?: ShownMissing['kind'];
}

const kinds: readonly ShownMissing['kind'][] = ['gap', 'balanceBreak', 'overdue'];

/** Adds `adx-server missing …`, the commands for statements that never came (D-30). */
export function addMissingCommands(program: Command, context: OperatorContext): void {
  program
    .command('missing')
    .description('bank statements that are missing')
    .command('list')
    .description('list what is missing, the most recently detected first, at most 1000')
    .option('--firm <id>', 'only that of this firm', parseId)
    .option('--customer <id>', 'only that of this customer', parseId)
    .addOption(new Option('--kind <kind>', 'only what is known in this way').choices(kinds))
    .action((options: ListOptions) => {
      const { customer, kind } = options;
      const filters = { ...(customer && { customerId: customer }), ...(kind && { kind }) };
      const list: List<ShownMissing> = (knex, scope) =>
        listMissing(knex, scope, filters, new Date());
      return printList(context, options, list, formatMissing);
    });
}

/** Returns the numbers that are missing, or the number after which something is. */
function numbersOf({ fromNumber, toNumber, afterNumber }: ShownMissing): string {
  if (fromNumber !== undefined) return `${fromNumber}-${toNumber}`;
  return afterNumber === undefined ? '' : `after ${afterNumber}`;
}

function formatMissing(records: readonly ShownMissing[]): string {
  return formatTable(
    ['DETECTED', 'FIRM', 'CUSTOMER', 'ACCOUNT', 'KIND', 'NUMBERS', 'AFTER', 'BEFORE'],
    records.map((each) => [
      each.detectedOn,
      each.firmId,
      each.customerName,
      `${each.iban} ${each.currency}`,
      each.kind,
      numbersOf(each),
      each.after ?? '',
      each.before ?? '',
    ]),
  );
}
