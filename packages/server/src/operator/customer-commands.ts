import type { Command } from 'commander';
import { OperatorFailure } from '../api/operator-failure.js';
import { listCustomers, setConfidential } from '../customers/operator-customers.js';
import { parseId, parseSwitch } from './arguments.js';
import { requireFirm } from './firm-commands.js';
import type { OperatorContext } from './operator-context.js';
import { formatTable, type JsonOption, printResult } from './print-result.js';

/** `adx-server customer …`: customers of all firms, and what partners cannot set on them. */
export function addCustomerCommands(program: Command, context: OperatorContext): void {
  const customer = program.command('customer').description('customers of firms');

  customer
    .command('list')
    .description('list the customers that are not archived')
    .option('--firm <id>', 'those of one firm', parseId)
    .option('--json', 'print JSON')
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
    .description('show a customer to administrators only, or to everyone again')
    .argument('<customerId>', 'id of the customer', parseId)
    .argument('<on|off>', 'whether the customer is confidential', parseSwitch)
    .option('--json', 'print JSON')
    .action(async (id: string, isConfidential: boolean, options: JsonOption) => {
      const known = await context.withDatabase((knex) => setConfidential(knex, id, isConfidential));
      if (!known) throw new OperatorFailure(`There is no customer with the id ${id}.`);
      printResult(context, options, { id, isConfidential }, () =>
        isConfidential
          ? `Customer ${id} is confidential: administrators only.\n`
          : `Customer ${id} is not confidential.\n`,
      );
    });
}
