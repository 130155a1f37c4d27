import type { Severity } from '@adx/statements';

/** Something that was noticed about an upload: by the reader of its format, or by the ingest itself. */
export interface UploadFinding {
  /** An error refuses the statement it is about, or the whole upload. */
  readonly severity: Severity;
  /** Of the catalogues of @adx/statements, or one of `ingestFindings`. */
  readonly code: string;
  readonly message: string;
  /** The line of the upload, the first being 1. */
  readonly record?: number;
  /** The character of the line, the first being 1. */
  readonly position?: number;
}

/** What the ingest itself finds. */
export const ingestFindings = {
  tooLarge: { severity: 'error', text: 'The file is larger than 25 MiB' },
  unknownFormat: { severity: 'error', text: 'The file is neither CODA nor CODB' },
  unknownFirm: { severity: 'error', text: 'No firm has this folder' },
  noIban: { severity: 'error', text: 'The account has no IBAN, so no customer can have it' },
  unknownAccount: { severity: 'error', text: 'No customer has this account' },
  noCurrency: { severity: 'error', text: 'The account has no currency' },
  unknownEnterprise: { severity: 'error', text: 'No customer has this enterprise number' },
  sourceTooLong: { severity: 'error', text: 'The name of the payroll provider is too long' },
  uploadGone: { severity: 'error', text: 'The upload was replaced or removed before it was read' },
  stillWritten: { severity: 'error', text: 'The file changed while it was read' },
  alreadyListed: { severity: 'warning', text: 'The statement had been received before' },
  furtherFindings: { severity: 'warning', text: 'There are further findings' },
} as const satisfies Readonly<Record<string, { severity: Severity; text: string }>>;

/** A finding of the ingest. */
export function finding(
  code: keyof typeof ingestFindings,
  seen?: string | number,
  record?: number,
): UploadFinding {
  const { severity, text } = ingestFindings[code];
  return {
    severity,
    code,
    message: seen === undefined ? text : `${text}: ${seen}`,
    ...(record !== undefined && { record }),
  };
}

/** How many findings are kept of an upload. */
const keptFindings = 1000;

/** Findings as they are kept: errors before warnings where they are too many, and storable as JSON. */
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

/** A text without what PostgreSQL cannot hold: NUL, and halves of characters. */
export function storableText(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\ufffd');
}
