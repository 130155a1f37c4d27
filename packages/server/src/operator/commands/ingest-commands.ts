import { createProgressBar } from '@adx/command/progress-bar';
import { escapeUnprintable } from '@adx/command/unprintable';
import type { Command } from 'commander';
import type { Knex } from 'knex';
import type { DeliveryFolder } from '../../uploads/deliveries/delivery-folder.js';
import type { FileOutcome } from '../../uploads/deliveries/ingest-folder.js';
import type { Sender } from '../../uploads/deliveries/sender.js';
import { fileFailure, type OperatorContext, OperatorFailure } from '../operator-context.js';
import { formatFinding } from './upload-commands.js';

/** The number of errors shown for a file that is not moved; `--json` has up to 1000 findings. */
const maxFindings = 10;

export function addIngestCommand(program: Command, context: OperatorContext): void {
  program
    .command('ingest')
    .description('read the CODA and CODB files that banks and payroll providers deliver')
    .argument(
      '<folder>',
      'folder of the files; those whose documents are all listed or held are moved to done/ in it',
    )
    .requiredOption(
      '--from <sender>',
      'BIC of the bank, or code of the payroll provider, that delivered all of them',
    )
    .action(async (path: string, options: { from: string; json?: true }) => {
      const files = await context.withUploads(async (parts) => {
        const { ingestFile } = await import('../../uploads/deliveries/ingest-folder.js');
        const sender = await requireSender(parts.knex, options.from);
        const [folder, names] = await openFolder(path);
        const ingested: FileOutcome[] = [];
        const bar = createProgressBar(context.stderr);
        try {
          for (const [index, name] of names.entries()) {
            bar.show(index, names.length, formatCounts(ingested));
            const file = await ingestFile(parts, sender, folder, name);
            ingested.push(file);
            if (options.json) continue;
            bar.clear();
            context.print(formatFile(file, `${index + 1}/${names.length}`));
          }
        } finally {
          bar.clear();
          await folder.close();
        }
        return ingested;
      });
      context.printResult(files, files.length === 0 ? 'None.\n' : '');
      const left = files.filter(({ isDone }) => !isDone).length;
      if (left > 0) {
        throw new OperatorFailure(
          `${left} of ${files.length} files ${left === 1 ? 'remains' : 'remain'} in ${path}.`,
        );
      }
    });
}

async function requireSender(knex: Knex, from: string): Promise<Sender> {
  const { findProviders, findSender } = await import('../../uploads/deliveries/sender.js');
  const sender = await findSender(knex, from);
  if (sender !== undefined) return sender;
  const codes = (await findProviders(knex)).map(({ code }) => code).join(', ');
  throw new OperatorFailure(
    `The sender '${from}' is unknown: give the BIC of a bank, from \`adx-server bank list\`, or the code of a payroll provider: ${codes}.`,
    { exitCode: 2 },
  );
}

async function openFolder(path: string): Promise<[DeliveryFolder, readonly Buffer[]]> {
  const { filesToIngest, openDeliveryFolder } = await import(
    '../../uploads/deliveries/delivery-folder.js'
  );
  const refuse = fileFailure((reason) => `The folder ${path} cannot be read: ${reason}.`);
  const folder = await openDeliveryFolder(path).catch(refuse);
  try {
    return [folder, await filesToIngest(folder)];
  } catch (error) {
    await folder.close();
    return refuse(error);
  }
}

function formatCounts(files: readonly FileOutcome[]): string {
  const listed = files.reduce((sum, file) => sum + file.listed, 0);
  const left = files.filter(({ isDone }) => !isDone).length;
  return `${listed} listed${left === 0 ? '' : `, ${left} not moved`}`;
}

function formatFile(file: FileOutcome, place: string): string {
  const { name, isDone, listed, repeated, held, findings } = file;
  const counts = [
    `${listed} listed`,
    ...(repeated > 0 ? [`${repeated} already received`] : []),
    ...(held > 0 ? [`${held} held`] : []),
  ].join(', ');
  const reasons = findings.filter(({ severity }) => !isDone && severity === 'error');
  const shown = reasons.slice(0, maxFindings).map((each) => `  ${formatFinding(each)}\n`);
  const further = reasons.length - shown.length;
  const rest = further > 0 ? [`  and ${further} more ${further === 1 ? 'error' : 'errors'}\n`] : [];
  return [
    `${place}  ${escapeUnprintable(name)}: ${counts}${isDone ? '' : ', not moved'}\n`,
    ...shown,
    ...rest,
  ].join('');
}
