import type { Command } from 'commander';
import { listCustomers, setConfidential } from '../customers/operator-customers.js';
import { parseId, parseSwitch } from './arguments.js';
import { requireFirm } from './firm-commands.js';
import { type OperatorContext, requireFound } from './operator-context.js';
import { formatTable, type JsonOption, printResult } from './print-result.js';

/** Adds `adx-server customer …`, the commands for customers of all firms. */
export function addCustomerCommands(program: Command, context: OperatorContext): void {
  const customer = program.command('customer').description('customers of firms');

  customer
    .command('list')
    .description('list the customers that are not archived')
    .option('--firm <id>', 'only customers of this firm', parseId)
    .action(async (options: JsonOption & { firm?: string }) => {
      const customers = await context.withDatabase(async (knex) => {
        await requireFirm(knex, options.firm);
        return listCustomers(knex, options.firm);
      });
      printResult(context, options, customers, () =>
        formatTable(
          ['ID', 'FIRM', 'ENTERPRISE NUMBER', 'NAME', 'CONFIDENTIAL'],
          customers.map((each) => [
            each.id,
            each.firmId,
            each.enterpriseNumber,
            each.name,
            each.isConfidential ? 'yes' : '',
          ]),
        ),
      );
    });

  customer
    .command('confidential')
    .description('show a customer to administrators only (on), or to all users again (off)')
    .argument('<customerId>', 'id of the customer', parseId)
    .argument('<on|off>', 'on makes the customer confidential', parseSwitch)
    .action(async (id: string, isConfidential: boolean, options: JsonOption) => {
      const known = await context.withDatabase((knex) => setConfidential(knex, id, isConfidential));
      requireFound(known, 'customer', id);
      printResult(context, options, { id, isConfidential }, () =>
        isConfidential
          ? `Customer ${id} is confidential: only administrators see it.\n`
          : `Customer ${id} is not confidential.\n`,
      );
    });
}
