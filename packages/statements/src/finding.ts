/** An error refuses the statement, a warning goes with a statement that was read. */
export type Severity = 'error' | 'warning';

/** What a code of a format's catalogue stands for. */
export interface FindingKind {
  readonly severity: Severity;
  /** What is wrong, in English; a message may add what was seen. */
  readonly text: string;
}

export const error = (text: string): FindingKind => ({ severity: 'error', text });
export const warning = (text: string): FindingKind => ({ severity: 'warning', text });

/** Something that was noticed while a file was read. */
export interface Finding<Code extends string = string> {
  readonly severity: Severity;
  /** One of the codes of the format's catalogue; stable, for programs. */
  readonly code: Code;
  /** What is wrong, in English, for people. */
  readonly message: string;
  /** The line of the file, the first being 1. */
  readonly record: number;
  /** The position in the line, in characters, the first being 1. */
  readonly position?: number;
}
