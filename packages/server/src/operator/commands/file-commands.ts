import { formatRecords } from '@adx/command/print-lines';
import { escapeUnprintable } from '@adx/command/unprintable';
import type { Command } from 'commander';
import { listUnprinted, showFile } from '../../files/unprinted-files.js';
import { operatorScope } from '../../identity/operator-scope.js';
import type { FileFault } from '../../uploads/check-files.js';
import { parseDay, parseId } from '../arguments.js';
import { type OperatorContext, OperatorFailure, requireFound } from '../operator-context.js';

/** Adds `adx-server file …`, the commands of listed files and their PDFs (D-38). */
export function addFileCommands(program: Command, context: OperatorContext): void {
  const file = program.command('file').description('listed files and their PDFs');

  file
    .command('unprinted')
    .description('list the files that have no PDF yet or cannot be printed, at most 1000')
    .option('--firm <id>', 'only files of this firm', parseId)
    .action(() =>
      context.printList({
        read: listUnprinted,
        cells: (each) => ({
          ID: each.id,
          PROCESSED: each.processedOn,
          FIRM: each.firmId,
          CUSTOMER: each.customerName,
          FILE: each.fileName,
          PDF: each.pdf,
          REASON: each.failure,
        }),
      }),
    );

  file
    .command('print')
    .description('print a file again, for example after a repair')
    .argument('<id>', 'id of the file', parseId)
    .action(async (id: string) => {
      const shown = await context.withUploads(async (parts) => {
        const find = async () =>
          requireFound(await showFile(parts.knex, operatorScope(), id), 'file', id);
        await find();
        const { createFilePrinter } = await import('../../files/print-files.js');
        const { createLogger } = await import('../../logger.js');
        await createFilePrinter({ ...parts, logger: createLogger('silent') }).printAgain(id);
        return find();
      });
      context.printResult(shown, shown.pdf === 'present' ? `File ${id} has a new PDF.\n` : '');
      if (shown.failure !== null) {
        throw new OperatorFailure(
          `File ${id} cannot be printed: ${escapeUnprintable(shown.failure)}.`,
        );
      }
    });

  file
    .command('check')
    .description('compare all listed files and held deliveries with their objects')
    .option('--since <day>', 'only what was listed or held on this day or later', parseDay)
    .action(async (options: { since?: Date }) => {
      const { checked, faulty } = await context.withUploads(async ({ knex, storage }) => {
        const { checkFiles } = await import('../../uploads/check-files.js');
        return checkFiles(knex, storage, options.since);
      });
      context.printResult(
        { checked, faulty },
        faulty.length === 0
          ? `${checked} files and held deliveries are complete.\n`
          : formatRecords(faulty, (each) => ({
              ID: each.id,
              KIND: each.kind === 'file' ? 'file' : 'held delivery',
              OBJECT: each.objectKey,
              FAULT: meanings[each.fault],
            })),
      );
      if (faulty.length > 0) {
        throw new OperatorFailure(`Faulty files and held deliveries: ${faulty.length}.`);
      }
    });
}

const meanings: Readonly<Record<FileFault, string>> = {
  missing: 'the object is missing',
  unreadable: 'the storage does not return the object',
  changed: 'the object has other content',
  pdfMissing: 'the PDF is missing',
};
