import type { ListedUpload, ShownUpload } from '../files/ingest/upload-directory.js';
import type { UploadFinding } from '../files/ingest/upload-finding.js';
import { formatLines, formatTable } from './text-table.js';

/** Uploads as a table for people. */
export function formatUploads(uploads: readonly ListedUpload[]): string {
  return formatTable(
    ['ID', 'RECEIVED', 'PRODUCT', 'STATUS', 'FILES', 'ERRORS', 'UPLOAD'],
    uploads.map((each) => [
      each.id,
      each.receivedOn.toISOString(),
      each.product,
      each.status,
      String(each.files),
      String(each.errors),
      printable(each.key),
    ]),
  );
}

/** An upload for people: itself, the files that are listed of it, and what was found. */
export function formatUpload(upload: ShownUpload): string {
  const { firmId, settledOn, failedAttempts, lastError } = upload;
  const lines = formatLines({
    id: upload.id,
    upload: `${upload.bucket} ${printable(upload.key)}`,
    product: upload.product,
    status: upload.status,
    ...(firmId !== null && { firm: firmId }),
    size: `${upload.size} bytes`,
    received: upload.receivedOn.toISOString(),
    ...(settledOn !== null && { settled: settledOn.toISOString() }),
    ...(lastError !== null && { [`attempt ${failedAttempts}`]: printable(lastError) }),
  });
  const files = upload.listed.map(({ fileName, customerName, customerId }) => ({
    [`file ${fileName}`]: `${customerName} (${customerId})`,
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

/** A text of someone else's, without what moves the cursor of a terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}
