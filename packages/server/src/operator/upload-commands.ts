import { type Command, Option } from 'commander';
import type { Knex } from 'knex';
import { OperatorFailure } from '../api/operator-failure.js';
import {
  listUploads,
  type SeenStatus,
  type ShownUpload,
  showUpload,
} from '../uploads/upload-directory.js';
import { operatorBucket } from '../uploads/upload-store.js';
import { parseId } from './arguments.js';
import { requireFirm } from './known-firm.js';
import type { OperatorContext } from './operator-context.js';
import { type JsonOption, printResult } from './print-result.js';
import { formatUpload, formatUploads, printable } from './upload-text.js';
import { withUploads } from './with-uploads.js';

interface ListOptions extends JsonOption {
  readonly firm?: string;
  readonly status?: SeenStatus;
  readonly file?: string;
}

const statuses: readonly SeenStatus[] = ['received', 'failed', 'processed', 'rejected'];

/** `adx-server upload …`: the files that came in, who brought them, and their outcome. */
export function addUploadCommands(program: Command, context: OperatorContext): void {
  const upload = program.command('upload').description('uploads of partners and files of `ingest`');

  upload
    .command('list')
    .description('list the latest uploads, at most 1000')
    .option('--firm <id>', 'those of one firm', parseId)
    .addOption(new Option('--status <status>', 'those in one status').choices(statuses))
    .option('--file <id>', 'the one that a listed file came in', parseId)
    .option('--json', 'print JSON')
    .action(async (options: ListOptions) => {
      const { firm, status, file } = options;
      const listed = await context.withDatabase(async (knex) => {
        await requireFirm(knex, firm);
        return listUploads(knex, {
          ...(firm !== undefined && { firmId: firm }),
          ...(status !== undefined && { status }),
          ...(file !== undefined && { fileId: file }),
        });
      });
      printResult(context, options, listed, () => formatUploads(listed));
    });

  upload
    .command('show')
    .description('show an upload with its owner, its listed files and its findings')
    .argument('<id>', 'id of the upload', parseId)
    .option('--json', 'print JSON')
    .action(async (id: string, options: JsonOption) => {
      const shown = await context.withDatabase((knex) => find(knex, id));
      printResult(context, options, shown, () => formatUpload(shown));
    });

  upload
    .command('retry')
    .description('read a rejected or failed upload again, as when its customer has been added')
    .argument('<id>', 'id of the upload', parseId)
    .option('--json', 'print JSON')
    .action(async (id: string, options: JsonOption) => {
      const shown = await withUploads(context, async (parts) => {
        refuseUnlessRetryable(await find(parts.knex, id));
        const { retryUpload } = await import('../uploads/read-upload.js');
        await retryUpload(parts, id);
        return find(parts.knex, id);
      });
      printResult(context, options, shown, () => formatUpload(shown));
      if (shown.status === 'rejected') {
        throw new OperatorFailure(`Upload ${id} is rejected again.`);
      }
    });
}

/** @throws OperatorFailure when there is none with the id */
async function find(knex: Knex, id: string): Promise<ShownUpload> {
  const found = await showUpload(knex, id);
  if (found === undefined) throw new OperatorFailure(`There is no upload with the id ${id}.`);
  return found;
}

function refuseUnlessRetryable({ id, status, bucket, key }: ShownUpload): void {
  if (status === 'processed') {
    throw new OperatorFailure(`Upload ${id} was processed: all its documents are listed or held.`);
  }
  if (bucket === operatorBucket) {
    throw new OperatorFailure(
      `Upload ${id} was delivered as ${printable(key)}: run \`adx-server ingest\` on that folder again.`,
    );
  }
}
