import type { Cell } from '@adx/command/print-lines';
import { type Command, Option } from 'commander';
import {
  listCustomers,
  listTransferred,
  setConfidential,
  type TransferredCustomer,
} from '../../customers/listed-customers.js';
import { transferCustomer } from '../../customers/transfer-customer.js';
import type { EnterpriseNumber } from '../../identifiers/enterprise-number.js';
import { operatorScope } from '../../identity/operator-scope.js';
import { createCustomerMandates } from '../../mandates/customer-mandates.js';
import { listUnsigned } from '../../mandates/unsigned-links.js';
import { parseId, parseName, parseNumber, parseSwitch } from '../arguments.js';
import { type ObjectOutcome, sameForAll } from '../audited-command.js';
import { type OperatorContext, OperatorFailure, requireFound } from '../operator-context.js';
import { addEraseCustomerCommand } from './firm-data-commands.js';

interface ListOptions {
  readonly number?: EnterpriseNumber;
  readonly archived?: true;
  readonly transferred?: true;
  readonly unsigned?: true;
}

export function addCustomerCommands(program: Command, context: OperatorContext): void {
  const customer = program.command('customer').description('customers of firms');

  customer
    .command('list')
    .description('list the customers that are not archived')
    .option('--firm <id>', 'only customers of this firm', parseId)
    .option('--number <number>', 'only the customer with this enterprise number', parseNumber)
    .option('--archived', 'list those that are archived instead')
    .addOption(
      new Option(
        '--transferred',
        'list those that were transferred to another firm instead',
      ).conflicts('archived'),
    )
    .addOption(
      new Option(
        '--unsigned',
        'list what UNSIGNED_LINKS_PER_FIRM counts: customers with new accounts or payroll providers that nobody signed for, also removed ones, and new customers without a signed one',
      ).conflicts(['archived', 'transferred']),
    )
    .action(({ number, archived, transferred, unsigned }: ListOptions) => {
      const filters = { enterpriseNumber: number };
      if (transferred) {
        return context.printList({
          read: (knex, scope) => listTransferred(knex, scope, filters),
          cells: (each) => ({
            ...cellsOf(each),
            'TRANSFERRED ON': each.transferredOn,
            'TO FIRM': each.transferredTo.firmId ?? 'erased',
            'NEW ID': each.transferredTo.id,
            'AGREED BY': agreementOf(each),
          }),
        });
      }
      if (unsigned) {
        const { unsignedLinks } = context.readConfig('command');
        return context.printList({
          read: (knex, scope) => listUnsigned(knex, scope, filters, unsignedLinks, new Date()),
          cells: (each) => ({
            ...cellsOf(each),
            'UNSIGNED LINKS': each.unsignedLinks,
            SINCE: each.unsignedSince,
            ARCHIVED: each.archivedOn,
          }),
        });
      }
      return context.printList({
        read: (knex, scope) => listCustomers(knex, scope, { ...filters, archived }),
        cells: (each) => ({
          ...cellsOf(each),
          CONFIDENTIAL: each.isConfidential ? 'yes' : '',
          ARCHIVED: each.archivedOn,
        }),
      });
    });

  customer
    .command('confidential')
    .description('show a customer to administrators only (on), or to all users again (off)')
    .argument('<customerId>', 'id of the customer', parseId)
    .argument('<on|off>', 'on makes the customer confidential', parseSwitch)
    .action(async (id: string, isConfidential: boolean) => {
      const known = await context.change((knex) =>
        setConfidential(knex, operatorScope(), id, isConfidential),
      );
      requireFound(known, 'customer', id);
      context.printResult(
        { id, isConfidential },
        isConfidential
          ? `Customer ${id} is confidential: only administrators see it.\n`
          : `Customer ${id} is not confidential.\n`,
      );
    });

  customer
    .command('transfer')
    .description(
      'transfer a customer with its accounts and payroll providers to another firm, which requests new mandates; files stay with the firm that received them',
    )
    .argument('<customerId>', 'id of the customer', parseId)
    .requiredOption('--to <firm>', 'id of the firm that gets the customer', parseId)
    .requiredOption(
      '--agreed-by <name>',
      'name of the person who agreed for the customer',
      parseName,
    )
    .action(async (id: string, options: { to: string; agreedBy: string }) => {
      const { to, agreedBy } = options;
      const transfer = { customerId: id, toFirmId: to, agreedBy };
      const transferred = await context.change(
        (knex) => transferCustomer(knex, operatorScope(), createCustomerMandates(), transfer),
        (result) => outcomesOf(id, result),
      );
      if (typeof transferred === 'string') throw new OperatorFailure(refusals[transferred](id, to));
      context.printResult(transferred, {
        id: transferred.id,
        firm: transferred.firmId,
        'enterprise number': transferred.enterpriseNumber,
        name: transferred.name,
        'transferred to': transferred.transferredTo.firmId ?? to,
        'new id': transferred.transferredTo.id,
        'transferred on': transferred.transferredOn,
        'agreed by': agreementOf(transferred),
      });
    });

  addEraseCustomerCommand(customer, context);
}

/** Returns the outcomes: each firm finds only its own customer in its audit trail. */
function outcomesOf(
  customerId: string,
  result: TransferredCustomer | Refusal,
): readonly ObjectOutcome[] {
  if (typeof result === 'string') return sameForAll([customerId], 'refused');
  return sameForAll([customerId, result.transferredTo.id], 'done');
}

type Refusal = Extract<Awaited<ReturnType<typeof transferCustomer>>, string>;

const refusals: Readonly<Record<Refusal, (customerId: string, firmId: string) => string>> = {
  noCustomer: (id) => `There is no customer with the id ${id}, or it is archived.`,
  noFirm: (_, firmId) => `There is no firm with the id ${firmId}.`,
  disabledFirm: (_, firmId) => `The firm ${firmId} is disabled: enable it first.`,
  sameFirm: (id, firmId) => `Customer ${id} belongs to firm ${firmId} already.`,
  elsewhere: (id) => `Customer ${id} was transferred to another firm already.`,
};

type ShownCustomer = Pick<TransferredCustomer, 'id' | 'firmId' | 'enterpriseNumber' | 'name'>;

function cellsOf(customer: ShownCustomer): Readonly<Record<string, Cell>> {
  return {
    ID: customer.id,
    FIRM: customer.firmId,
    'ENTERPRISE NUMBER': customer.enterpriseNumber,
    NAME: customer.name,
  };
}

function agreementOf({ agreedBy }: TransferredCustomer): string {
  return agreedBy ?? 'nobody: it gave way, unsigned';
}
