import type { Severity } from '@adx/statements';
import type { Document } from '../../files/document.js';

/**
 * A finding of the parser of a format, or of the processing of documents. Except for `notMoved`, an
 * error means that the document or the whole file is refused, so the upload is rejected (D-27).
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
  /** The value in the file, the expected one, and the field or element, as in @adx/statements. */
  readonly found?: string;
  readonly expected?: string;
  readonly field?: string;
}

export interface ParsedDocument {
  /** Undefined if a finding is an error, and for findings on the file as a whole. */
  readonly document?: Document;
  readonly findings: readonly UploadFinding[];
  readonly omittedFindings: number;
}

/**
 * The findings of the service. Only `ingest` reports `unknownFormat`, `specialFile`,
 * `otherProduct`, `accountOfAnotherBank`, `namesAnotherSender`, `notMoved` and `stillWritten`; only
 * uploads get `unknownGrant`, `unprintableName`, `uploadGone`, `unknownAccount` and
 * `unknownEnterprise`.
 */
export const uploadFindings = {
  tooLarge: { severity: 'error', text: 'The file is larger than 25 MiB' },
  unknownFormat: { severity: 'error', text: 'The file is neither CODA nor CODB' },
  specialFile: { severity: 'error', text: 'It is a link or another special file' },
  otherProduct: {
    severity: 'error',
    text: 'A bank delivers only CODA, and a payroll provider only CODB',
  },
  accountOfAnotherBank: { severity: 'error', text: 'The sender does not keep this account' },
  namesAnotherSender: {
    severity: 'error',
    text: 'It names another bank or payroll provider than its sender',
  },
  unknownGrant: { severity: 'error', text: 'No upload credentials were issued for this prefix' },
  unprintableName: {
    severity: 'error',
    text: 'The name of the file contains control characters or marks that change the direction of text',
  },
  noIban: {
    severity: 'error',
    text: 'The account has no IBAN, so it cannot be matched to a customer',
  },
  unknownAccount: { severity: 'error', text: 'No customer has this account' },
  noCurrency: { severity: 'error', text: 'The account has no valid currency' },
  unknownEnterprise: { severity: 'error', text: 'No customer has this enterprise number' },
  noLongerKept: {
    severity: 'error',
    text: 'It is dated before the years for which the service keeps such files',
  },
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
  numberMissing: { severity: 'warning', text: 'Statement numbers are missing before this one' },
  balanceDiffers: {
    severity: 'warning',
    text: 'The old balance is not the new balance of the statement before',
  },
  numberRepeated: {
    severity: 'warning',
    text: 'A statement with this number and other content is listed, which this one corrects',
  },
  held: { severity: 'warning', text: 'Held, because no signed mandate covers it' },
  furtherFindings: { severity: 'warning', text: 'There are further findings' },
} as const satisfies Readonly<Record<string, { severity: Severity; text: string }>>;

export type FindingCode = keyof typeof uploadFindings;

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

const maximumFindings = 1000;

export interface KeptFindings {
  readonly findings: readonly UploadFinding[];
  readonly omittedFindings: number;
}

export const noFindings: KeptFindings = { findings: [], omittedFindings: 0 };

/**
 * Adds findings. Those on the content of the file come before those on its documents. If there are
 * too many, errors are kept before warnings. A file that is read in steps ends with the same
 * findings as one that is read at once, except for those on the chain of an account (D-30).
 */
export function addFindings(
  kept: KeptFindings,
  findings: readonly UploadFinding[],
  omitted: number,
): KeptFindings {
  const all = [...kept.findings, ...findings.map(storableFinding)];
  const errorsFirst = all.length > maximumFindings;
  // An overflow before puts errors first too, and nothing can follow it without another overflow.
  const ordered =
    findings.length === 0
      ? all
      : all.toSorted((a, b) => orderOf(a, errorsFirst) - orderOf(b, errorsFirst));
  return {
    findings: ordered.slice(0, maximumFindings),
    omittedFindings: kept.omittedFindings + omitted + Math.max(0, all.length - maximumFindings),
  };
}

/** Returns the findings to store, with a last one that counts those that are not kept. */
export function countOmitted({ findings, omittedFindings }: KeptFindings): UploadFinding[] {
  return [
    ...findings,
    ...(omittedFindings > 0 ? [finding('furtherFindings', omittedFindings)] : []),
  ];
}

/** The findings on documents, in order. All others are on the content of the file. */
const documentFindings: readonly string[] = [
  'unknownAccount',
  'unknownEnterprise',
  'noLongerKept',
  'held',
  'alreadyListed',
  'numberMissing',
  'balanceDiffers',
  'numberRepeated',
] satisfies FindingCode[];

function orderOf({ code, severity }: UploadFinding, errorsFirst: boolean): number {
  const kind = documentFindings.indexOf(code) + 1;
  return errorsFirst && severity === 'warning' ? kind + documentFindings.length + 1 : kind;
}

const texts = ['message', 'found', 'expected', 'field'] as const;

function storableFinding(finding: UploadFinding): UploadFinding {
  const storable = texts.flatMap((name) => {
    const text = finding[name];
    return text === undefined ? [] : [[name, storableText(text)]];
  });
  return { ...finding, ...Object.fromEntries(storable) };
}

/** Replaces NUL and lone surrogates, which PostgreSQL cannot store, with U+FFFD. */
export function storableText(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\ufffd');
}
