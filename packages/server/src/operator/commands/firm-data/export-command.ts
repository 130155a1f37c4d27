import { explainFileError } from '@adx/command/file-error';
import { formatLines } from '@adx/command/print-lines';
import type { Command } from 'commander';
import { parseId } from '../../arguments.js';
import { type OperatorContext, OperatorFailure, requireFirm } from '../../operator-context.js';

/** Adds `adx-server firm export` (D-63). */
export function addExportFirmCommand(firm: Command, context: OperatorContext): void {
  firm
    .command('export')
    .description('write all that a firm has to a new folder: its files, and JSON Lines')
    .argument('<id>', 'id of the firm', parseId)
    .requiredOption('--to <folder>', 'the folder, which must not exist yet')
    .action(async (id: string, options: { to: string }) => {
      const { exportFirm } = await import('../../../firm-export/export-firm.js');
      const exported = await context.withUploads(async (parts) => {
        const found = await requireFirm(parts.knex, id);
        return exportFirm(parts, found, options.to).catch((error: unknown) => {
          const reason = explainFileError(error);
          if (reason === undefined) throw error;
          throw new OperatorFailure(
            `The firm cannot be exported to ${options.to}: ${reason}. Repeat the command with a new folder.`,
            { cause: error },
          );
        });
      });
      const { files, records, missing } = exported;
      context.printResult({ ...exported, folder: options.to }, () =>
        formatLines({
          firm: id,
          folder: options.to,
          files,
          ...records,
        }),
      );
      if (missing.length > 0) {
        throw new OperatorFailure(
          `Objects are missing in the storage, so the export is not complete: ${missing.length}. See \`adx-server file check\`.`,
        );
      }
    });
}
