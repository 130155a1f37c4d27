import type { Command } from 'commander';
import type { EnterpriseNumber } from '../../../identifiers/enterprise-number.js';
import { parseId, parseName, parseNumber } from '../../arguments.js';
import { type OperatorContext, OperatorFailure, withUploads } from '../../operator-context.js';
import { formatLines, type JsonOption, printResult } from '../../print-result.js';

const keeps =
  'evidence of signatures is kept until its retention ends, and the audit trail has ids only';

/** Adds `adx-server customer erase` (D-63). */
export function addEraseCustomerCommand(customer: Command, context: OperatorContext): void {
  customer
    .command('erase')
    .description(`erase an archived customer with its files and mandates; ${keeps}`)
    .argument('<customerId>', 'id of the customer', parseId)
    .requiredOption(
      '--confirm <number>',
      'enterprise number of the customer, against mistakes',
      parseNumber,
    )
    .action(async (id: string, options: JsonOption & { confirm: EnterpriseNumber }) => {
      const { eraseCustomer } = await import('../../../erasure/erase-customer.js');
      const erased = await withUploads(context, (parts) =>
        eraseCustomer(parts, id, options.confirm),
      );
      if (typeof erased === 'string') throw new OperatorFailure(customerRefusals[erased](id));
      printResult(context, options, erased, () =>
        formatLines({
          id,
          firm: erased.firmId,
          'erased uploads that named it': erased.uploadIds.join(', ') || 'none',
          'mandates with kept evidence': erased.mandateIds.join(', ') || 'none',
        }),
      );
    });
}

const customerRefusals = {
  noCustomer: (id: string) => `There is no customer with the id ${id}.`,
  notArchived: (id: string) => `Customer ${id} is not archived. Its firm has to archive it first.`,
  otherNumber: (id: string) =>
    `The number after --confirm is not that of customer ${id}. Nothing was erased.`,
  uploadsWait: () =>
    'So many uploads wait to be read that some are not recorded yet. Repeat the command later.',
};

/** Adds `adx-server firm erase` (D-63). */
export function addEraseFirmCommand(firm: Command, context: OperatorContext): void {
  firm
    .command('erase')
    .description(`erase a disabled firm with its customers, users and files; ${keeps}`)
    .argument('<id>', 'id of the firm', parseId)
    .requiredOption('--confirm <name>', 'name of the firm, against mistakes', parseName)
    .action(async (id: string, options: JsonOption & { confirm: string }) => {
      const { eraseFirm } = await import('../../../erasure/erase-firm.js');
      const erased = await withUploads(context, (parts) => eraseFirm(parts, id, options.confirm));
      if (typeof erased === 'string') throw new OperatorFailure(firmRefusals[erased](id));
      if ('uploadsUntil' in erased) {
        const until = erased.uploadsUntil.toISOString();
        throw new OperatorFailure(
          `Upload credentials of firm ${id} are valid until ${until}. Erase it after that.`,
        );
      }
      printResult(context, options, erased, () =>
        formatLines({
          id,
          customers: String(erased.customers),
          'mandates with kept evidence': erased.mandateIds.join(', ') || 'none',
        }),
      );
    });
}

const firmRefusals = {
  noFirm: (id: string) => `There is no firm with the id ${id}.`,
  notDisabled: (id: string) => `Firm ${id} is not disabled. Disable it first.`,
  otherName: (id: string) =>
    `The name after --confirm is not that of firm ${id}. Nothing was erased.`,
};
