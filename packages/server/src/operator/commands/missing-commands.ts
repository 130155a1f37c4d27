import { type Command, Option } from 'commander';
import { listMissing, type ShownMissing } from '../../continuity/missing-store.js';
import { parseId } from '../arguments.js';
import type { OperatorContext } from '../operator-context.js';

interface ListOptions {
  readonly customer?: string;
  readonly kind?: ShownMissing['kind'];
}

const kinds: readonly ShownMissing['kind'][] = ['gap', 'balanceBreak', 'overdue'];

/** Adds `adx-server missing …`, the commands of statements that never came (D-30). */
export function addMissingCommands(program: Command, context: OperatorContext): void {
  program
    .command('missing')
    .description('bank statements that are missing')
    .command('list')
    .description('list what is missing, the most recently detected first, at most 1000')
    .option('--firm <id>', 'only that of this firm', parseId)
    .option('--customer <id>', 'only that of this customer', parseId)
    .addOption(new Option('--kind <kind>', 'only what is known in this way').choices(kinds))
    .action(({ customer, kind }: ListOptions) => {
      const filters = { ...(customer && { customerId: customer }), ...(kind && { kind }) };
      return context.printList({
        read: (knex, scope) => listMissing(knex, scope, filters, new Date()),
        cells: (each) => ({
          DETECTED: each.detectedOn,
          FIRM: each.firmId,
          CUSTOMER: each.customerName,
          ACCOUNT: `${each.iban} ${each.currency}`,
          KIND: each.kind,
          NUMBERS: numbersOf(each),
          AFTER: each.after,
          BEFORE: each.before,
        }),
      });
    });
}

function numbersOf({ fromNumber, toNumber, afterNumber }: ShownMissing): string {
  if (fromNumber !== undefined) return `${fromNumber}-${toNumber}`;
  return afterNumber === undefined ? '' : `after ${afterNumber}`;
}
