import type { Command } from 'commander';
import type { UnreadUploads } from '../../erasure/erase-customer.js';
import type { ErasureDependencies } from '../../erasure/erase-uploads.js';
import type { EnterpriseNumber } from '../../identifiers/enterprise-number.js';
import { parseId, parseName, parseNumber } from '../arguments.js';
import { explain } from '../explain.js';
import {
  fileFailure,
  type OperatorContext,
  OperatorFailure,
  requireFirm,
} from '../operator-context.js';

const keeps =
  'evidence of signatures is kept until its retention ends, and the audit trail has ids only';

interface EraseCustomerOptions {
  readonly confirm: EnterpriseNumber;
  readonly withUnread?: boolean;
}

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
    .option('--with-unread', 'also erase uploads that name it and are not read yet')
    .action((id: string, options: EraseCustomerOptions) =>
      context.withUploads(async (parts) => {
        const { eraseCustomer } = await import('../../erasure/erase-customer.js');
        const erased = await eraseCustomer(parts, id, options.confirm, options);
        if (typeof erased === 'string') throw new OperatorFailure(customerRefusals[erased](id));
        if ('unreadIds' in erased) throw new OperatorFailure(explainUnread(erased));
        context.printResult(erased, {
          id,
          firm: erased.firmId,
          'erased uploads that named it': erased.uploadIds.join(', ') || 'none',
          'mandates with kept evidence': erased.mandateIds.join(', ') || 'none',
        });
        await removeObjects(parts, `Customer ${id}`);
      }),
    );
}

const customerRefusals = {
  noCustomer: (id: string) => `There is no customer with the id ${id}.`,
  notArchived: (id: string) => `Customer ${id} is not archived. Its firm has to archive it first.`,
  otherNumber: (id: string) =>
    `The number after --confirm is not that of customer ${id}. Nothing was erased.`,
};

const NAMED_UPLOADS = 10;

function explainUnread({ unreadIds, uploadIds }: UnreadUploads): string {
  const others = unreadIds.length - NAMED_UPLOADS;
  const named = unreadIds.slice(0, NAMED_UPLOADS).join(', ');
  const sentences = [
    `Uploads that name the customer are not read yet: ${named}${others > 0 ? ` and ${others} more` : ''}.`,
    'The customer is not erased.',
    uploadIds.length > 0 && `Its files are, and uploads that named it: ${uploadIds.join(', ')}.`,
    'Repeat the command when workers have read them; if they never will, use `adx-server upload retry` or `firm enable`.',
    'With --with-unread they are erased too, also the statements of other customers in them.',
  ];
  return sentences.filter((sentence) => sentence !== false).join(' ');
}

async function removeObjects(parts: ErasureDependencies, what: string): Promise<void> {
  const { removeDueObjects } = await import('../../files/object-removals.js');
  const failures: string[] = [];
  try {
    for (let isLeft = true; isLeft; ) {
      const removed = await removeDueObjects(parts, parts.now());
      isLeft = removed.isLeft;
      if (removed.refusal) failures.push(`${removed.refusal.message}: ${explain(removed.refusal)}`);
    }
  } catch (error) {
    failures.push(explain(error));
  }
  if (failures.length === 0) return;
  throw new OperatorFailure(
    `${what} is erased, but not all objects whose removal is due are removed yet. Workers try again every hour. ${failures.join(' ')}`,
  );
}

/** Adds `adx-server firm erase` (D-63). */
export function addEraseFirmCommand(firm: Command, context: OperatorContext): void {
  firm
    .command('erase')
    .description(`erase a disabled firm with its customers, users and files; ${keeps}`)
    .argument('<id>', 'id of the firm', parseId)
    .requiredOption('--confirm <name>', 'name of the firm, against mistakes', parseName)
    .action((id: string, options: { confirm: string }) =>
      context.withUploads(async (parts) => {
        const { eraseFirm } = await import('../../erasure/erase-firm.js');
        const erased = await eraseFirm(parts, id, options.confirm);
        if (typeof erased === 'string') throw new OperatorFailure(firmRefusals[erased](id));
        if ('uploadsUntil' in erased) {
          const until = erased.uploadsUntil.toISOString();
          throw new OperatorFailure(
            `Upload credentials of firm ${id} are valid until ${until}. Erase it after that.`,
          );
        }
        context.printResult(erased, {
          id,
          customers: erased.customers,
          'mandates with kept evidence': erased.mandateIds.join(', ') || 'none',
        });
        await removeObjects(parts, `Firm ${id}`);
      }),
    );
}

const firmRefusals = {
  noFirm: (id: string) => `There is no firm with the id ${id}.`,
  notDisabled: (id: string) => `Firm ${id} is not disabled. Disable it first.`,
  otherName: (id: string) =>
    `The name after --confirm is not that of firm ${id}. Nothing was erased.`,
};

/** Adds `adx-server firm export` (D-63). */
export function addExportFirmCommand(firm: Command, context: OperatorContext): void {
  firm
    .command('export')
    .description('write all that a firm has to a new folder: its files, and JSON Lines')
    .argument('<id>', 'id of the firm', parseId)
    .requiredOption('--to <folder>', 'the folder, which must not exist yet')
    .action(async (id: string, options: { to: string }) => {
      const { exportFirm } = await import('../../firm-export/export-firm.js');
      const exported = await context.withUploads(async (parts) => {
        const found = await requireFirm(parts.knex, id);
        return exportFirm(parts, found, options.to).catch(
          fileFailure(
            (reason) =>
              `The firm cannot be exported to ${options.to}: ${reason}. Repeat the command with a new folder.`,
          ),
        );
      });
      const { files, records, missing } = exported;
      context.printResult(
        { ...exported, folder: options.to },
        { firm: id, folder: options.to, files, ...records },
      );
      if (missing.length > 0) {
        throw new OperatorFailure(
          `Objects are missing in the storage, so the export is not complete: ${missing.length}. See \`adx-server file check\`.`,
        );
      }
    });
}
