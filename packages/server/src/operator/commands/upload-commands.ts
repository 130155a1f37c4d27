import { formatLines } from '@adx/command/print-lines';
import { escapeUnprintable } from '@adx/command/unprintable';
import type { Product } from '@adx/contract';
import { codaFindings, codbFindings } from '@adx/statements';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { products } from '../../files/document.js';
import { operatorScope } from '../../identity/operator-scope.js';
import { type UploadFinding, uploadFindings } from '../../uploads/documents/finding.js';
import {
  listUploads,
  showUpload,
  type UploadDetails,
  type UploadSource,
} from '../../uploads/listed-uploads.js';
import { operatorBucket, type UploadStatus } from '../../uploads/upload-store.js';
import { parseDay, parseId } from '../arguments.js';
import { type OperatorContext, OperatorFailure, requireFound } from '../operator-context.js';

interface ListOptions {
  readonly status?: UploadStatus;
  readonly file?: string;
  readonly product?: Product;
  readonly code?: string;
  readonly since?: Date;
}

const statuses: readonly UploadStatus[] = ['received', 'failed', 'processed', 'rejected'];

export function addUploadCommands(program: Command, context: OperatorContext): void {
  const upload = program
    .command('upload')
    .description('uploads of partners and files read by `ingest`');

  upload
    .command('list')
    .description('list the latest uploads, at most 1000')
    .option('--firm <id>', 'only uploads of this firm', parseId)
    .addOption(new Option('--status <status>', 'only uploads in this status').choices(statuses))
    .option('--file <id>', 'only the upload that contained this listed file', parseId)
    .addOption(new Option('--product <product>', 'only uploads of this product').choices(products))
    .option('--code <code>', 'only uploads with a finding of this code', parseFindingCode)
    .option('--since <day>', 'only uploads received on this day or later, in Belgium', parseDay)
    .action(({ file: fileId, ...others }: ListOptions) => {
      const filters = { ...others, fileId };
      return context.printList({
        read: (knex, scope) => listUploads(knex, scope, filters),
        cells: (each) => ({
          ID: each.id,
          RECEIVED: each.receivedOn,
          PRODUCT: each.product,
          STATUS: each.status,
          FILES: each.files,
          HELD: each.held,
          ERRORS: each.errors,
          CODES: each.codes.join(', '),
          BY: each.grant?.username ?? each.sender ?? sources[each.source],
          NAME: each.key,
        }),
      });
    });

  upload
    .command('show')
    .description('show an upload with its owner, its listed files and its findings')
    .argument('<id>', 'id of the upload', parseId)
    .action(async (id: string) => {
      const shown = await context.withDatabase(async (knex) =>
        requireFound(await showUpload(knex, operatorScope(), id), 'upload', id),
      );
      context.printResult(shown, formatUpload(shown));
    });

  upload
    .command('retry')
    .description('read a rejected or failed upload again, for example after its customer was added')
    .argument('<id>', 'id of the upload', parseId)
    .action(async (id: string) => {
      const shown = await context.withUploads(async (parts) => {
        const find = async () =>
          requireFound(await showUpload(parts.knex, operatorScope(), id), 'upload', id);
        refuseUnlessRetryable(await find());
        const { retryUpload } = await import('../../uploads/reading/read-job.js');
        await retryUpload(parts, id);
        return find();
      });
      context.printResult(shown, formatUpload(shown));
      if (shown.status === 'rejected') {
        throw new OperatorFailure(`Upload ${id} is rejected again.`);
      }
    });
}

function parseFindingCode(text: string): string {
  const known = [uploadFindings, codaFindings, codbFindings].some((codes) =>
    Object.hasOwn(codes, text),
  );
  if (known) return text;
  throw new InvalidArgumentError(
    `There is no finding with the code '${text}'. 'upload list' shows those of errors, such as unknownAccount.`,
  );
}

function refuseUnlessRetryable(upload: UploadDetails): void {
  const { id, status, bucket, key, copyRemovedOn } = upload;
  if (status === 'processed') {
    throw new OperatorFailure(`Upload ${id} was processed: all its documents are listed or held.`);
  }
  if (copyRemovedOn !== null) {
    throw new OperatorFailure(
      `The copy of upload ${id} was deleted on ${copyRemovedOn.toISOString()}: the file has to be uploaded again.`,
    );
  }
  if (bucket === operatorBucket) {
    throw new OperatorFailure(
      `Upload ${id} is the file ${escapeUnprintable(key)} of a folder: run \`adx-server ingest\` on that folder again.`,
    );
  }
}

/** The source, shown if there is no user; `upload`: the object is not in the folder of a grant. */
const sources: Readonly<Record<UploadSource, string>> = {
  upload: 'unknown',
  bank: 'a bank',
  payrollProvider: 'a payroll provider',
};

function formatUpload(upload: UploadDetails): string {
  const { grant, settledOn, copyRemovedOn, failedAttempts, lastError, held, status } = upload;
  const attempt = status === 'failed' ? 'given up' : `attempt ${failedAttempts}`;
  const lines = formatLines({
    id: upload.id,
    upload: `${upload.bucket} ${upload.key}`,
    product: upload.product,
    status: upload.status,
    [upload.source === 'upload' ? 'uploaded by' : 'delivered by']:
      grant?.username ?? upload.sender ?? sources[upload.source],
    software: grant && `${grant.partner} (API key ${grant.apiKeyId})`,
    firm: grant?.firmId,
    size: `${upload.size} bytes`,
    received: upload.receivedOn,
    settled: settledOn,
    copy: copyRemovedOn && `deleted on ${copyRemovedOn.toISOString()}`,
    ...(held > 0 && {
      held: `${held} ${held === 1 ? 'document' : 'documents'}: run \`adx-server delivery list\``,
    }),
    [attempt]: lastError,
  });
  const files = upload.listed.map(({ fileName, customerName, customerId }) => [
    `file ${fileName}`,
    `${customerName} (${customerId})`,
  ]);
  const findings = upload.findings.map((each) => `${formatFinding(each)}\n`).join('');
  const parts = [lines, formatLines(Object.fromEntries(files)), findings];
  return parts.filter((part) => part !== '').join('\n');
}

export function formatFinding({ severity, message, record, position }: UploadFinding): string {
  const line = record === undefined ? '' : `line ${record}`;
  const place = position === undefined ? line : `${line}, position ${position}`;
  return escapeUnprintable(`${severity}: ${place === '' ? '' : `${place}: `}${message}`);
}
