import type { UploadRecord, UploadStatus } from '@adx/client';
import { Command, Option } from 'commander';
import { type Context, type GlobalOptions, given } from '../context.js';
import { type ProductName, productNames, products } from '../folder/listed-files.js';
import { parseId, sinceOption } from './options.js';
import { all, showing } from './showing.js';

interface ListOptions extends GlobalOptions {
  readonly product?: ProductName;
  readonly status?: UploadStatus;
  readonly since?: string;
}

/** The compiler finds a status that is missing here. */
const statuses: Readonly<Record<UploadStatus, true>> = {
  received: true,
  processed: true,
  rejected: true,
  failed: true,
};

/** `adx uploads` (D-31). */
export function addUploadCommands(program: Command, context: Context): void {
  const uploads = program.command('uploads').summary('list and show uploads with their findings');
  const list = uploads
    .command('list', { isDefault: true })
    .summary('list uploads, the latest first, each with up to ten findings')
    .addOption(new Option('--product <product>', 'of this product').choices(productNames))
    .addOption(new Option('--status <status>', 'with this status').choices(Object.keys(statuses)))
    .addOption(sinceOption('the first instant'))
    .action(
      showing(
        context,
        (client, { product, status, since: receivedSince }: ListOptions) => {
          const filters = given({ product: product && products[product], status, receivedSince });
          return all(client.uploads.list({ ...filters, limit: 200 }));
        },
        (found) => found.map(listedText).join('') || 'None.\n',
      ),
    );
  uploads.hook('preSubcommand', () => {
    const [word = '-'] = uploads.args;
    // A word that is no command would be an argument of the default command.
    if (!word.startsWith('-')) requireCommand(uploads, word);
  });
  uploads
    .command('show')
    .summary('show an upload with up to a thousand findings')
    .argument('<upload>', 'id of the upload', parseId)
    .action(showing(context, (client, _, id) => client.uploads.get(id), listedText));
  // Its help has the options of its default command. Commands that are added later inherit this.
  uploads.configureHelp({ visibleOptions: () => list.createHelp().visibleOptions(list) });
}

/** @throws CommanderError that names the nearest command if a group has none of this name */
function requireCommand(group: Command, word: string): void {
  const withoutDefault = new Command().copyInheritedSettings(group);
  for (const each of group.commands) withoutDefault.command(each.name());
  withoutDefault.parse([word], { from: 'user' });
}

function listedText(upload: UploadRecord): string {
  return uploadText(`${upload.receivedOn}  ${upload.id}  ${upload.key}`, upload);
}

/** Returns an upload as lines: its outcome, then its files and its findings. */
export function uploadText(name: string, upload: UploadRecord): string {
  const { status, files, fileCount, findings, findingCount } = upload;
  const omitted = findingCount - findings.length;
  return [
    `${name}: ${status}, new files: ${fileCount}\n`,
    ...files.map(({ fileName }) => `  ${fileName}\n`),
    ...findings.map(
      ({ severity, record, code, message }) =>
        `  ${severity}${record === undefined ? '' : ` in line ${record}`}: ${message} [${code}]\n`,
    ),
    ...(omitted > 0 ? [`  and ${omitted} more findings\n`] : []),
  ].join('');
}
