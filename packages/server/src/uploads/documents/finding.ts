import type { Severity } from '@adx/statements';

/**
 * A finding on an upload or delivered file: from the parser of its format, or from the processing of
 * its documents. Except for `notMoved`, an error means that the document or the whole file is refused,
 * and so the upload is rejected (D-27).
 */
export interface UploadFinding {
  readonly severity: Severity;
  /** A code of @adx/statements or of `uploadFindings`. */
  readonly code: string;
  readonly message: string;
  /** The line of the file, from 1. */
  readonly record?: number;
  /** The position in the line, from 1. */
  readonly position?: number;
}

/**
 * The findings of the service. Only `ingest` reports `unknownFormat`, `inaccessible`, `notMoved` and
 * `stillWritten`; only uploads get `unknownGrant`, `uploadGone`, `unknownAccount` and `unknownEnterprise`.
 */
const uploadFindings = {
  tooLarge: { severity: 'error', text: 'The file is larger than 25 MiB' },
  unknownFormat: { severity: 'error', text: 'The file is neither CODA nor CODB' },
  unknownGrant: { severity: 'error', text: 'No upload credentials were issued for this prefix' },
  noIban: {
    severity: 'error',
    text: 'The account has no IBAN, so it cannot be matched to a customer',
  },
  unknownAccount: { severity: 'error', text: 'No customer has this account' },
  noCurrency: { severity: 'error', text: 'The account has no valid currency' },
  unknownEnterprise: { severity: 'error', text: 'No customer has this enterprise number' },
  sourceTooLong: { severity: 'error', text: 'The name of the payroll provider is too long' },
  uploadGone: {
    severity: 'error',
    text: 'The upload was replaced or removed before it was read, or its key is not valid text',
  },
  inaccessible: { severity: 'error', text: 'The file cannot be read' },
  notMoved: {
    severity: 'error',
    text: 'All documents of the file are listed or held, but it cannot be moved',
  },
  stillWritten: { severity: 'error', text: 'The file changed while it was being read' },
  alreadyListed: { severity: 'warning', text: 'The document is already listed' },
  held: { severity: 'warning', text: 'Held, because no signed mandate covers it' },
  furtherFindings: { severity: 'warning', text: 'There are further findings' },
} as const satisfies Readonly<Record<string, { severity: Severity; text: string }>>;

export type FindingCode = keyof typeof uploadFindings;

/** Creates a finding of the service. Its message ends with the value, if there is one. */
export function finding(
  code: FindingCode,
  value?: string | number,
  record?: number,
): UploadFinding {
  const { severity, text } = uploadFindings[code];
  return {
    severity,
    code,
    message: value === undefined ? text : `${text}: ${value}`,
    ...(record !== undefined && { record }),
  };
}

/** The largest number of findings stored per upload. */
const maximumFindings = 1000;

/**
 * Returns the findings that are stored, as text that PostgreSQL accepts. If there are too many,
 * errors come first, and a last finding counts the others.
 */
export function limitFindings(
  findings: readonly UploadFinding[],
  omitted: number,
): readonly UploadFinding[] {
  const isError = ({ severity }: UploadFinding) => severity === 'error';
  const ordered =
    findings.length > maximumFindings
      ? [...findings.filter(isError), ...findings.filter((each) => !isError(each))]
      : findings;
  const kept = ordered.slice(0, maximumFindings);
  const further = omitted + findings.length - kept.length;
  return [
    ...kept.map((each) => ({ ...each, message: storableText(each.message) })),
    ...(further > 0 ? [finding('furtherFindings', further)] : []),
  ];
}

/** Replaces NUL and lone surrogates, which PostgreSQL cannot store, with U+FFFD. */
export function storableText(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\ufffd');
}
