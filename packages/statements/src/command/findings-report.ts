import { statementKey } from '../coda/statement.js';
import type { Finding } from '../finding.js';
import type { FindingLanguage } from '../finding-language.js';
import type { ReadFile, ReadPart } from './read-file.js';
import { reportWords } from './report-words.js';

/** Says what was found in a file, for people. */
export function findingsText(
  { name, parts, isAccepted }: ReadFile,
  language: FindingLanguage,
): string {
  const words = reportWords[language];
  const findings = parts.flatMap((part) => part.findings);
  const omitted = parts.reduce((sum, { omittedFindings }) => sum + omittedFindings, 0);
  const verdict = isAccepted ? words.accepted : words.refused;
  const lines = [
    `${name}${words.colon}${verdict}, ${parts.map((part) => contentOf(part, language)).join(', ')}`,
    ...findings.map((finding) => findingLine(finding, language)),
    ...(omitted > 0 ? [`  ${words.omitted(omitted)}`] : []),
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
      content: contentOf(part, 'en'),
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

function contentOf({ statement, bookings }: ReadPart, language: FindingLanguage): string {
  const words = reportWords[language];
  if (statement !== undefined) {
    return `${words.statement} ${statementKey(statement).replace(/ +/g, ' ')}`;
  }
  const names = bookings.map(
    ({ source, accountPeriod }) => `${words.payroll} ${source} ${accountPeriod}`,
  );
  return names.length === 0 ? words.nothingReadable : names.join(', ');
}

function findingLine(
  { severity, record, position, message }: Finding,
  language: FindingLanguage,
): string {
  const words = reportWords[language];
  const place = position === undefined ? '' : `, ${words.position} ${position}`;
  return `  ${words.severities[severity]} ${words.inLine} ${record}${place}${words.colon}${message}`;
}
