import type { Severity } from '@adx/statements';

/** Something noticed about a file: by the reader of its format, or while its documents were listed. */
export interface UploadFinding {
  /** An error refuses the document it is about, or the whole file. */
  readonly severity: Severity;
  /** From the catalogues of @adx/statements, or from `uploadFindings`. */
  readonly code: string;
  readonly message: string;
  /** The line of the file, the first being 1. */
  readonly record?: number;
  /** The character of the line, the first being 1. */
  readonly position?: number;
}

/** Findings that the service adds to those of the readers. */
export const uploadFindings = {
  tooLarge: { severity: 'error', text: 'The file is larger than 25 MiB' },
  unknownFormat: { severity: 'error', text: 'The file is neither CODA nor CODB' },
  unknownGrant: { severity: 'error', text: 'No upload credentials were issued for this folder' },
  noIban: { severity: 'error', text: 'The account has no IBAN, so no customer can have it' },
  unknownAccount: { severity: 'error', text: 'No customer has this account' },
  noCurrency: { severity: 'error', text: 'The account has no currency' },
  unknownEnterprise: { severity: 'error', text: 'No customer has this enterprise number' },
  sourceTooLong: { severity: 'error', text: 'The name of the payroll provider is too long' },
  uploadGone: {
    severity: 'error',
    text: 'The upload was replaced or removed before it was read, or its key is not valid text',
  },
  inaccessible: { severity: 'error', text: 'The file cannot be read' },
  notMoved: {
    severity: 'error',
    text: 'All of the file is listed or held, but it cannot be moved',
  },
  stillWritten: { severity: 'error', text: 'The file changed while it was read' },
  alreadyListed: { severity: 'warning', text: 'The statement had been received before' },
  held: { severity: 'warning', text: 'Held, because no signed mandate covers it' },
  furtherFindings: { severity: 'warning', text: 'There are further findings' },
} as const satisfies Readonly<Record<string, { severity: Severity; text: string }>>;

/** A finding of the service, with the value it is about. */
export function finding(
  code: keyof typeof uploadFindings,
  seen?: string | number,
  record?: number,
): UploadFinding {
  const { severity, text } = uploadFindings[code];
  return {
    severity,
    code,
    message: seen === undefined ? text : `${text}: ${seen}`,
    ...(record !== undefined && { record }),
  };
}

/** Findings stored per upload at most. */
const keptFindings = 1000;

/** Findings as they are stored: errors before warnings where there are too many, and valid JSON. */
export function keptFindingsOf(
  findings: readonly UploadFinding[],
  omitted: number,
): readonly UploadFinding[] {
  const isError = ({ severity }: UploadFinding) => severity === 'error';
  const ordered =
    findings.length > keptFindings
      ? [...findings.filter(isError), ...findings.filter((each) => !isError(each))]
      : findings;
  const kept = ordered.slice(0, keptFindings);
  const left = omitted + findings.length - kept.length;
  return [
    ...kept.map((each) => ({ ...each, message: storableText(each.message) })),
    ...(left > 0 ? [finding('furtherFindings', left)] : []),
  ];
}

/** A text with what PostgreSQL cannot store, NUL and lone surrogates, replaced by U+FFFD. */
export function storableText(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\ufffd');
}
