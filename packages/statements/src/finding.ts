/** A statement with an error is refused (undefined); one with only warnings is returned. */
export type Severity = 'error' | 'warning';

/** The meaning of a code in a format's catalogue. */
export interface FindingKind {
  readonly severity: Severity;
  /** The message in English, to which a finding adds its values. */
  readonly text: string;
}

export const error = (text: string): FindingKind => ({ severity: 'error', text });
export const warning = (text: string): FindingKind => ({ severity: 'warning', text });

/** A fault or deviation found while reading a file. */
export interface Finding<Code extends string = string> {
  readonly severity: Severity;
  /** A code of the format's catalogue; stable, for programs. */
  readonly code: Code;
  /** The description in English, for people. */
  readonly message: string;
  /** The line number in the file, from 1. */
  readonly record: number;
  /** The position in the line, in characters, from 1. */
  readonly position?: number;
  /** The value or text at that place; empty if it is blank. */
  readonly found?: string;
  /** The value or text that belongs there. */
  readonly expected?: string;
  /**
   * The field of a structured communication, or the name or path of an element of a payroll file.
   */
  readonly field?: string;
}

/** The values that a finding may add to its text. */
export type FindingValues = Pick<Finding, 'found' | 'expected' | 'field'>;
