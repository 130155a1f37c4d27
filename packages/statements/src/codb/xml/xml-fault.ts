import type { FindingValues } from '../../finding.js';
import type { CodbFindingCode } from '../findings/finding-catalogue.js';

/**
 * The resources that one payroll file may use. A month of a large employer has a few thousand lines
 * and stays far below each of these limits.
 */
export const xmlLimits = {
  /** Bytes of a file: 25 MiB. */
  fileBytes: 25 * 1024 * 1024,
  /** Nesting depth; a payroll file has seven levels. */
  depth: 16,
  /** Elements of a file. A payroll line takes eight or nine. */
  elements: 500_000,
  /** Characters of a start tag, including its attributes. */
  tagLength: 4096,
  /** Characters of content that the format does not define, with its paths. */
  unknownCharacters: 25 * 1024 * 1024,
} as const;

/** The detail and values of a finding on a limit. */
export function above(limit: number, unit = ''): [detail: string, values: FindingValues] {
  return [`more than ${limit}${unit}`, { expected: `≤ ${limit}` }];
}

/** The code of the finding that says why a file cannot be read as XML. */
export type XmlFaultCode = Extract<
  CodbFindingCode,
  | 'fileTooLarge'
  | 'unknownEncoding'
  | 'invalidEncoding'
  | 'malformedXml'
  | 'forbiddenDoctype'
  | 'forbiddenEntity'
  | 'nestedTooDeep'
  | 'tooManyElements'
  | 'tagTooLong'
>;

/** Stops the reading of an XML file. It is thrown inside `codb` only, and `readCodb` catches it. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
  readonly code: XmlFaultCode;
  /** Offset in the text, in UTF-16 code units; 0 if there is no text. */
  readonly offset: number;
  readonly values: FindingValues;

  /** @param detail the reason in English, if the code alone does not say enough */
  constructor(code: XmlFaultCode, offset: number, detail?: string, values: FindingValues = {}) {
    super(detail);
    this.code = code;
    this.offset = offset;
    this.values = values;
  }
}
