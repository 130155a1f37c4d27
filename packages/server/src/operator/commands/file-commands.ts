import { formatTable } from '@adx/command/print-lines';
import { escapeUnprintable } from '@adx/command/unprintable';
import type { Command } from 'commander';
import { listUnprinted, type ShownFile, showFile } from '../../files/unprinted-files.js';
import { operatorScope } from '../../identity/operator-scope.js';
import type { CheckedFiles, FileFault } from '../../uploads/check-files.js';
import { parseDay, parseId } from '../arguments.js';
import {
  type OperatorContext,
  OperatorFailure,
  requireFound,
  withUploads,
} from '../operator-context.js';
import { type JsonOption, printList, printResult } from '../print-result.js';

/** Adds `adx-server file …`, the commands for listed files and their PDFs (D-38). */
export function addFileCommands(program: Command, context: OperatorContext): void {
  const file = program.command('file').description('listed files and their PDFs');

  file
    .command('unprinted')
    .description('list the files that have no PDF yet or cannot be printed, at most 1000')
    .option('--firm <id>', 'only files of this firm', parseId)
    .action((options: JsonOption & { firm?: string }) =>
      printList(context, options, listUnprinted, formatFiles),
    );

  file
    .command('print')
    .description('print a file again, for example after a repair')
    .argument('<id>', 'id of the file', parseId)
    .action(async (id: string, options: JsonOption) => {
      const shown = await withUploads(context, async (parts) => {
        const find = async () =>
          requireFound(await showFile(parts.knex, operatorScope(), id), 'file', id);
        await find();
        const { createFilePrinter } = await import('../../files/print-files.js');
        const { createLogger } = await import('../../logger.js');
        await createFilePrinter({ ...parts, logger: createLogger('silent') }).printAgain(id);
        return find();
      });
      printResult(context, options, shown, () =>
        shown.pdf === 'present' ? `File ${id} has a new PDF.\n` : '',
      );
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
    .action(async (options: JsonOption & { since?: Date }) => {
      const outcome = await withUploads(context, async ({ knex, storage }) => {
        const { checkFiles } = await import('../../uploads/check-files.js');
        return checkFiles(knex, storage, options.since);
      });
      printResult(context, options, outcome, () => formatChecked(outcome));
      const { length } = outcome.faulty;
      if (length > 0) throw new OperatorFailure(`Faulty files and held deliveries: ${length}.`);
    });
}

const meanings: Readonly<Record<FileFault, string>> = {
  missing: 'the object is missing',
  unreadable: 'the storage does not return the object',
  changed: 'the object has other content',
  pdfMissing: 'the PDF is missing',
};

function formatChecked({ checked, faulty }: CheckedFiles): string {
  if (faulty.length === 0) return `${checked} files and held deliveries are complete.\n`;
  return formatTable(
    ['ID', 'KIND', 'OBJECT', 'FAULT'],
    faulty.map((each) => [
      each.id,
      each.kind === 'file' ? 'file' : 'held delivery',
      each.objectKey,
      meanings[each.fault],
    ]),
  );
}

function formatFiles(files: readonly ShownFile[]): string {
  return formatTable(
    ['ID', 'PROCESSED', 'FIRM', 'CUSTOMER', 'FILE', 'PDF', 'REASON'],
    files.map((each) => [
      each.id,
      each.processedOn.toISOString(),
      each.firmId,
      each.customerName,
      each.fileName,
      each.pdf,
      each.failure ?? '',
    ]),
  );
}
