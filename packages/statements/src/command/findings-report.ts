import { statementKey } from '../coda/statement.js';
import type { Finding } from '../finding.js';
import type { FindingLanguage } from '../finding-language.js';
import { isAccepted, type ReadPart } from './read-parts.js';
import { reportWords } from './report-words.js';

/** Says what was found, for people. */
export function findingsText(part: ReadPart, language: FindingLanguage): string {
  const { file, findings, omittedFindings } = part;
  const words = reportWords[language];
  const verdict = isAccepted(part) ? words.accepted : words.refused;
  const lines = [
    `${file}${words.colon}${verdict}, ${contentOf(part, language)}`,
    ...findings.map((finding) => findingLine(finding, language)),
    ...(omittedFindings > 0 ? [`  ${words.omitted(omittedFindings)}`] : []),
  ];
  // Control characters of a file must not reach a terminal.
  return lines.map((line) => `${line.replace(/\p{Cc}/gu, ' ')}\n`).join('');
}

/** Says what was found, for programs. */
export function findingsJson(part: ReadPart): object {
  const { file, format, findings, omittedFindings } = part;
  const content = contentOf(part, 'en');
  return { file, format, content, accepted: isAccepted(part), findings, omittedFindings };
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
