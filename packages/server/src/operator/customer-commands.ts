import type { Command } from 'commander';
import { setConfidential } from '../customers/customer-confidentiality.js';
import { OperatorFailure } from '../operator-failure.js';
import { parseId, parseSwitch } from './arguments.js';
import type { OperatorContext } from './operator-context.js';
import { type JsonOption, printResult } from './print-result.js';

/** `adx-server customer …`: what partners cannot set on a customer. */
export function addCustomerCommands(program: Command, context: OperatorContext): void {
  const customer = program.command('customer').description('customers of firms');

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
