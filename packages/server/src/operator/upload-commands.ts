import { type Command, Option } from 'commander';
import type { Knex } from 'knex';
import { OperatorFailure } from '../api/operator-failure.js';
import type { UploadFinding } from '../uploads/documents/finding.js';
import {
  type ListedStatus,
  type ListedUpload,
  listUploads,
  showUpload,
  type UploadDetails,
  type UploadSource,
} from '../uploads/list-uploads.js';
import { operatorBucket } from '../uploads/upload-store.js';
import { parseId } from './arguments.js';
import { requireFirm } from './firm-commands.js';
import { type OperatorContext, withUploads } from './operator-context.js';
import { formatLines, formatTable, type JsonOption, printResult } from './print-result.js';

interface ListOptions extends JsonOption {
  readonly firm?: string;
  readonly status?: ListedStatus;
  readonly file?: string;
}

const statuses: readonly ListedStatus[] = ['received', 'failed', 'processed', 'rejected'];

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
async function find(knex: Knex, id: string): Promise<UploadDetails> {
  const found = await showUpload(knex, id);
  if (found === undefined) throw new OperatorFailure(`There is no upload with the id ${id}.`);
  return found;
}

function refuseUnlessRetryable({ id, status, bucket, key }: UploadDetails): void {
  if (status === 'processed') {
    throw new OperatorFailure(`Upload ${id} was processed: all its documents are listed or held.`);
  }
  if (bucket === operatorBucket) {
    throw new OperatorFailure(
      `Upload ${id} was delivered as ${printable(key)}: run \`adx-server ingest\` on that folder again.`,
    );
  }
}

/** Shown where there is no user: for `upload`, the object lies in a folder of no grant. */
const sources: Readonly<Record<UploadSource, string>> = {
  upload: 'unknown',
  bank: 'a bank',
  payrollProvider: 'a payroll provider',
};

/** Uploads as a table for people. */
function formatUploads(uploads: readonly ListedUpload[]): string {
  return formatTable(
    ['ID', 'RECEIVED', 'PRODUCT', 'STATUS', 'FILES', 'HELD', 'ERRORS', 'BY', 'NAME'],
    uploads.map((each) => [
      each.id,
      each.receivedOn.toISOString(),
      each.product,
      each.status,
      String(each.files),
      String(each.held),
      String(each.errors),
      printable(each.grant?.username ?? sources[each.source]),
      printable(each.key),
    ]),
  );
}

/** An upload for people: itself, its listed files, and its findings. */
function formatUpload(upload: UploadDetails): string {
  const { grant, settledOn, failedAttempts, lastError, held } = upload;
  const lines = formatLines({
    id: upload.id,
    upload: `${upload.bucket} ${printable(upload.key)}`,
    product: upload.product,
    status: upload.status,
    'brought by': printable(grant?.username ?? sources[upload.source]),
    ...(grant && {
      software: printable(`${grant.partner} (API key ${grant.apiKeyId})`),
      firm: grant.firmId,
    }),
    size: `${upload.size} bytes`,
    received: upload.receivedOn.toISOString(),
    ...(settledOn !== null && { settled: settledOn.toISOString() }),
    ...(held > 0 && { held: `${held} documents: run \`adx-server delivery list\`` }),
    ...(lastError !== null && { [`attempt ${failedAttempts}`]: printable(lastError) }),
  });
  const files = upload.listed.map(({ fileName, customerName, customerId }) => ({
    [`file ${fileName}`]: printable(`${customerName} (${customerId})`),
  }));
  const listed = files.length === 0 ? [] : [formatLines(Object.assign({}, ...files))];
  const findings = upload.findings.map((each) => `${formatFinding(each)}\n`).join('');
  return [lines, ...listed, ...(findings === '' ? [] : [findings])].join('\n');
}

/** A finding in one line, with its place. */
export function formatFinding({ severity, message, record, position }: UploadFinding): string {
  const line = record === undefined ? '' : `line ${record}`;
  const place = position === undefined ? line : `${line}, position ${position}`;
  return printable(`${severity}: ${place === '' ? '' : `${place}: `}${message}`);
}

/** Text from outside, with the characters replaced that control a terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}
