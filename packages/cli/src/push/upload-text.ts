import type { UploadRecord } from '@adx/client';

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
