import type { UploadFinding } from '../uploads/documents/finding.js';
import type { ListedUpload, ShownUpload, UploadSource } from '../uploads/upload-directory.js';
import { formatLines, formatTable } from './text-table.js';

/** Shown where there is no user: for `upload`, the object lies in a folder of no grant. */
const sources: Readonly<Record<UploadSource, string>> = {
  upload: 'unknown',
  bank: 'a bank',
  payrollProvider: 'a payroll provider',
};

/** Uploads as a table for people. */
export function formatUploads(uploads: readonly ListedUpload[]): string {
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
export function formatUpload(upload: ShownUpload): string {
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
