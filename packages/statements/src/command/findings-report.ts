import { statementKey } from '../coda/statement.js';
import type { Finding } from '../finding.js';
import type { ReadFile, ReadPart } from './read-file.js';

/** Says what was found in a file, for people. */
export function findingsText({ name, parts, isAccepted }: ReadFile): string {
  const findings = parts.flatMap((part) => part.findings);
  const omitted = parts.reduce((sum, { omittedFindings }) => sum + omittedFindings, 0);
  const verdict = isAccepted ? 'accepted' : 'refused';
  const lines = [
    `${name}: ${verdict}, ${parts.map(contentOf).join(', ')}`,
    ...findings.map(findingLine),
    ...(omitted > 0 ? [`  and ${omitted} more`] : []),
  ];
  // Control characters of a file must not reach a terminal.
  return lines.map((line) => `${line.replace(/\p{Cc}/gu, ' ')}\n`).join('');
}

/** Says what was found in files, for programs. */
export function findingsJson(files: readonly ReadFile[]): string {
  const reports = files.map(({ name, format, parts, isAccepted }) => ({
    file: name,
    format,
    accepted: isAccepted,
    parts: parts.map((part) => ({
      content: contentOf(part),
      accepted: isPartAccepted(part),
      findings: part.findings,
      omittedFindings: part.omittedFindings,
    })),
  }));
  return `${JSON.stringify(reports, null, 2)}\n`;
}

function isPartAccepted({ statement, bookings }: ReadPart): boolean {
  return statement !== undefined || bookings.length > 0;
}

function contentOf({ statement, bookings }: ReadPart): string {
  if (statement !== undefined) return `statement ${statementKey(statement).replace(/ +/g, ' ')}`;
  const names = bookings.map(({ source, accountPeriod }) => `payroll ${source} ${accountPeriod}`);
  return names.length === 0 ? 'nothing readable' : names.join(', ');
}

function findingLine({ severity, record, position, message }: Finding): string {
  const place = position === undefined ? `line ${record}` : `line ${record}, position ${position}`;
  return `  ${severity} in ${place}: ${message}`;
}
